// Reentrancy by the id of the trace: a trace that fans out is one owner in many places.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   a trace is one sequential call chain
//   breaks under  a request that fans out into goroutines of one trace: all are granted
//   source        the article's recipe: UUID plus trace id

#include "models/reentrant.h"

namespace locklab {
namespace {

/// The request that a client serves is one trace, however many goroutines serve it.
class TraceIdentity : public SharedIdentity {
  std::string_view identity(Client& client, const LockRequest& request) override {
    return request.token.empty() ? SharedIdentity::identity(client, request) : request.token;
  }
};

}  // namespace

LockInfo reentrant_trace_id() {
  return {.name = "reentrant-trace-id",
          .summary = "as reentrant, the identity is the trace of the request",
          .source = "UUID plus trace id as the owner",
          .make = make_lock<TraceIdentity>,
          .breaks = {.two_inside = "evict failover flush freeze host-loss jump node-kill "
                                   "node-pause pause rate stall suspend",
                     .two_claims = "cut evict failover flush freeze host-loss jump node-kill "
                                   "node-pause pause rate stall suspend",
                     .harm = "cut evict failover flush freeze host-loss jump node-kill node-pause "
                             "pause rate slow stall suspend"}};
}

}  // namespace locklab
