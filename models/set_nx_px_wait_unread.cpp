// The lock that waits for its replicas and does not look at how many have answered.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   a replica acknowledges in time
//   breaks under  none that does: WAIT returns 0, the caller is let in, and a failover forgets the
//                 lock
//   source        redisson#3994

#include "models/set_nx_px.h"

namespace locklab {
namespace {

class WaitUnread : public SetNxPxChecked {
 public:
  Acquired acquire(Client& client, const LockRequest& request) override {
    const Acquired acquired = SetNxPxChecked::acquire(client, request);
    if (acquired.outcome != Outcome::acquired) return acquired;
    client.reach(Label::acq_between);
    client.redis().wait(1, request.ttl / 10);  // What it says is dropped.
    return acquired;
  }
};

}  // namespace

LockInfo set_nx_px_wait_unread() {
  return {.name = "set-nx-px-wait-unread",
          .summary = "as set-nx-px-wait, without looking at the number of replicas",
          .source = "redisson#3994",
          .checked = true,
          .make = make_lock<WaitUnread>,
          .breaks = {.two_inside = "evict failover flush freeze host-loss jump node-kill "
                                   "node-pause pause rate stall suspend",
                     .two_claims = "evict failover flush freeze host-loss jump node-kill "
                                   "node-pause pause rate stall suspend",
                     .harm = "cut evict failover flush freeze host-loss jump node-kill node-pause "
                             "pause rate slow stall suspend"}};
}

}  // namespace locklab
