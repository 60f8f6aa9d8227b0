// A timestamp for a value, compared with the client's own clock and replaced by GETSET.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   all clients' wall clocks agree
//   breaks under  a client whose clock is ahead: it finds a live lock expired and takes it over
//   source        redis.io, SETNX, "Design pattern: Locking with SETNX" (the old documentation)

#include <charconv>
#include <optional>

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

    if (!has_passed(client.redis().get(request.key), now)) return Acquired::refused();
    client.reach(Label::acq_between);
    const Answer replaced = client.redis().command({"GETSET", request.key, until});
    if (replaced.is_unknown()) return Acquired::unknown();
    // Whoever finds the expired value in the reply, or none, has been the first to replace it.
    const bool first = replaced.is_nil() || has_passed(replaced, now);
    return first ? granted(request, until) : Acquired::refused();
  }

  Outcome release(Client& client, const Lease& lease) override {
    // "If it has expired, somebody else may have it": by the client's own clock.
    if (number(lease.nonce).value_or(0) < unix_milliseconds(client.wall_now()))
      return Outcome::not_held;
    return released_by(client.redis().del(lease.key));
  }

 private:
  static Acquired granted(const LockRequest& request, std::string_view until) {
    return Acquired::lease_of({.key = request.key, .nonce = until});
  }
  /// Errors are no times, and neither is what a server did not answer.
  static bool has_passed(const Answer& stored, std::int64_t now) {
    return !stored.is_error() && number(stored.text()).value_or(now) < now;
  }
  static std::optional<std::int64_t> number(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
  }
};

}  // namespace

LockInfo getset_timestamp() {
  return {.name = "getset-timestamp",
          .summary = "SETNX of a time; GETSET when it has passed by the client's clock",
          .source = "redis.io, SETNX, Design pattern: Locking with SETNX",
          .make = make_lock<GetsetTimestamp>,
          .breaks = {.two_inside = "cut evict failover flush freeze host-loss jump node-kill "
                                   "node-pause pause rate slow stall suspend",
                     .two_claims = "cut evict failover flush freeze host-loss jump node-kill "
                                   "node-pause pause rate slow stall suspend",
                     .harm = "cut evict failover flush freeze host-loss jump node-kill node-pause "
                             "pause rate slow stall suspend"}};
}

}  // namespace locklab
