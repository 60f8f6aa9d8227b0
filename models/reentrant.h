// Reentrant: a hash of identity and count, as Redisson keeps it, and what it takes for an identity.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/lock.h"

namespace locklab {

/// HINCRBY in one script: granted when nobody has the hash, or when the field of this identity is
/// there; released when its count is back at zero. Source: Redisson 3, RedissonLock,
/// tryLockInnerAsync and unlockInnerAsync.
class Reentrant : public Lock {
 public:
  Acquired acquire(Client& client, const LockRequest& request) override {
    const std::string_view owner = identity(client, request);
    return entered(client.redis().eval(enter_script(), {request.key},
                                       {owner, client.in_milliseconds(request.ttl)}),
                   request, owner);
  }

  Outcome release(Client& client, const Lease& lease) override {
    const Answer left = client.redis().eval(leave_script(), {lease.key},
                                            {lease.nonce, client.in_milliseconds(ttl_)});
    return outcome_of(left);
  }

 protected:
  /// A fresh one for each call chain, which hands it on to what it calls.
  virtual std::string_view identity(Client& client, const LockRequest& request) {
    return request.token.empty() ? client.new_nonce() : request.token;
  }
  /// `counted`: what the script returned; 0: the lock is somebody else's.
  Acquired entered(const Answer& counted, const LockRequest& request, std::string_view owner) {
    if (counted.is_unknown()) return Acquired::unknown();
    if (counted.is_unreachable() || counted.is_error() || counted.integer() < 1) {
      return Acquired::refused();
    }
    ttl_ = request.ttl;
    return Acquired::lease_of({.key = request.key, .nonce = owner});
  }
  static Outcome outcome_of(const Answer& left) {
    if (left.is_unknown() || left.is_unreachable() || left.is_error()) return Outcome::unknown;
    return left.integer() < 0 ? Outcome::not_held : Outcome::released;
  }
  virtual const Script& enter_script() const { return kEnter; }
  virtual const Script& leave_script() const { return kLeave; }

  static constexpr Script kEnter = {
      "reentrant-enter",
      "if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then "
      "local count = redis.call('HINCRBY', KEYS[1], ARGV[1], 1) "
      "redis.call('PEXPIRE', KEYS[1], ARGV[2]) "
      "return count end "
      "return 0"};
  /// → the count that is left; -1: this identity holds nothing.
  static constexpr Script kLeave = {
      "reentrant-leave",
      "if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return -1 end "
      "local count = redis.call('HINCRBY', KEYS[1], ARGV[1], -1) "
      "if count > 0 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) return count end "
      "redis.call('DEL', KEYS[1]) "
      "return 0"};

  Duration ttl_ = milliseconds(1000);  // Of the last request.
};

/// One identity for the whole process.
class SharedIdentity : public Reentrant {
 public:
  void forget() override { process_ = {}; }

 protected:
  std::string_view identity(Client& client, const LockRequest&) override {
    if (process_.empty()) process_ = client.new_nonce();
    return process_;
  }

 private:
  std::string_view process_;
};

}  // namespace locklab
