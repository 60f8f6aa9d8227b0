// The checked single-instance lock with a fencing token from a separate linearizable counter.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   the resource checks the token on reads and writes: no harm, whatever happens
//   breaks under  the same as without: two programs can still be inside at once
//   source        Kleppmann 2016, "Making the lock safe with fencing"

#include "models/fencing.h"
#include "models/set_nx_px.h"

namespace locklab {

LockInfo set_nx_px_fenced() {
  return {.name = "set-nx-px-fenced",
          .summary = "as set-nx-px-checked; then a fence from a linearizable counter",
          .source = "Kleppmann 2016, How to do distributed locking",
          .checked = true,
          .fenced = true,
          .make = make_lock<Fenced<SetNxPxChecked>>,
          .breaks = {.two_inside = "evict failover flush freeze host-loss jump node-kill "
                                   "node-pause pause rate stall suspend",
                     .two_claims = "evict failover flush freeze host-loss jump node-kill "
                                   "node-pause pause rate stall suspend",
                     .harm = "cut evict failover flush freeze host-loss jump node-kill node-pause "
                             "pause rate slow stall suspend"}};
}

}  // namespace locklab
