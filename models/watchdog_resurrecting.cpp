// A watchdog whose renewal sets the key again when it is gone: the lock was lost, and never was.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   the key is never gone at a renewal
//   breaks under  a pause beyond the TTL: another holder comes and goes, the renewal finds no key
//                 and sets it anew, and the first holder goes on with what it read before
//   source        redsync v4, WithSetNXOnExtend; redis-semaphore#175; redlock-rb#36

#include "models/watchdog.h"

namespace locklab {
namespace {

constexpr Script kExtendOrSet = {"extend-or-set",
                                 "if redis.call('GET', KEYS[1]) == ARGV[1] then "
                                 "return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end "
                                 "if redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2], 'NX') then "
                                 "return 1 end "
                                 "return 0"};

class ResurrectingWatchdog : public Watchdog {
  LocalInstant deadline(Client&, LocalInstant, const LockRequest&) const override {
    return LocalInstant::never();
  }
  Outcome renew(Client& client, const LockRequest& request, const Lease& lease) override {
    const Answer renewed = client.redis().eval(kExtendOrSet, {lease.key},
                                               {lease.nonce, client.in_milliseconds(request.ttl)});
    return outcome_of(renewed);
  }
};

}  // namespace

LockInfo watchdog_resurrecting() {
  return {
      .name = "watchdog-resurrecting",
      .summary = "a renewal sets the key again when it is gone",
      .source = "redsync v4, WithSetNXOnExtend",
      .renews = true,
      .make = make_lock<ResurrectingWatchdog>,
      .breaks = {.two_inside = "cancel cut evict failover flush freeze host-loss jump node-kill "
                               "node-pause panic pause slow stall suspend",
                 .two_claims = "cancel cut evict failover flush freeze host-loss jump lost-reply "
                               "node-kill node-pause panic pause rate reset slow stall suspend",
                 .harm = "cancel cut evict failover flush freeze host-loss node-kill node-pause "
                         "panic pause slow stall suspend"}};
}

}  // namespace locklab
