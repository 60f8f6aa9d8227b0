// SET key nonce NX PX ttl, released by compare-and-delete: the single-instance Redis lock.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   every holder is done within its TTL, and the node keeps its memory and its time
//   breaks under  a pause beyond the TTL, a failover, a restart, a flush, a clock that runs ahead
//   source        redis.io, "Distributed Locks with Redis", single-instance algorithm

#include "models/set_nx_px.h"

namespace locklab {

LockInfo set_nx_px() {
  return {.name = "set-nx-px",
          .summary = "SET NX PX with a nonce; compare-and-delete",
          .source = "redis.io, Distributed Locks with Redis",
          .make = make_lock<SetNxPx>,
          .breaks = {.two_inside = "cut evict failover flush freeze host-loss jump node-kill "
                                   "node-pause pause rate stall suspend",
                     .two_claims = "cut evict failover flush freeze host-loss jump node-kill "
                                   "node-pause pause rate slow stall suspend",
                     .harm = "cut evict failover flush freeze host-loss jump node-kill node-pause "
                             "pause rate slow stall suspend"}};
}

}  // namespace locklab
