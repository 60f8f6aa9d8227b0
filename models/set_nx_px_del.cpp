// SET key value NX PX ttl, released by a blind DEL: frees whatever lock it finds.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   every holder releases before its TTL ends
//   breaks under  a pause or a delay beyond the TTL: the late DEL removes the next holder's key
//   source        redis.io, "Distributed Locks with Redis", the warning before the unlock script

#include "models/lock.h"

namespace locklab {
namespace {

class SetNxPxDel : public Lock {
 public:
  Acquired acquire(Client& client, const LockRequest& request) override {
    const std::string_view nonce = client.new_nonce();
    const Answer set = client.redis().set(request.key, nonce, {.nx = true, .px = request.ttl});
    if (set.is_unknown()) return Acquired::unknown();
    if (!set.is_ok()) return Acquired::refused();
    return Acquired::lease_of({.key = request.key, .nonce = nonce});
  }

  Outcome release(Client& client, const Lease& lease) override {
    return released_by(client.redis().del(lease.key));
  }
};

}  // namespace

LockInfo set_nx_px_del() {
  return {.name = "set-nx-px-del",
          .summary = "SET NX PX; blind DEL",
          .source = "redis.io, Distributed Locks with Redis",
          .make = make_lock<SetNxPxDel>,
          .breaks = {.two_inside = "cut evict failover flush freeze host-loss jump lost-reply "
                                   "node-kill node-pause pause rate reset slow stall suspend",
                     .two_claims = "cut evict failover flush freeze host-loss jump lost-reply "
                                   "node-kill node-pause pause rate reset slow stall suspend",
                     .harm = "cut evict failover flush freeze host-loss jump lost-reply node-kill "
                             "node-pause pause rate reset slow stall suspend"}};
}

}  // namespace locklab
