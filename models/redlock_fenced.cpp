// Redlock with a fencing token from a separate linearizable counter.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   the resource checks the token on reads and writes: no harm, whatever happens
//   breaks under  the same as Redlock: two programs can still be inside at once
//   source        Kleppmann 2016, "How to do distributed locking"; antirez 2016, "Is Redlock
//                 safe?"

#include "models/fencing.h"
#include "models/redlock.h"

namespace locklab {

LockInfo redlock_fenced() {
  return {
      .name = "redlock-fenced",
      .summary = "as redlock; then a fence from a linearizable counter",
      .source = "Kleppmann 2016, How to do distributed locking",
      .checked = true,
      .fenced = true,
      .nodes = 3,
      .make = make_lock<Fenced<Redlock>>,
      .breaks = {
          .two_inside = "evict flush freeze host-loss jump node-kill pause rate stall suspend",
          .two_claims = "evict flush freeze host-loss jump node-kill pause rate stall suspend",
          .harm = "cut evict flush freeze host-loss jump node-kill pause rate slow stall suspend"}};
}

}  // namespace locklab
