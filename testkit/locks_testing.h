// Locks that tests of the testkit put into worlds: a right one, and wrong ones of several kinds.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

#include "models/lock.h"

namespace locklab::testing {

inline constexpr Script kCompareAndDelete = {
    "unlock",
    "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0"};

/// SET NX PX, and a release that asks whose the key is.
class Careful : public Lock {
 public:
  Acquired acquire(Client& client, const LockRequest& request) override {
    const std::string_view token = client.new_nonce();
    const LocalInstant sent = client.now();
    const Answer set = client.redis().set(request.key, token, {.nx = true, .px = request.ttl});
    if (set.is_unknown()) return Acquired::unknown();
    if (!set.is_ok()) return Acquired::refused();
    return Acquired::lease_of(
        {.key = request.key, .nonce = token, .until = sent + request.ttl - request.margin});
  }
  Outcome release(Client& client, const Lease& lease) override {
    const Answer deleted = client.redis().eval(kCompareAndDelete, {lease.key}, {lease.nonce});
    if (deleted.is_unknown()) return Outcome::unknown;
    return deleted.is_integer(1) ? Outcome::released : Outcome::not_held;
  }
};

/// The same, with a release that deletes whatever is there.
class Blind : public Careful {
 public:
  Outcome release(Client& client, const Lease& lease) override {
    const Answer deleted = client.redis().del(lease.key);
    return deleted.is_unknown() ? Outcome::unknown : Outcome::released;
  }
};

/// No base class; everything that a plain lock may say.
class Plain {
 public:
  Plain(Client& client, const LockRequest& request) : client_(client), request_(request) {}
  Outcome acquire() {
    token_ = client_.new_nonce();
    until_ = client_.now() + request_.ttl - request_.margin;
    const Answer set = client_.redis().set(request_.key, token_, {.nx = true, .px = request_.ttl});
    if (set.is_unknown()) return Outcome::unknown;
    return set.is_ok() ? Outcome::acquired : Outcome::refused;
  }
  bool release() {
    return client_.redis().eval(kCompareAndDelete, {request_.key}, {token_}).is_integer(1);
  }
  std::string_view token() const { return token_; }
  LocalInstant until() const { return until_; }

 private:
  Client& client_;
  LockRequest request_;
  std::string_view token_;
  LocalInstant until_;
};

/// As little as a plain lock can say; grants whoever asks.
class Open {
 public:
  Open(Client&, const LockRequest&) {}
  static bool acquire() { return true; }
  static void release() {}
};

/// Waits for a time that no seed decides.
class Moody : public Careful {
 public:
  Acquired acquire(Client& client, const LockRequest& request) override {
    client.sleep_for(milliseconds(std::rand() % 1000));  // NOLINT
    return Careful::acquire(client, request);
  }
};

/// Grows slower with each run of the process, as begin() does not reset it.
class Tiring : public Careful {
 public:
  Acquired acquire(Client& client, const LockRequest& request) override {
    client.sleep_for(milliseconds(++tries_ % 7));
    return Careful::acquire(client, request);
  }

 private:
  int tries_ = 0;
};

class Throwing : public Careful {
 public:
  Acquired acquire(Client&, const LockRequest&) override {
    throw std::runtime_error("the pool is empty");
  }
};

/// Never lets anybody in: nothing puts exclusion to the test.
class Closed : public Careful {
 public:
  Acquired acquire(Client&, const LockRequest&) override { return Acquired::refused(); }
};

/// A variable of the environment, for as long as this object lives.
class Variable {
 public:
  Variable(std::string name, const std::string& value) : name_(std::move(name)) {
    ::setenv(name_.c_str(), value.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { ::unsetenv(name_.c_str()); }  // NOLINT(concurrency-mt-unsafe)

 private:
  std::string name_;
};

}  // namespace locklab::testing
