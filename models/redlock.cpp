// Redlock over independent nodes: a majority of single-instance locks.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   clocks run at nearly the same rate and never jump, and no node forgets
//   breaks under  a jump of one clock or one restart without data, when the votes were split; a
//                 pause between check and send (harm)
//   source        redis.io, "Distributed Locks with Redis", "The Redlock Algorithm"

#include "models/redlock.h"

namespace locklab {

LockInfo redlock() {
  return {
      .name = "redlock",
      .summary = "SET NX PX on a majority of the nodes, within the validity time",
      .source = "redis.io, Distributed Locks with Redis",
      .checked = true,
      .nodes = 3,
      .make = make_lock<Redlock>,
      .breaks = {
          .two_inside = "evict flush freeze host-loss jump node-kill pause rate stall suspend",
          .two_claims = "evict flush freeze host-loss jump node-kill pause rate stall suspend",
          .harm = "cut evict flush freeze host-loss jump node-kill pause rate slow stall suspend"}};
}

}  // namespace locklab
