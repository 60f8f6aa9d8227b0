// The checked lock that uses its key only when enough replicas have acknowledged it.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   one of those that have acknowledged is promoted, with its data
//   breaks under  the promotion of another replica, or of one that has lost what it acknowledged:
//                 an acknowledgement is from memory, and votes for nothing
//   source        Redis, WAIT: "WAIT does not make Redis a strongly consistent store"

#include "models/set_nx_px.h"

namespace locklab {
namespace {

constexpr std::uint32_t kReplicas = 1;

class Waited : public SetNxPxChecked {
 public:
  Acquired acquire(Client& client, const LockRequest& request) override {
    Acquired acquired = SetNxPxChecked::acquire(client, request);
    if (acquired.outcome != Outcome::acquired) return acquired;
    client.reach(Label::acq_between);
    const Answer copies = client.redis().wait(kReplicas, request.ttl / 10);
    const bool counted = !copies.is_unknown() && !copies.is_unreachable() && !copies.is_error();
    if (counted && copies.integer() >= std::int64_t{kReplicas} && valid(client, acquired.lease))
      return acquired;
    release(client, acquired.lease);
    return Acquired::refused();
  }
};

}  // namespace

LockInfo set_nx_px_wait() {
  return {
      .name = "set-nx-px-wait",
      .summary = "as set-nx-px-checked; then WAIT for one replica",
      .source = "Redis, WAIT",
      .checked = true,
      .make = make_lock<Waited>,
      .breaks = {
          .two_inside = "evict flush freeze host-loss jump node-kill pause rate stall suspend",
          .two_claims = "evict flush freeze host-loss jump node-kill pause rate stall suspend",
          .harm = "cut evict flush freeze host-loss jump node-kill pause rate slow stall suspend",
          .blocked = "host-loss node-kill"}};
}

}  // namespace locklab
