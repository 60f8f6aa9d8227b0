// A watchdog without a deadline: it cancels the work when told "not yours", and only then.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   renewals are answered in time, or refused before anybody else gets the lock
//   breaks under  a pause or unanswered renewals beyond the TTL: the work goes on without a lease
//   source        Redisson 3, RedissonBaseLock: no deadline on the client's side

#include "models/watchdog.h"

namespace locklab {
namespace {

class UncheckedWatchdog : public Watchdog {
  LocalInstant deadline(Client&, LocalInstant, const LockRequest&) const override {
    return LocalInstant::never();
  }
};

}  // namespace

LockInfo watchdog_unchecked() {
  return {
      .name = "watchdog-unchecked",
      .summary = "as watchdog, without a deadline of its own",
      .source = "Redisson 3, RedissonBaseLock",
      .renews = true,
      .make = make_lock<UncheckedWatchdog>,
      .breaks = {.two_inside = "cancel cut evict failover flush freeze host-loss node-kill "
                               "node-pause panic pause slow stall suspend",
                 .two_claims = "cancel cut evict failover flush freeze host-loss jump lost-reply "
                               "node-kill node-pause panic pause rate reset slow stall suspend",
                 .harm = "cancel cut evict failover flush freeze host-loss node-kill node-pause "
                         "panic pause slow stall suspend"}};
}

}  // namespace locklab
