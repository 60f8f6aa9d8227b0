// SET NX without a TTL: the zero that was to mean "the default" means "for ever".
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   every holder lives to unlock, and hears the reply to its acquire
//   breaks under  a crash or a lost reply: a key without expiry, and nobody who holds it
//   source        go-redis, SetNX: an expiration of zero is none

#include <optional>

#include "models/set_nx_px.h"

namespace locklab {
namespace {

class Forever : public SetNxPx {
 public:
  Acquired acquire(Client& client, const LockRequest& request) override {
    const std::string_view nonce = client.new_nonce();
    // client.SetNX(ctx, key, nonce, 0)
    const Answer set = client.redis().set(request.key, nonce, {.nx = true, .px = std::nullopt});
    if (set.is_unknown()) return give_up(client, request, nonce);
    if (!set.is_ok()) return Acquired::refused();
    return Acquired::lease_of({.key = request.key, .nonce = nonce});
  }
};

}  // namespace

LockInfo set_nx_forever() {
  return {.name = "set-nx-forever",
          .summary = "as set-nx-px, the TTL is zero: none",
          .source = "go-redis, SetNX(ctx, key, value, 0)",
          .make = make_lock<Forever>,
          .breaks = {
              .two_inside = "evict failover flush freeze host-loss node-kill node-pause suspend",
              .two_claims = "evict failover flush freeze host-loss node-kill node-pause suspend",
              .harm = "cut evict failover flush freeze host-loss node-kill node-pause slow suspend",
              .blocked = "cancel cut failover freeze host-loss kill lost-reply node-kill "
                         "node-pause panic pause reset slow stall suspend"}};
}

}  // namespace locklab
