// The reentrant lock whose steps carry a request id: sent twice, they count once.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   the holder is done within the TTL, whatever is sent again
//   breaks under  what breaks `reentrant`, but for a client that sends again what it has no reply
//                 to
//   source        Redisson 3, RedissonLock, unlockInnerAsync: the latch keeps an unlock's result

#include <string>

#include "models/reentrant.h"

namespace locklab {
namespace {

/// The key of each request keeps its result for as long as a lease: whoever asks again is told.
class Latched : public Reentrant {
 public:
  void forget() override { requests_ = 0; }

  Acquired acquire(Client& client, const LockRequest& request) override {
    const std::string_view owner = identity(client, request);
    const std::string id = next_id(owner);
    return entered(client.redis().eval(kEnterOnce, {request.key, id},
                                       {owner, client.in_milliseconds(request.ttl)}),
                   request, owner);
  }

  Outcome release(Client& client, const Lease& lease) override {
    const std::string id = next_id(lease.nonce);
    return outcome_of(client.redis().eval(kLeaveOnce, {lease.key, id},
                                          {lease.nonce, client.in_milliseconds(ttl_)}));
  }

 private:
  /// Of one request, however often it is sent: the owner's number for it.
  std::string next_id(std::string_view owner) {
    return std::string(owner) + "." + std::to_string(++requests_);
  }

  std::uint32_t requests_ = 0;

  static constexpr Script kEnterOnce = {
      "reentrant-enter-once",
      "local done = redis.call('GET', KEYS[2]) "
      "if done then return tonumber(done) end "
      "if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then "
      "local count = redis.call('HINCRBY', KEYS[1], ARGV[1], 1) "
      "redis.call('PEXPIRE', KEYS[1], ARGV[2]) "
      "redis.call('SET', KEYS[2], count, 'PX', ARGV[2]) "
      "return count end "
      "return 0"};
  static constexpr Script kLeaveOnce = {
      "reentrant-leave-once",
      "local done = redis.call('GET', KEYS[2]) "
      "if done then return tonumber(done) end "
      "if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return -1 end "
      "local count = redis.call('HINCRBY', KEYS[1], ARGV[1], -1) "
      "if count > 0 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) "
      "else redis.call('DEL', KEYS[1]) end "
      "redis.call('SET', KEYS[2], count, 'PX', ARGV[2]) "
      "return count"};
};

}  // namespace

LockInfo reentrant_latched() {
  return {.name = "reentrant-latched",
          .summary = "as reentrant, each step counts once however often it is sent",
          .source = "Redisson 3, RedissonLock, unlock latch",
          .make = make_lock<Latched>,
          .breaks = {.two_inside = "cut evict failover flush freeze host-loss jump node-kill "
                                   "node-pause pause rate stall suspend",
                     .two_claims = "cut evict failover flush freeze host-loss jump node-kill "
                                   "node-pause pause rate slow stall suspend",
                     .harm = "cut evict failover flush freeze host-loss jump node-kill node-pause "
                             "pause rate slow stall suspend"}};
}

}  // namespace locklab
