// The reentrant lock: a hash of identity and count, the identity handed down the call chain.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   the holder is done within the TTL; nested calls hand their token on
//   breaks under  what breaks the single-instance lock without a deadline: a pause, an overrun, a
//                 failover
//   source        Redisson 3, RedissonLock; the identity is a handle, not a thread

#include "models/reentrant.h"

namespace locklab {
LockInfo reentrant() {
  return {.name = "reentrant",
          .summary = "a hash of identity and count; the call chain hands its token on",
          .source = "Redisson 3, RedissonLock",
          .make = make_lock<Reentrant>,
          .breaks = {.two_inside = "cut evict failover flush freeze host-loss jump node-kill "
                                   "node-pause pause rate stall suspend",
                     .two_claims = "cut evict failover flush freeze host-loss jump node-kill "
                                   "node-pause pause rate slow stall suspend",
                     .harm = "cut evict failover flush freeze host-loss jump node-kill node-pause "
                             "pause rate slow stall suspend"}};
}

}  // namespace locklab
