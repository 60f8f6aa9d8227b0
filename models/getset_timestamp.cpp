// A timestamp for a value, compared with the client's own clock and replaced by GETSET.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   all clients' wall clocks agree
//   breaks under  a client whose clock is ahead: it finds a live lock expired and takes it over
//   source        redis.io, SETNX, "Design pattern: Locking with SETNX" (the old documentation)

#include <charconv>

#include "models/lock.h"

namespace locklab {
namespace {

class GetsetTimestamp : public Lock {
 public:
  Acquired acquire(Client& client, const LockRequest& request) override {
    client.new_nonce();  // An attempt of its own; the value is a time.
    const std::int64_t now = unix_milliseconds(client.wall_now());
    const std::string_view until =
        client.in_milliseconds(milliseconds(now) + request.ttl + milliseconds(1));
    const Answer created = client.redis().setnx(request.key, until);
    if (created.is_unknown()) return Acquired::unknown();
    if (created.is_integer(1)) return granted(request, until);

    const Answer stored = client.redis().get(request.key);
    if (stored.text().empty() || number(stored.text()) >= now) return Acquired::refused();
    client.reach(Label::acq_between);
    const Answer replaced = client.redis().command({"GETSET", request.key, until});
    if (replaced.is_unknown()) return Acquired::unknown();
    // Whoever finds the expired value in the reply has been the first to replace it.
    if (!replaced.is_nil() && number(replaced.text()) >= now) return Acquired::refused();
    return granted(request, until);
  }

  Outcome release(Client& client, const Lease& lease) override {
    // "If it has expired, somebody else may have it": by the client's own clock.
    if (number(lease.nonce) < unix_milliseconds(client.wall_now())) return Outcome::not_held;
    const Answer deleted = client.redis().del(lease.key);
    if (deleted.is_unknown()) return Outcome::unknown;
    return deleted.is_integer(1) ? Outcome::released : Outcome::not_held;
  }

 private:
  static Acquired granted(const LockRequest& request, std::string_view until) {
    return Acquired::lease_of({.key = request.key, .nonce = until});
  }
  static std::int64_t number(std::string_view text) {
    std::int64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  }
};

}  // namespace

LockInfo getset_timestamp() {
  return {
      .name = "getset-timestamp",
      .summary = "SETNX of a time; GETSET when it has passed by the client's clock",
      .source = "redis.io, SETNX, Design pattern: Locking with SETNX",
      .make = make_lock<GetsetTimestamp>,
      .breaks = {.two_inside = "cut evict failover flush freeze host-loss jump node-kill "
                               "node-pause pause rate slow stall suspend",
                 .harm = "cut evict failover flush freeze host-loss jump node-kill node-pause "
                         "pause rate slow stall suspend",
                 .blocked = "cancel freeze host-loss jump kill node-pause panic reset suspend"}};
}

}  // namespace locklab
