// The reentrant lock that only ever lengthens a lease: an inner call cannot shorten its caller's.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   the holder is done within the longest TTL that its call chain has asked for
//   breaks under  what breaks `reentrant`, but for a nested call with a shorter TTL
//   source        Redis 7, PEXPIRE key milliseconds GT; redisson#5623 on what happens without

#include "models/reentrant.h"

namespace locklab {
namespace {

class Longest : public Reentrant {
  const Script& enter_script() const override { return kEnterLongest; }
  const Script& leave_script() const override { return kLeaveAsIs; }

  static constexpr Script kEnterLongest = {
      "reentrant-enter-longest",
      "if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then "
      "local count = redis.call('HINCRBY', KEYS[1], ARGV[1], 1) "
      "if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then "
      "redis.call('PEXPIRE', KEYS[1], ARGV[2]) end "
      "return count end "
      "return 0"};
  static constexpr Script kLeaveAsIs = {
      "reentrant-leave-as-is",
      "if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return -1 end "
      "local count = redis.call('HINCRBY', KEYS[1], ARGV[1], -1) "
      "if count > 0 then return count end "
      "redis.call('DEL', KEYS[1]) "
      "return 0"};
};

}  // namespace

LockInfo reentrant_longest() {
  return {.name = "reentrant-longest",
          .summary = "as reentrant, an inner call never shortens the lease",
          .source = "Redis, PEXPIRE GT",
          .make = make_lock<Longest>,
          .breaks = {.two_inside = "cut evict failover flush freeze host-loss jump node-kill "
                                   "node-pause pause rate stall suspend",
                     .two_claims = "cut evict failover flush freeze host-loss jump node-kill "
                                   "node-pause pause rate slow stall suspend",
                     .harm = "cut evict failover flush freeze host-loss jump node-kill node-pause "
                             "pause rate slow stall suspend"}};
}

}  // namespace locklab
