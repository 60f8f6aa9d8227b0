// A reentrant lock whose acquire is sent again without an answer: counted twice, released once.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   no reply of an acquire is lost
//   breaks under  a lost reply: the count stays at one after the unlock, and the watchdog renews
//                 it for ever
//   source        redisson#1966

#include "models/reentrant.h"
#include "models/watchdog.h"

namespace locklab {
namespace {

class Retried : public Reentrant {
 public:
  Acquired acquire(Client& client, const LockRequest& request) override {
    LockRequest again = request;
    if (again.token.empty()) again.token = client.new_nonce();
    const Acquired acquired = Reentrant::acquire(client, again);
    return acquired.outcome == Outcome::unknown ? Reentrant::acquire(client, again) : acquired;
  }
};

/// Renews for as long as the server counts.
class RetriedWatchdog : public Renewed<Retried> {
 public:
  /// Stops them with the last count, and not before: RedissonBaseLock, unlockAsync0.
  Outcome release(Client& client, const Lease& lease) override {
    const Answer left = client.redis().eval(leave_script(), {lease.key},
                                            {lease.nonce, client.in_milliseconds(ttl_)});
    if (left.is_integer(0) && watch_) stop(*watch_);
    return outcome_of(left);
  }

 private:
  bool is_tied() const override { return false; }
  LocalInstant deadline(Client&, LocalInstant, const LockRequest&) const override {
    return LocalInstant::never();
  }
  Outcome renew(Client& client, const LockRequest& request, const Lease& lease) override {
    const Answer renewed = client.redis().eval(kExtend, {lease.key},
                                               {lease.nonce, client.in_milliseconds(request.ttl)});
    if (renewed.is_integer(1)) return Outcome::renewed;
    return renewed.is_integer(0) ? Outcome::not_held : Outcome::unknown;
  }
  static constexpr Script kExtend = {"reentrant-extend",
                                     "if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then "
                                     "return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end "
                                     "return 0"};
};

}  // namespace

LockInfo reentrant_retried() {
  return {
      .name = "reentrant-retried",
      .summary = "a reentrant watchdog lock; an acquire without an answer is sent again",
      .source = "redisson#1966",
      .renews = true,
      .make = make_lock<RetriedWatchdog>,
      .breaks = {
          .two_inside = "cancel cut evict failover flush freeze host-loss node-kill node-pause "
                        "panic pause slow stall suspend",
          .two_claims = "cancel cut evict failover flush freeze host-loss jump lost-reply "
                        "node-kill node-pause panic pause rate reset slow stall suspend",
          .harm = "cancel cut evict failover flush freeze host-loss node-kill node-pause panic "
                  "pause slow stall suspend",
          .blocked =
              "cancel cut freeze lost-reply node-pause panic pause rate reset slow stall suspend"}};
}

}  // namespace locklab
