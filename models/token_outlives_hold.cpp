// A token that lives in the context: whoever has it is let in, though its hold is long released.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   no context outlives the hold that it was made for
//   breaks under  no fault: a job that was started with the context "re-enters" what is not held,
//                 and nobody asks the server
//   source        Go: ctx = context.WithValue(ctx, tokenKey, token), and no way to take it back

#include "models/set_nx_px.h"

namespace locklab {
namespace {

class TokenOutlivesHold : public SetNxPx {
 public:
  void forget() override { in_context_ = {}; }

  Acquired acquire(Client& client, const LockRequest& request) override {
    if (!in_context_.empty()) {
      return Acquired::lease_of({.key = request.key, .nonce = in_context_});  // Ours already.
    }
    const Acquired acquired = SetNxPx::acquire(client, request);
    if (acquired.outcome == Outcome::acquired) in_context_ = acquired.lease.nonce;
    return acquired;
  }

 private:
  std::string_view in_context_;  // Of the last hold; a release does not reach it.
};

}  // namespace

LockInfo token_outlives_hold() {
  return {
      .name = "token-outlives-hold",
      .summary = "as set-nx-px; a token in the context counts as the lock, held or not",
      .source = "Go: a token in a context.Context",
      .make = make_lock<TokenOutlivesHold>,
      .breaks = {
          .two_inside = "cancel cut evict failover flush freeze host-loss jump kill lag lost-reply "
                        "node-kill node-pause none panic pause rate reset slew slow stall suspend",
          .two_claims = "cancel cut evict failover flush freeze host-loss jump kill lag lost-reply "
                        "node-kill node-pause none panic pause rate reset slew slow stall suspend",
          .harm = "cancel cut evict failover flush freeze host-loss jump kill lag lost-reply "
                  "node-kill node-pause none panic pause rate reset slew slow stall suspend"}};
}

}  // namespace locklab
