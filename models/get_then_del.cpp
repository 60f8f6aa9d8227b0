// SET NX PX with a nonce, released by GET and then DEL: the check and the delete are two commands.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   the key does not change hands between the two
//   breaks under  an expiry in the gap: the DEL removes the next holder's key
//   source        the article's second try; redis.io, "Distributed Locks with Redis", why a script

#include "models/set_nx_px.h"

namespace locklab {
namespace {

class GetThenDel : public SetNxPx {
 public:
  Outcome release(Client& client, const Lease& lease) override {
    const Answer stored = client.redis().get(lease.key);
    if (stored.is_unknown() || stored.is_unreachable() || stored.is_error())
      return Outcome::unknown;
    if (stored.text() != lease.nonce) return Outcome::not_held;

    client.reach(Label::rel_between_get_del);
    return released_by(client.redis().del(lease.key));
  }
};

}  // namespace

LockInfo get_then_del() {
  return {.name = "get-then-del",
          .summary = "SET NX PX; release by GET, compare, DEL",
          .source = "redis.io, Distributed Locks with Redis",
          .make = make_lock<GetThenDel>,
          .breaks = {.two_inside = "cut evict failover flush freeze host-loss jump lost-reply "
                                   "node-kill node-pause pause rate reset slow stall suspend",
                     .two_claims = "cut evict failover flush freeze host-loss jump lost-reply "
                                   "node-kill node-pause pause rate reset slow stall suspend",
                     .harm = "cut evict failover flush freeze host-loss jump lost-reply node-kill "
                             "node-pause pause rate reset slow stall suspend"}};
}

}  // namespace locklab
