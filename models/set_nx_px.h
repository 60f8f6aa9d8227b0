// The single-instance Redis lock: SET NX PX with a fresh nonce, released by compare-and-delete.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/lock.h"
#include "models/scripts.h"

namespace locklab {

/// Source: redis.io, "Distributed Locks with Redis", "Correct Implementation with a Single
/// Instance".
class SetNxPx : public Lock {
 public:
  Acquired acquire(Client& client, const LockRequest& request) override {
    const std::string_view nonce = next_nonce(client);
    const Answer set = client.redis().set(request.key, nonce, {.nx = true, .px = request.ttl});
    if (set.is_unknown()) return give_up(client, request, nonce);
    if (!set.is_ok()) return Acquired::refused();
    return Acquired::lease_of({.key = request.key, .nonce = nonce});
  }

  Outcome release(Client& client, const Lease& lease) override {
    return released_by(client.redis().eval(scripts::kCompareAndDelete, {lease.key}, {lease.nonce}));
  }

 protected:
  virtual std::string_view next_nonce(Client& client) { return client.new_nonce(); }
  /// The SET may have been executed: takes its key back, and holds nothing either way. The next
  /// attempt has another nonce, so that this late delete cannot hit it.
  static Acquired give_up(Client& client, const LockRequest& request, std::string_view nonce) {
    client.redis().eval(scripts::kCompareAndDelete, {request.key}, {nonce});
    return Acquired::unknown();
  }
};

/// The same, with a deadline that runs from before the SET was sent.
class SetNxPxChecked : public SetNxPx {
 public:
  Acquired acquire(Client& client, const LockRequest& request) override {
    const LocalInstant sent = client.now();  // Before SET: our time is up before the server's.
    Acquired acquired = SetNxPx::acquire(client, request);
    if (acquired.outcome != Outcome::acquired) return acquired;
    acquired.lease.until = sent + request.ttl - request.margin;
    if (valid(client, acquired.lease)) return acquired;
    release(client, acquired.lease);  // The reply came too late to be of use.
    return Acquired::refused();
  }
};

}  // namespace locklab
