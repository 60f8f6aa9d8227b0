// A checked lock whose deadline runs from when the OK was read, not from when the SET was sent.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   the reply comes back within the margin
//   breaks under  a reply that lay in a buffer while the process was paused: its key is already
//                 gone
//   source        Kleppmann 2016, "How to do distributed locking": the network packet in the
//                 buffer

#include "models/set_nx_px.h"

namespace locklab {
namespace {

class ReceiptChecked : public SetNxPx {
 public:
  Acquired acquire(Client& client, const LockRequest& request) override {
    Acquired acquired = SetNxPx::acquire(client, request);
    if (acquired.outcome != Outcome::acquired) return acquired;
    acquired.lease.until = client.now() + request.ttl - request.margin;
    return acquired;
  }
};

}  // namespace

LockInfo set_nx_px_receipt() {
  return {.name = "set-nx-px-receipt",
          .summary = "as set-nx-px-checked, its deadline counted from the receipt of the OK",
          .source = "Kleppmann 2016, How to do distributed locking",
          .checked = true,
          .make = make_lock<ReceiptChecked>,
          .breaks = {.two_inside = "evict failover flush freeze host-loss jump node-kill "
                                   "node-pause pause rate stall suspend",
                     .two_claims = "evict failover flush freeze host-loss jump node-kill "
                                   "node-pause pause rate stall suspend",
                     .harm = "cut evict failover flush freeze host-loss jump node-kill node-pause "
                             "pause rate slow stall suspend"}};
}

}  // namespace locklab
