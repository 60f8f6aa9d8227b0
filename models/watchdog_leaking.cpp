// A watchdog that only an unlock stops: a worker that ends without one leaves it renewing for ever.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   every worker that has acquired also releases
//   breaks under  a panic that is recovered further up, or any return without the unlock: the key
//                 never expires, and nobody gets the lock again while the process lives
//   source        Go: `go func() { for range ticker.C { renew() } }()` beside the work

#include "models/watchdog.h"

namespace locklab {
namespace {

class LeakingWatchdog : public Watchdog {
  bool is_tied() const override { return false; }
};

}  // namespace

LockInfo watchdog_leaking() {
  return {
      .name = "watchdog-leaking",
      .summary = "as watchdog, but not tied to the caller's context",
      .source = "Go: a ticker loop in a goroutine of its own",
      .checked = true,
      .renews = true,
      .make = make_lock<LeakingWatchdog>,
      .breaks = {
          .two_inside = "evict failover flush freeze host-loss node-kill node-pause pause suspend",
          .two_claims =
              "evict failover flush freeze host-loss jump node-kill node-pause pause rate suspend",
          .harm = "evict failover flush node-kill pause slow",
          .blocked = "cancel panic"}};
}

}  // namespace locklab
