// SETNX, then PEXPIRE: two commands, and a gap between them.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   nothing happens between the two commands, and every holder is done in time
//   breaks under  a crash or a lost reply in the gap: a key without expiry, and nobody who holds
//                 it
//   source        the pre-2.6.12 idiom of the Redis documentation, command SETNX

#include "models/lock.h"

namespace locklab {
namespace {

class SetnxExpire : public Lock {
 public:
  Acquired acquire(Client& client, const LockRequest& request) override {
    const Answer created = client.redis().setnx(request.key, "1");
    if (created.is_unknown()) return Acquired::unknown();
    if (!created.is_integer(1)) return Acquired::refused();

    client.reach(Label::acq_between);
    client.redis().pexpire(request.key, request.ttl);  // The reply is ignored, as in the wild.
    return Acquired::lease_of({.key = request.key, .nonce = "1"});
  }

  Outcome release(Client& client, const Lease& lease) override {
    return released_by(client.redis().del(lease.key));
  }
};

}  // namespace

LockInfo setnx_expire() {
  return {.name = "setnx-expire",
          .summary = "SETNX, then PEXPIRE; blind DEL",
          .source = "redis.io, SETNX, design pattern before 2.6.12",
          .make = make_lock<SetnxExpire>,
          .breaks = {.two_inside = "cut evict failover flush freeze host-loss jump node-kill pause "
                                   "rate slow stall suspend",
                     .two_claims = "cut evict failover flush freeze host-loss jump node-kill pause "
                                   "rate slow stall suspend",
                     .harm = "cut evict failover flush freeze host-loss jump node-kill pause rate "
                             "slow stall suspend",
                     .blocked = "cancel cut failover freeze host-loss kill lost-reply node-kill "
                                "node-pause panic pause rate reset slow stall suspend"}};
}

}  // namespace locklab
