// A timestamp for a value; one that has passed is deleted, and then set anew: two commands.
// SPDX-License-Identifier: Apache-2.0
//
//   holds while   every holder releases its lock in time
//   breaks under  two clients that find the same lock expired: the second one deletes what the
//                 first one has set meanwhile
//   source        redis.io, SETNX, "Design pattern: Locking with SETNX" (the old documentation),
//                 which warns of it

#include <charconv>
#include <cstdint>

#include "models/lock.h"

namespace locklab {
namespace {

class SetnxTimestampDel : public Lock {
 public:
  Acquired acquire(Client& client, const LockRequest& request) override {
    client.new_nonce();  // An attempt of its own; the value is a time.
    const std::int64_t now = unix_milliseconds(client.wall_now());
    const std::string_view until =
        client.in_milliseconds(milliseconds(now) + request.ttl + milliseconds(1));
    if (const Answer created = client.redis().setnx(request.key, until); !created.is_integer(0)) {
      return outcome_of(created, request, until);
    }
    const Answer stored = client.redis().get(request.key);
    if (stored.is_error() || number(stored.text()) >= now) return Acquired::refused();
    client.reach(Label::acq_between);
    client.redis().del(request.key);
    return outcome_of(client.redis().setnx(request.key, until), request, until);
  }

  Outcome release(Client& client, const Lease& lease) override {
    // "If it has expired, somebody else may have it": by the client's own clock.
    if (number(lease.nonce) < unix_milliseconds(client.wall_now())) return Outcome::not_held;
    const Answer deleted = client.redis().del(lease.key);
    if (deleted.is_integer(1)) return Outcome::released;
    return deleted.is_integer(0) ? Outcome::not_held : Outcome::unknown;
  }

 private:
  static Acquired outcome_of(const Answer& created, const LockRequest& request,
                             std::string_view until) {
    if (created.is_unknown()) return Acquired::unknown();
    if (!created.is_integer(1)) return Acquired::refused();
    return Acquired::lease_of({.key = request.key, .nonce = until});
  }
  static std::int64_t number(std::string_view text) {
    std::int64_t value = INT64_MAX;  // What is no time has not passed.
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  }
};

}  // namespace

LockInfo setnx_timestamp_del() {
  return {.name = "setnx-timestamp-del",
          .summary = "SETNX of a time; DEL and SETNX when it has passed by the client's clock",
          .source = "redis.io, SETNX, Design pattern: Locking with SETNX",
          .make = make_lock<SetnxTimestampDel>,
          .breaks = {.two_inside = "cut evict failover flush freeze host-loss jump lost-reply "
                                   "node-kill node-pause pause rate reset slow stall suspend",
                     .two_claims = "cut evict failover flush freeze host-loss jump lost-reply "
                                   "node-kill node-pause pause rate reset slow stall suspend",
                     .harm = "cut evict failover flush freeze host-loss jump lost-reply node-kill "
                             "node-pause pause rate reset slow stall suspend"}};
}

}  // namespace locklab
