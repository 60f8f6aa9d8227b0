// The reentrant lock with a fence counted in its script: once for the hold, or at each entry.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/incr_fence.h"
#include "models/reentrant.h"

namespace locklab {

/// INCR in the acquiring script; an inner call has the fence of its hold, which is the counter's
/// value for as long as nobody else is granted the lock. Source: Hazelcast, FencedLock, which
/// returns the same token to a reentrant acquire.
class ReentrantFenced : public Reentrant {
 public:
  Acquired acquire(Client& client, const LockRequest& request) override {
    const std::string_view owner = identity(client, request);
    const Answer fence = client.redis().eval(fenced_script(), {request.key, kFenceKey},
                                             {owner, client.in_milliseconds(request.ttl)});
    if (fence.is_unknown()) return Acquired::unknown();
    if (fence.is_unreachable() || fence.is_error() || fence.integer() < 1) {
      return Acquired::refused();
    }
    ttl_ = request.ttl;
    return Acquired::lease_of(
        {.key = request.key, .nonce = owner, .fence = static_cast<std::uint32_t>(fence.integer())});
  }

 protected:
  virtual const Script& fenced_script() const { return kEnterWithOneFence; }

 private:
  static constexpr Script kEnterWithOneFence = {
      "reentrant-enter-one-fence",
      "local again = redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 "
      "if not again and redis.call('EXISTS', KEYS[1]) == 1 then return 0 end "
      "redis.call('HINCRBY', KEYS[1], ARGV[1], 1) "
      "redis.call('PEXPIRE', KEYS[1], ARGV[2]) "
      "if again then return tonumber(redis.call('GET', KEYS[2])) end "
      "return redis.call('INCR', KEYS[2])"};
};

/// INCR at each entry.
class FencedPerEntry : public ReentrantFenced {
  const Script& fenced_script() const override { return kEnterWithFence; }

  static constexpr Script kEnterWithFence = {
      "reentrant-enter-fence",
      "if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 and redis.call('EXISTS', KEYS[1]) == 1 then "
      "return 0 end "
      "redis.call('HINCRBY', KEYS[1], ARGV[1], 1) "
      "redis.call('PEXPIRE', KEYS[1], ARGV[2]) "
      "return redis.call('INCR', KEYS[2])"};
};

}  // namespace locklab
