// One token for all attempts of a call: a delayed delete of a failed attempt frees a later one.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   no attempt's reply is late
//   breaks under  a slow command: the attempt times out and sends its delete, a retry with the
//                 same token succeeds, and then the delete arrives
//   source        redsync v4, mutex.go, lockContext: genValue once, before the loop of tries

#include "models/set_nx_px.h"

namespace locklab {
namespace {

class ReusedToken : public SetNxPx {
 public:
  void forget() override { token_ = {}; }
  Outcome release(Client& client, const Lease& lease) override {
    token_ = {};  // The next call of Lock makes another.
    return SetNxPx::release(client, lease);
  }

 private:
  std::string_view next_nonce(Client& client) override {
    if (token_.empty()) token_ = client.new_nonce();
    return token_;
  }
  std::string_view token_;
};

}  // namespace

LockInfo reused_token() {
  return {.name = "reused-token",
          .summary = "SET NX PX and compare-and-delete, one token for all attempts of a call",
          .source = "redsync v4, mutex.go, lockContext",
          .make = make_lock<ReusedToken>,
          .breaks = {.two_inside = "cut evict failover flush freeze host-loss jump node-kill "
                                   "node-pause pause rate slow stall suspend",
                     .two_claims = "cut evict failover flush freeze host-loss jump node-kill "
                                   "node-pause pause rate slow stall suspend",
                     .harm = "cut evict failover flush freeze host-loss jump node-kill node-pause "
                             "pause rate slow stall suspend"}};
}

}  // namespace locklab
