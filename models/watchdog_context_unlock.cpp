// A watchdog that an unlock stops, and an unlock that a context may keep from being sent.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   every unlock comes before the deadline of the request's context
//   breaks under  work that outlives the context: the deferred unlock returns its error at once,
//                 the key is not deleted, and the watchdog, which only an unlock stops, renews it
//                 for ever
//   source        Go: `ctx, cancel := context.WithTimeout(ctx, d)` and `defer lock.Unlock(ctx)`

#include "models/watchdog.h"

namespace locklab {
namespace {

class ContextUnlock : public Watchdog {
 public:
  void forget() override {
    Watchdog::forget();
    deadline_ = LocalInstant::never();
  }

  Acquired acquire(Client& client, const LockRequest& request) override {
    deadline_ = client.now() + request.ttl * 4;  // The request's: it covers the work, normally.
    return Watchdog::acquire(client, request);
  }
  /// Whatever the program does takes the context, and fails when it is over.
  bool valid(Client& client, const Lease& lease) override {
    return client.now() < deadline_ && Watchdog::valid(client, lease);
  }
  Outcome release(Client& client, const Lease& lease) override {
    if (client.now() >= deadline_) return Outcome::unknown;  // ctx.Err(), and nothing was sent.
    return Watchdog::release(client, lease);
  }

 private:
  bool is_tied() const override { return false; }

  LocalInstant deadline_ = LocalInstant::never();
};

}  // namespace

LockInfo watchdog_context_unlock() {
  return {
      .name = "watchdog-context-unlock",
      .summary = "as watchdog-leaking; an unlock in a context that is over sends nothing",
      .source = "Go: defer lock.Unlock(ctx)",
      .checked = true,
      .renews = true,
      .make = make_lock<ContextUnlock>,
      .breaks = {
          .two_inside = "evict failover flush freeze host-loss node-kill node-pause pause suspend",
          .two_claims =
              "evict failover flush freeze host-loss jump node-kill node-pause pause rate suspend",
          .harm = "evict failover flush node-kill pause slow",
          .blocked = "cancel cut panic slow stall"}};
}

}  // namespace locklab
