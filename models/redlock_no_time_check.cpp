// Redlock that counts votes and never looks at the time that they took.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   the votes come in well within the TTL, and the work ends within it too
//   breaks under  a pause or slow replies before the quorum: votes are counted that have expired
//   source        redis.io, "Distributed Locks with Redis": what step 3 is for

#include "models/redlock.h"

namespace locklab {
namespace {

class NoTimeCheck : public Redlock {
 public:
  bool valid(Client&, const Lease&) override { return true; }
  Acquired acquire(Client& client, const LockRequest& request) override {
    Acquired acquired = Redlock::acquire(client, request);
    acquired.lease.until = LocalInstant::never();
    return acquired;
  }
};

}  // namespace

LockInfo redlock_no_time_check() {
  return {
      .name = "redlock-no-time-check",
      .summary = "as redlock, without the check of the elapsed time",
      .source = "redis.io, Distributed Locks with Redis, step 3",
      .nodes = 3,
      .make = make_lock<NoTimeCheck>,
      .breaks = {
          .two_inside = "evict flush freeze host-loss jump node-kill pause rate stall suspend",
          .two_claims =
              "cut evict flush freeze host-loss jump node-kill pause rate slow stall suspend",
          .harm = "cut evict flush freeze host-loss jump node-kill pause rate slow stall suspend"}};
}

}  // namespace locklab
