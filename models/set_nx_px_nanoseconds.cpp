// SET NX PX whose TTL is a bare number: what was meant as a second is a nanosecond.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   nobody else asks within a millisecond
//   breaks under  no fault: the key is gone before the section has begun
//   source        go-redis, formatMs: what is below a millisecond is sent as PX 1

#include "models/set_nx_px.h"

namespace locklab {
namespace {

class Nanoseconds : public SetNxPx {
 public:
  Acquired acquire(Client& client, const LockRequest& request) override {
    // client.SetNX(ctx, key, nonce, 30): the compiler takes the number for a time.Duration, of 30
    // nanoseconds, and go-redis sends the least that Redis takes.
    LockRequest untyped = request;
    untyped.ttl = milliseconds(1);
    return SetNxPx::acquire(client, untyped);
  }
};

}  // namespace

LockInfo set_nx_px_nanoseconds() {
  return {
      .name = "set-nx-px-nanoseconds",
      .summary = "as set-nx-px, the TTL is a number without a unit",
      .source = "go-redis, SetNX(ctx, key, value, 30)",
      .make = make_lock<Nanoseconds>,
      .breaks = {
          .two_inside = "cancel cut evict failover flush freeze host-loss jump kill lag lost-reply "
                        "node-kill node-pause none panic pause rate reset slew slow stall suspend",
          .two_claims = "cancel cut evict failover flush freeze host-loss jump kill lag lost-reply "
                        "node-kill node-pause none panic pause rate reset slew slow stall suspend",
          .harm = "cancel cut evict failover flush freeze host-loss jump kill lag lost-reply "
                  "node-kill node-pause none panic pause rate reset slew slow stall suspend"}};
}

}  // namespace locklab
