// The single-instance Redis lock whose client stops acting when its deadline has passed.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   the node keeps its memory and its time
//   breaks under  a pause between check and send, a late message to the resource (harm); a
//                 failover, a restart, a flush, a clock that runs ahead (claimed exclusion)
//   source        Kleppmann 2016, "How to do distributed locking"; antirez 2016, "Is Redlock
//                 safe?"

#include "models/set_nx_px.h"

namespace locklab {

LockInfo set_nx_px_checked() {
  return {.name = "set-nx-px-checked",
          .summary = "SET NX PX with a nonce; compare-and-delete; deadline checked",
          .source = "redis.io, Distributed Locks with Redis",
          .checked = true,
          .make = make_lock<SetNxPxChecked>,
          .breaks = {.two_inside = "evict failover flush freeze host-loss jump node-kill "
                                   "node-pause pause rate stall suspend",
                     .two_claims = "evict failover flush freeze host-loss jump node-kill "
                                   "node-pause pause rate stall suspend",
                     .harm = "cut evict failover flush freeze host-loss jump node-kill node-pause "
                             "pause rate slow stall suspend"}};
}

}  // namespace locklab
