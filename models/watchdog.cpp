// The watchdog lock as it should be: tied to its context, told of loss, bounded by a deadline.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   one renewal in three gets through; a dead worker's lease ends within the TTL
//   breaks under  what the server forgets or mistimes (failover, jump, flush): two inside, until
//                 the next renewal is refused; a pause between check and write: harm without a
//                 fence
//   source        Redisson 3, RedissonBaseLock; Go, package context

#include "models/watchdog.h"

namespace locklab {

LockInfo watchdog() {
  return {
      .name = "watchdog",
      .summary = "renewed at TTL/3 by compare-and-expire, in the caller's context",
      .source = "Redisson 3, RedissonBaseLock; Go, package context",
      .checked = true,
      .renews = true,
      .make = make_lock<Watchdog>,
      .breaks = {
          .two_inside = "evict failover flush freeze host-loss node-kill node-pause pause suspend",
          .two_claims =
              "evict failover flush freeze host-loss jump node-kill node-pause pause rate suspend",
          .harm = "evict failover flush node-kill pause slow"}};
}

}  // namespace locklab
