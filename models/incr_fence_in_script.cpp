// The lock and its INCR fence in one script: in grant order, and forgotten together.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   the server forgets nothing; then ge_rw lets no harm through
//   breaks under  a failover or a restart that loses the INCR: two holders have the same number,
//                 and the resource accepts both
//   source        Redisson, RFencedLock; Kleppmann 2016 on what a fence needs

#include "models/incr_fence.h"

namespace locklab {
namespace {

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

}  // namespace

LockInfo incr_fence_in_script() {
  return {.name = "incr-fence-in-script",
          .summary = "SET NX PX and INCR in one script; compare-and-delete",
          .source = "Redisson, RFencedLock",
          .checked = true,
          .fenced = true,
          .make = make_lock<IncrFenceInScript>,
          .breaks = {
              .two_inside = "evict failover flush freeze host-loss jump node-kill node-pause pause "
                            "rate stall suspend",
              .two_claims = "evict failover flush freeze host-loss jump node-kill node-pause pause "
                            "rate stall suspend",
              .harm = "cut evict failover flush freeze host-loss jump node-kill node-pause pause "
                      "rate slow stall suspend",
              .fenced_harm = "evict failover flush freeze host-loss node-kill node-pause suspend"}};
}

}  // namespace locklab
