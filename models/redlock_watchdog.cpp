// Redlock whose lease a watchdog extends on a majority of the nodes.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   a majority of the nodes keep their data and their clocks
//   breaks under  the same as Redlock: a jump or a lost vote on one node of a minimal quorum
//   source        redis.io, "Distributed Locks with Redis", "Extending the lock"

#include "models/watchdog.h"

namespace locklab {

LockInfo redlock_watchdog() {
  return {.name = "redlock-watchdog",
          .summary = "as redlock, extended on a majority at TTL/3",
          .source = "redis.io, Distributed Locks with Redis, Extending the lock",
          .checked = true,
          .renews = true,
          .nodes = 3,
          .make = make_lock<RedlockWatchdog>,
          .breaks = {.two_inside = "evict flush freeze jump node-kill pause suspend",
                     .two_claims = "evict flush freeze host-loss jump node-kill pause rate suspend",
                     .harm = "evict flush freeze node-kill suspend"}};
}

}  // namespace locklab
