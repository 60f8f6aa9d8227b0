// One lock object for two goroutines: the second acquire overwrites the token of the first.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   one goroutine at a time uses the object
//   breaks under  an overrun while another goroutine acquires: the first unlock uses the second
//                 one's token
//   source        redis-py#416: Lock.token, one for all threads

#include "models/set_nx_px.h"

namespace locklab {
namespace {

class SharedHandle : public SetNxPx {
 public:
  void forget() override { token_ = {}; }
  Acquired acquire(Client& client, const LockRequest& request) override {
    const Acquired acquired = SetNxPx::acquire(client, request);
    if (acquired.outcome == Outcome::acquired) token_ = acquired.lease.nonce;
    return acquired;
  }
  Outcome release(Client& client, const Lease& lease) override {
    Lease mine = lease;
    if (!token_.empty()) mine.nonce = token_;
    return SetNxPx::release(client, mine);
  }

 private:
  std::string_view token_;
};

}  // namespace

LockInfo shared_handle() {
  return {.name = "shared-handle",
          .summary = "as set-nx-px, the token is kept in an object that goroutines share",
          .source = "redis-py#416",
          .make = make_lock<SharedHandle>,
          .breaks = {.two_inside = "cut evict failover flush freeze host-loss jump node-kill "
                                   "node-pause pause rate stall suspend",
                     .two_claims = "cut evict failover flush freeze host-loss jump node-kill "
                                   "node-pause pause rate slow stall suspend",
                     .harm = "cut evict failover flush freeze host-loss jump node-kill node-pause "
                             "pause rate slow stall suspend"}};
}

}  // namespace locklab
