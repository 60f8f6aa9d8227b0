// The checked lock, then INCR in the same Redis: the later holder may have the lower number.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   nobody is granted the lock between a holder's SET and its INCR, and nothing is
//                 lost
//   breaks under  a pause between the two (the valid holder is fenced out); a failover that loses
//                 the INCR (two holders with one number: harm through the fence)
//   source        the article's fencing example, in two commands

#include "models/incr_fence.h"

namespace locklab {
namespace {

/// Between SET and INCR another holder may come and count first.
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

}  // namespace

LockInfo incr_fence() {
  return {.name = "incr-fence",
          .summary = "as set-nx-px-checked; then a fence by INCR in the same Redis",
          .source = "INCR as a fencing token",
          .checked = true,
          .fenced = true,
          .make = make_lock<IncrFence>,
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
