// A watchdog that logs a refused renewal and says nothing to the worker.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   no renewal is ever refused
//   breaks under  a failover, a flush, an expiry: the lease is gone, and the work goes on to its
//                 end
//   source        the common form: `if err := renew(); err != nil { log.Print(err) }`

#include "models/watchdog.h"

namespace locklab {
namespace {

class SilentWatchdog : public Watchdog {
  LocalInstant deadline(Client&, LocalInstant, const LockRequest&) const override {
    return LocalInstant::never();
  }
  bool goes_on(Holder&) override { return true; }
};

}  // namespace

LockInfo watchdog_silent() {
  return {
      .name = "watchdog-silent",
      .summary = "a refused renewal is logged, the worker never hears of it",
      .source = "Go: an error of the renewal that is only logged",
      .renews = true,
      .make = make_lock<SilentWatchdog>,
      .breaks = {.two_inside = "cancel cut evict failover flush freeze host-loss jump lost-reply "
                               "node-kill node-pause panic pause rate reset slow stall suspend",
                 .two_claims = "cancel cut evict failover flush freeze host-loss jump lost-reply "
                               "node-kill node-pause panic pause rate reset slow stall suspend",
                 .harm = "cancel cut evict failover flush freeze host-loss jump lost-reply "
                         "node-kill node-pause panic pause rate reset slow stall suspend"}};
}

}  // namespace locklab
