// Reentrancy by the identity of the process: its goroutines all look like one owner.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   one goroutine of a process asks for the lock at a time
//   breaks under  two goroutines of one process, and no fault: both are granted, as one owner
//                 twice
//   source        the common form: a UUID of the client, where Redisson adds the thread

#include "models/reentrant.h"

namespace locklab {
LockInfo reentrant_shared_identity() {
  return {.name = "reentrant-shared-identity",
          .summary = "as reentrant, the identity is the process",
          .source = "a UUID per client",
          .make = make_lock<SharedIdentity>,
          .breaks = {.two_inside = "evict failover flush freeze host-loss jump node-kill "
                                   "node-pause pause rate stall suspend",
                     .two_claims = "cut evict failover flush freeze host-loss jump node-kill "
                                   "node-pause pause rate stall suspend",
                     .harm = "cut evict failover flush freeze host-loss jump node-kill node-pause "
                             "pause rate slow stall suspend"}};
}

}  // namespace locklab
