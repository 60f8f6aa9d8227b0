// Reentrancy without a count: "already mine" is an OK, and the first unlock frees the lock.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   nobody locks what it holds already
//   breaks under  a nested call, and no fault: its unlock deletes the key while the caller goes on
//   source        the common form: GET, compare with the own token, return true

#include "models/set_nx_px.h"

namespace locklab {
namespace {

class NoCount : public SetNxPx {
 public:
  Acquired acquire(Client& client, const LockRequest& request) override {
    if (!request.token.empty()) {
      const Answer stored = client.redis().get(request.key);
      if (stored.text() == request.token) {
        return Acquired::lease_of({.key = request.key, .nonce = request.token});
      }
    }
    return SetNxPx::acquire(client, request);
  }
};

}  // namespace

LockInfo reentrant_no_count() {
  return {.name = "reentrant-no-count",
          .summary = "SET NX PX; a key of one's own is an OK, without counting",
          .source = "GET, compare, return true",
          .make = make_lock<NoCount>,
          .breaks = {.two_inside = "cut evict failover flush freeze host-loss jump node-kill "
                                   "node-pause pause rate stall suspend",
                     .two_claims = "cut evict failover flush freeze host-loss jump node-kill "
                                   "node-pause pause rate slow stall suspend",
                     .harm = "cut evict failover flush freeze host-loss jump node-kill node-pause "
                             "pause rate slow stall suspend"}};
}

}  // namespace locklab
