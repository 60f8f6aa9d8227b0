// Redlock that leaves the votes of a failed attempt where they are.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   attempts do not collide
//   breaks under  two clients that split the votes: each waits for the other's leftovers, and for
//                 its own, until the TTL ends, and may split them again
//   source        redis.io, "Distributed Locks with Redis", "Retry on Failure"

#include "models/redlock.h"

namespace locklab {
namespace {

class NoUndo : public Redlock {
  void undo(Client&, const Lease&) override {}
};

}  // namespace

LockInfo redlock_no_undo() {
  return {
      .name = "redlock-no-undo",
      .summary = "as redlock, without releasing what a failed attempt got",
      .source = "redis.io, Distributed Locks with Redis, step 5",
      .checked = true,
      .nodes = 3,
      .make = make_lock<NoUndo>,
      .breaks = {
          .two_inside = "evict flush freeze host-loss jump node-kill pause rate stall suspend",
          .two_claims = "evict flush freeze host-loss jump node-kill pause rate stall suspend",
          .harm = "cut evict flush freeze host-loss jump node-kill pause rate slow stall suspend"}};
}

}  // namespace locklab
