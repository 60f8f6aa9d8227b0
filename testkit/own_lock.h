// Own lock: a class of the user as a lock that a world can seat, whatever its shape.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "models/lock.h"

namespace locklab {

/// A lock of the simplest shape: built anew for each attempt from the client and the request. It
/// may also say `token()`, the value that the server stores while it is held; `fence()`; `until()`,
/// the end of its lease by client.now(); and `valid()`, whether the program may act now. Its
/// destructor must send nothing: it may run when the program that it belongs to has ended.
template <class L>
concept PlainLock = !std::derived_from<L, Lock> &&
                    std::constructible_from<L, Client&, const LockRequest&> && requires(L lock) {
  lock.acquire();  // bool, or Outcome: acquired, refused, unknown
  lock.release();  // void, bool, or Outcome: released, not_held, unknown
};

/// What a world needs to know of a lock beside its class; as LockInfo has it.
struct LockTraits {
  bool fenced = false;         // Its leases carry a fencing token.
  bool renews = false;         // A watchdog of its own extends its leases.
  std::uint32_t nodes = 1;     // The fewest independent nodes that make sense for it.
  std::string_view name = {};  // Of tokens and stories; else the class's.
};

namespace testkit {

/// A plain lock as what the simulation seats. Holds that name no token() are given back in the
/// reverse order of their acquire.
template <PlainLock L>
class Adapted final : public Lock {
 public:
  void begin() override { held_.clear(); }
  void forget() override { held_.clear(); }

  Acquired acquire(Client& client, const LockRequest& request) override {
    auto lock = std::make_unique<L>(client, request);
    const Outcome outcome = outcome_of(lock->acquire(), Outcome::acquired, Outcome::refused);
    if (outcome != Outcome::acquired) return {outcome, {}};
    Lease lease;
    lease.key = request.key;
    if constexpr (requires { lock->token(); }) lease.nonce = lock->token();
    if constexpr (requires { lock->fence(); }) lease.fence = lock->fence();
    if constexpr (requires { lock->until(); }) lease.until = lock->until();
    held_.push_back(std::move(lock));
    return Acquired::lease_of(lease);
  }

  Outcome release(Client&, const Lease& lease) override {
    const std::size_t at = find(lease);
    if (at == held_.size()) return Outcome::not_held;
    // Off the list first: a kill may unwind the call below.
    const std::unique_ptr<L> lock = std::move(held_[at]);
    held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(at));
    if constexpr (std::is_void_v<decltype(lock->release())>) {
      lock->release();
      return Outcome::released;
    } else {
      return outcome_of(lock->release(), Outcome::released, Outcome::not_held);
    }
  }

  bool valid(Client& client, const Lease& lease) override {
    if constexpr (requires(L lock) { lock.valid(); }) {
      const std::size_t at = find(lease);
      return at != held_.size() && held_[at]->valid();
    } else {
      return Lock::valid(client, lease);
    }
  }

 private:
  static Outcome outcome_of(bool done, Outcome yes, Outcome no) { return done ? yes : no; }
  static Outcome outcome_of(Outcome outcome, Outcome, Outcome) { return outcome; }

  std::size_t find(const Lease& lease) const {
    for (std::size_t at = held_.size(); at > 0; --at) {
      if constexpr (requires(L lock) { lock.token(); }) {
        if (std::string_view(held_[at - 1]->token()) != lease.nonce) continue;
      }
      return at - 1;
    }
    return held_.size();
  }

  std::vector<std::unique_ptr<L>> held_;
};

template <class L>
constexpr std::string_view spelled_type() {
  return __PRETTY_FUNCTION__;
}
/// "… [with L = {anonymous}::MyLock; …]" → "my-lock": the same from every compiler.
std::string word_of(std::string_view spelled_type);

template <class L>
LockInfo info_of(const LockTraits& traits) {
  static_assert(std::derived_from<L, Lock> || PlainLock<L>,
                "a lock derives from locklab::Lock, or has a constructor from (Client&, const "
                "LockRequest&), acquire() and release()");
  LockInfo info;
  info.name = traits.name;
  info.fenced = traits.fenced;
  info.renews = traits.renews;
  info.nodes = traits.nodes;
  if constexpr (std::derived_from<L, Lock>) {
    info.make = make_lock<L>;
  } else {
    info.make = [] { return std::unique_ptr<Lock>(std::make_unique<Adapted<L>>()); };
  }
  return info;
}

}  // namespace testkit
}  // namespace locklab
