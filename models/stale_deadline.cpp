// A deadline that runs from the first try of the call: a lock may be handed out when it has passed.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   the first try succeeds
//   breaks under  tries that take longer than the TTL: the lease is granted, and over
//   source        node-redlock#296, #299

#include "models/set_nx_px.h"

namespace locklab {
namespace {

class StaleDeadline : public SetNxPx {
 public:
  void forget() override { first_try_ = LocalInstant::never(); }
  Acquired acquire(Client& client, const LockRequest& request) override {
    if (first_try_ == LocalInstant::never()) first_try_ = client.now();
    Acquired acquired = SetNxPx::acquire(client, request);
    if (acquired.outcome != Outcome::acquired) return acquired;
    acquired.lease.until = first_try_ + request.ttl - request.margin;
    first_try_ = LocalInstant::never();  // The next call's.
    return acquired;
  }

 private:
  LocalInstant first_try_ = LocalInstant::never();
};

}  // namespace

LockInfo stale_deadline() {
  return {.name = "stale-deadline",
          .summary = "as set-nx-px-checked, the deadline runs from the first try of the call",
          .source = "node-redlock#296",
          .checked = true,
          .make = make_lock<StaleDeadline>,
          .breaks = {.two_inside = "evict failover flush freeze host-loss jump node-kill "
                                   "node-pause pause rate stall suspend",
                     .two_claims = "evict failover flush freeze host-loss jump node-kill "
                                   "node-pause pause rate stall suspend",
                     .harm = "cut evict failover flush freeze host-loss jump node-kill pause rate "
                             "slow stall suspend"}};
}

}  // namespace locklab
