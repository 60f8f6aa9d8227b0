// The reentrant lock with a fence counted in its acquiring script, once for the hold.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/incr_fence.h"
#include "models/reentrant.h"

namespace locklab {

/// INCR in the acquiring script. The hash keeps the fence of the hold, and an inner call has that.
/// Source: Hazelcast, FencedLock, which returns the same token to a reentrant acquire.
class ReentrantFenced : public Reentrant {
 public:
  Acquired acquire(Client& client, const LockRequest& request) override {
    const std::string_view owner = identity(client, request);
    const Answer fence = client.redis().eval(enter_script(), {request.key, kFenceKey},
                                             {owner, client.in_milliseconds(request.ttl)});
    Acquired acquired = entered(fence, request, owner);
    if (acquired.outcome == Outcome::acquired) {
      acquired.lease.fence = static_cast<std::uint32_t>(fence.integer());
    }
    return acquired;
  }

 protected:
  const Script& enter_script() const override { return kEnterWithOneFence; }

 private:
  static constexpr Script kEnterWithOneFence = {
      "reentrant-enter-one-fence",
      "local again = redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 "
      "if not again and redis.call('EXISTS', KEYS[1]) == 1 then return 0 end "
      "redis.call('HINCRBY', KEYS[1], ARGV[1], 1) "
      "if not again then redis.call('HSET', KEYS[1], 'fence', redis.call('INCR', KEYS[2])) end "
      "redis.call('PEXPIRE', KEYS[1], ARGV[2]) "
      "return tonumber(redis.call('HGET', KEYS[1], 'fence'))"};
};

}  // namespace locklab
