// A watchdog that registers itself when it first runs: an unlock before that finds nothing to stop.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   the watchdog's goroutine runs before the unlock
//   breaks under  a stall at its start: the unlock's cancel does nothing, the watchdog starts
//                 after it, and renews the next hold of the same identity, which nobody will ever
//                 stop
//   source        redisson#7272

#include "models/watchdog.h"

namespace locklab {
namespace {

class LateStartWatchdog : public Watchdog {
 public:
  void forget() override {
    Watchdog::forget();
    identity_ = {};
  }

 private:
  /// One identity for all holds of a client, as Redisson's UUID:threadId.
  std::string_view next_nonce(Client& client) override {
    if (identity_.empty()) identity_ = client.new_nonce();
    return identity_;
  }
  void start(Client& client, const LockRequest& request, const Lease& lease) override {
    watch_ = std::make_shared<Watch>(client, request, lease, false);
    registered_ = nullptr;
    client.go([this, watch = watch_] {
      watch->client.reach(Label::wd_before_tick);
      registered_ = watch.get();
      run(*watch);
    });
  }
  void stop(Watch& watch) override {
    if (registered_ == &watch) watch.stop.cancel();
  }

  std::string_view identity_;
  const Watch* registered_ = nullptr;  // Compared, never followed.
};

}  // namespace

LockInfo watchdog_late_start() {
  return {.name = "watchdog-late-start",
          .summary = "a watchdog that the unlock cannot stop before it has first run",
          .source = "redisson#7272",
          .checked = true,
          .renews = true,
          .make = make_lock<LateStartWatchdog>,
          .breaks = {
              .two_inside =
                  "evict failover flush freeze host-loss node-kill node-pause pause stall suspend",
              .two_claims = "evict failover flush freeze host-loss jump node-kill node-pause pause "
                            "rate slow suspend",
              .harm = "evict failover flush freeze node-kill pause slow suspend",
              .blocked = "cancel panic"}};
}

}  // namespace locklab
