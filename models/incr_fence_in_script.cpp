// The lock and its INCR fence in one script: in grant order, and forgotten together.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   the server forgets nothing; then ge_rw lets no harm through
//   breaks under  a failover or a restart that loses the INCR: two holders have the same number,
//                 and the resource accepts both
//   source        Redisson, RFencedLock; Kleppmann 2016 on what a fence needs

#include "models/incr_fence.h"

namespace locklab {

LockInfo incr_fence_in_script() {
  return {.name = "incr-fence-in-script",
          .summary = "SET NX PX and INCR in one script; compare-and-delete",
          .source = "Redisson, RFencedLock",
          .checked = true,
          .fenced = true,
          .make = make_lock<IncrFenceInScript>,
          .breaks = {.two_inside = "evict failover flush freeze host-loss jump node-kill "
                                   "node-pause pause rate stall suspend",
                     .harm = "cut evict failover flush freeze host-loss jump node-kill node-pause "
                             "pause rate slow stall suspend"}};
}

}  // namespace locklab
