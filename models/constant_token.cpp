// Compare-and-delete with a token that all clients share: the comparison always agrees.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   every holder releases before its TTL ends
//   breaks under  the same as a blind DEL: a late release removes the next holder's key
//   source        the common form: the host's or the service's name as the value

#include "models/set_nx_px.h"

namespace locklab {
namespace {

class ConstantToken : public SetNxPx {
  std::string_view next_nonce(Client& client) override {
    client.new_nonce();  // An attempt of its own, as every acquire is.
    return "order-service";
  }
};

}  // namespace

LockInfo constant_token() {
  return {.name = "constant-token",
          .summary = "SET NX PX and compare-and-delete, with one token for all clients",
          .source = "the host's name as the lock's value",
          .make = make_lock<ConstantToken>,
          .breaks = {.two_inside = "cut evict failover flush freeze host-loss jump lost-reply "
                                   "node-kill node-pause pause rate reset slow stall suspend",
                     .two_claims = "cut evict failover flush freeze host-loss jump lost-reply "
                                   "node-kill node-pause pause rate reset slow stall suspend",
                     .harm = "cut evict failover flush freeze host-loss jump lost-reply node-kill "
                             "node-pause pause rate reset slow stall suspend"}};
}

}  // namespace locklab
