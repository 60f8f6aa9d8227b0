// A watchdog that renews by PEXPIRE without looking whose key it is.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   the key is the holder's own at each renewal
//   breaks under  a pause beyond the TTL: it prolongs another holder's lease, is told 1, and goes
//                 on
//   source        the common form: `client.Expire(ctx, key, ttl)` in a ticker loop

#include "models/watchdog.h"

namespace locklab {
namespace {

class BlindExpireWatchdog : public Watchdog {
  LocalInstant deadline(Client&, LocalInstant, const LockRequest&) const override {
    return LocalInstant::never();
  }
  Outcome renew(Client& client, const LockRequest& request, const Lease& lease) override {
    const Answer renewed = client.redis().pexpire(lease.key, request.ttl);
    return outcome_of(renewed);
  }
};

}  // namespace

LockInfo watchdog_blind_expire() {
  return {.name = "watchdog-blind-expire",
          .summary = "renewed by PEXPIRE, whoever holds the key",
          .source = "Go: client.Expire in a ticker loop",
          .renews = true,
          .make = make_lock<BlindExpireWatchdog>,
          .breaks = {.two_inside = "cancel cut evict failover flush freeze host-loss jump "
                                   "node-kill node-pause panic pause rate slow stall suspend",
                     .two_claims = "cancel cut evict failover flush freeze host-loss jump "
                                   "node-kill node-pause panic pause rate slow stall suspend",
                     .harm = "cancel cut evict failover flush freeze host-loss jump node-kill "
                             "node-pause panic pause rate slow stall suspend"}};
}

}  // namespace locklab
