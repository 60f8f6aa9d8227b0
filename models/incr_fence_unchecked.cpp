// INCR in a second command, and no deadline: whoever is late gets the higher number.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   nobody is granted the lock between a holder's SET and its INCR
//   breaks under  a pause between the two: the holder that is too late fences the valid one out
//   source        the common form: lock, then INCR

#include "models/incr_fence.h"

namespace locklab {
namespace {

class IncrFenceUnchecked : public SetNxPx {
 public:
  Acquired acquire(Client& client, const LockRequest& request) override {
    Acquired acquired = SetNxPx::acquire(client, request);
    if (acquired.outcome == Outcome::acquired && !count_fence(client, acquired.lease)) {
      release(client, acquired.lease);
      return Acquired::refused();
    }
    return acquired;
  }
};

}  // namespace

LockInfo incr_fence_unchecked() {
  return {.name = "incr-fence-unchecked",
          .summary = "as incr-fence, the client looks at no deadline",
          .source = "INCR as a fencing token",
          .fenced = true,
          .make = make_lock<IncrFenceUnchecked>,
          .breaks = {
              .two_inside = "evict failover flush freeze host-loss jump node-kill node-pause pause "
                            "rate stall suspend",
              .two_claims = "cut evict failover flush freeze host-loss jump node-kill node-pause "
                            "pause rate slow stall suspend",
              .harm = "cut evict failover flush freeze host-loss jump node-kill node-pause pause "
                      "rate slow stall suspend",
              .fenced_harm = "evict failover flush freeze host-loss node-kill node-pause suspend"}};
}

}  // namespace locklab
