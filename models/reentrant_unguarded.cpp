// A reentrant lock whose unlock counts down without looking whether the hash is still its own.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   no lease ends before its unlock
//   breaks under  an overrun: HINCRBY -1 creates the hash anew, with -1 and no expiry, for ever
//   source        the unlock script without HEXISTS

#include "models/reentrant.h"

namespace locklab {
namespace {

class Unguarded : public Reentrant {
  const Script& leave_script() const override { return kLeaveUnguarded; }

  static constexpr Script kLeaveUnguarded = {
      "reentrant-leave-unguarded",
      "local count = redis.call('HINCRBY', KEYS[1], ARGV[1], -1) "
      "if count == 0 then redis.call('DEL', KEYS[1]) end "
      "return count"};
};

}  // namespace

LockInfo reentrant_unguarded() {
  return {.name = "reentrant-unguarded",
          .summary = "as reentrant, the unlock does not look whose hash it is",
          .source = "an unlock script without HEXISTS",
          .make = make_lock<Unguarded>,
          .breaks = {.two_inside = "evict failover flush freeze host-loss jump node-kill "
                                   "node-pause pause rate stall suspend",
                     .two_claims = "cut evict failover flush freeze host-loss jump node-kill "
                                   "node-pause pause rate slow stall suspend",
                     .harm = "cut evict failover flush freeze host-loss jump node-kill node-pause "
                             "pause rate slow stall suspend",
                     .blocked = "cut evict failover flush freeze host-loss jump lost-reply "
                                "node-kill node-pause pause rate reset slow stall suspend"}};
}

}  // namespace locklab
