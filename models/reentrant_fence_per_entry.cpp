// The reentrant lock that counts its fence at each entry: an inner call fences its caller out.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   no inner call uses the resource
//   breaks under  one that does, and no fault: what the caller writes afterwards carries the older
//                 fence, and the resource refuses the only holder
//   source        Redisson 3, RedissonFencedLock: the token is counted on re-entry too

#include "models/reentrant_fenced.h"

namespace locklab {
namespace {

class FencedPerEntry : public ReentrantFenced {
  const Script& enter_script() const override { return kEnterWithFence; }

  static constexpr Script kEnterWithFence = {
      "reentrant-enter-fence",
      "if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 and redis.call('EXISTS', KEYS[1]) == 1 then "
      "return 0 end "
      "redis.call('HINCRBY', KEYS[1], ARGV[1], 1) "
      "redis.call('PEXPIRE', KEYS[1], ARGV[2]) "
      "return redis.call('INCR', KEYS[2])"};
};

}  // namespace

LockInfo reentrant_fence_per_entry() {
  return {.name = "reentrant-fence-per-entry",
          .summary = "as reentrant-fenced, the fence is counted at each entry",
          .source = "Redisson 3, RedissonFencedLock",
          .fenced = true,
          .make = make_lock<FencedPerEntry>,
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
