// The reentrant lock with one fence for a hold, which its inner calls share.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   the server forgets neither the lock nor its counter
//   breaks under  what breaks `reentrant`; the fence prevents the harm, but not after a failover
//   source        Hazelcast, FencedLock: a reentrant acquire returns the same token

#include "models/reentrant_fenced.h"

namespace locklab {

LockInfo reentrant_fenced() {
  return {.name = "reentrant-fenced",
          .summary = "as reentrant, with one fence for a hold and its inner calls",
          .source = "Hazelcast, FencedLock",
          .fenced = true,
          .make = make_lock<ReentrantFenced>,
          .breaks = {
              .two_inside = "cut evict failover flush freeze host-loss jump node-kill node-pause "
                            "pause rate stall suspend",
              .two_claims = "cut evict failover flush freeze host-loss jump node-kill node-pause "
                            "pause rate slow stall suspend",
              .harm = "cut evict failover flush freeze host-loss jump node-kill node-pause pause "
                      "rate slow stall suspend",
              .fenced_harm = "evict failover flush freeze host-loss node-kill node-pause suspend"}};
}

}  // namespace locklab
