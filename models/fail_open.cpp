// A lock that lets the program in when Redis cannot be asked.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   Redis answers
//   breaks under  an outage, a cut or a lost reply: everybody is let in, and says that it holds
//   source        the common form: `if err != nil { return true } // rather slow than down`

#include "models/set_nx_px.h"

namespace locklab {
namespace {

class FailOpen : public SetNxPx {
 public:
  Acquired acquire(Client& client, const LockRequest& request) override {
    const std::string_view nonce = next_nonce(client);
    const Answer set = client.redis().set(request.key, nonce, {.nx = true, .px = request.ttl});
    if (set.is_nil()) return Acquired::refused();
    return Acquired::lease_of({.key = request.key, .nonce = nonce});
  }
};

}  // namespace

LockInfo fail_open() {
  return {.name = "fail-open",
          .summary = "as set-nx-px; an error counts as an OK",
          .source = "Go: an error of the lock that is logged and passed over",
          .make = make_lock<FailOpen>,
          .breaks = {.two_inside = "cut evict failover flush freeze host-loss jump lost-reply "
                                   "node-kill node-pause pause rate reset slow stall suspend",
                     .two_claims = "cut evict failover flush freeze host-loss jump lost-reply "
                                   "node-kill node-pause pause rate reset slow stall suspend",
                     .harm = "cut evict failover flush freeze host-loss jump lost-reply node-kill "
                             "node-pause pause rate reset slow stall suspend"}};
}

}  // namespace locklab
