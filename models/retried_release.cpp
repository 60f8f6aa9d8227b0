// A release that is sent again when its reply is lost, and believes the second answer.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   no reply of a release is lost
//   breaks under  a lost reply: the key was deleted, the retry finds nothing, and the caller hears
//                 "not held"
//   source        redisson#6651

#include "models/set_nx_px.h"

namespace locklab {
namespace {

class RetriedRelease : public SetNxPxChecked {
 public:
  Outcome release(Client& client, const Lease& lease) override {
    const Outcome first = SetNxPxChecked::release(client, lease);
    return first == Outcome::unknown ? SetNxPxChecked::release(client, lease) : first;
  }
};

}  // namespace

LockInfo retried_release() {
  return {.name = "retried-release",
          .summary = "as set-nx-px-checked, a release without an answer is sent again",
          .source = "redisson#6651",
          .checked = true,
          .make = make_lock<RetriedRelease>,
          .breaks = {.two_inside = "evict failover flush freeze host-loss jump node-kill "
                                   "node-pause pause rate stall suspend",
                     .two_claims = "evict failover flush freeze host-loss jump node-kill "
                                   "node-pause pause rate stall suspend",
                     .harm = "cut evict failover flush freeze host-loss jump node-kill node-pause "
                             "pause rate slow stall suspend"}};
}

}  // namespace locklab
