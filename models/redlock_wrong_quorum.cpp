// Redlock with half of the nodes for a quorum.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   one client asks at a time
//   breaks under  nothing at all is needed: with 4 nodes two clients get two votes each
//   source        spec of the quorum: floor(N/2) + 1; the miscount N/2 of an even N

#include "models/redlock.h"

namespace locklab {
namespace {

class WrongQuorum : public Redlock {
  std::size_t quorum(std::size_t nodes) const override { return nodes / 2; }
};

}  // namespace

LockInfo redlock_wrong_quorum() {
  return {
      .name = "redlock-wrong-quorum",
      .summary = "as redlock, with N/2 votes for a quorum",
      .source = "floor(N/2) + 1 misread",
      .checked = true,
      .nodes = 3,
      .make = make_lock<WrongQuorum>,
      .breaks = {
          .two_inside = "cancel cut evict failover flush freeze host-loss jump kill lag lost-reply "
                        "node-kill node-pause none panic pause rate reset slew slow stall suspend",
          .two_claims = "cancel cut evict failover flush freeze host-loss jump kill lag lost-reply "
                        "node-kill node-pause none panic pause rate reset slew slow stall suspend",
          .harm = "cancel cut evict failover flush freeze host-loss jump kill lag lost-reply "
                  "node-kill node-pause none panic pause rate reset slew slow stall suspend"}};
}

}  // namespace locklab
