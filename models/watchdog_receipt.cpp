// A watchdog whose deadline runs from when the reply was read, not from when the renewal was sent.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   replies are as good as immediate
//   breaks under  a reply that lay in a buffer, behind a pause or a slow link: the server's lease
//                 ends first, by as much as the reply was late
//   source        etcd client/v3/lease.go, recvKeepAlive: the deadline is now plus the TTL

#include "models/watchdog.h"

namespace locklab {
namespace {

class ReceiptWatchdog : public Watchdog {
  LocalInstant deadline(Client& client, LocalInstant, const LockRequest& request) const override {
    return client.now() + request.ttl - request.margin;
  }
};

}  // namespace

LockInfo watchdog_receipt() {
  return {.name = "watchdog-receipt",
          .summary = "as watchdog, its deadline counted from the receipt of each reply",
          .source = "etcd client/v3/lease.go, recvKeepAlive",
          .checked = true,
          .renews = true,
          .make = make_lock<ReceiptWatchdog>,
          .breaks = {
              .two_inside =
                  "evict failover flush freeze host-loss node-kill node-pause pause stall suspend",
              .two_claims = "evict failover flush freeze host-loss jump node-kill node-pause pause "
                            "rate stall suspend",
              .harm = "evict failover flush node-kill pause slow stall"}};
}

}  // namespace locklab
