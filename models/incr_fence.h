// A fence counted by INCR on the lock's own server, in the lock's script or after it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/set_nx_px.h"

namespace locklab {

constexpr std::string_view kFenceKey = "fence";

/// SET NX PX and INCR in one script: the fence grows in the order of the grants, for as long as the
/// server remembers both. Source: the article's fencing example; Redisson, RFencedLock.
class IncrFenceInScript : public SetNxPx {
 public:
  Acquired acquire(Client& client, const LockRequest& request) override {
    const LocalInstant sent = client.now();
    const std::string_view nonce = client.new_nonce();
    const Answer fence = client.redis().eval(kAcquireWithFence, {request.key, kFenceKey},
                                             {nonce, client.in_milliseconds(request.ttl)});
    if (fence.is_unknown()) return give_up(client, request, nonce);
    if (fence.is_error() || fence.is_unreachable() || fence.integer() <= 0) {
      return Acquired::refused();
    }
    const Lease lease{.key = request.key,
                      .nonce = nonce,
                      .fence = static_cast<std::uint32_t>(fence.integer()),
                      .until = sent + request.ttl - request.margin};
    if (valid(client, lease)) return Acquired::lease_of(lease);
    release(client, lease);
    return Acquired::refused();
  }

 private:
  static constexpr Script kAcquireWithFence = {
      "acquire-with-fence",
      "if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then "
      "return redis.call('INCR', KEYS[2]) end "
      "return 0"};
};

/// INCR in a second command: between the two, another holder may come and count first. → false: it
/// did not count.
inline bool count_fence(Client& client, Lease& lease) {
  client.reach(Label::acq_between);
  const Answer fence = client.redis().incr(kFenceKey);
  if (fence.is_unknown() || fence.is_unreachable() || fence.is_error()) return false;
  lease.fence = static_cast<std::uint32_t>(fence.integer());
  return true;
}

class IncrFence : public SetNxPxChecked {
 public:
  Acquired acquire(Client& client, const LockRequest& request) override {
    Acquired acquired = SetNxPxChecked::acquire(client, request);
    if (acquired.outcome != Outcome::acquired) return acquired;
    if (count_fence(client, acquired.lease) && valid(client, acquired.lease)) return acquired;
    release(client, acquired.lease);
    return Acquired::refused();
  }
};

}  // namespace locklab
