// Lock models: the transition rules, as in Jepsen's suite for Hazelcast.
// SPDX-License-Identifier: Apache-2.0

#include "properties/linearizability/lock_models.h"

#include <algorithm>
#include <array>
#include <vector>

#include "properties/linearizability/word_table.h"

namespace locklab::linearizability {
namespace {

using State = Model::State;

bool is_acquire(const Operation& operation) {
  return operation.function == Function::acquire;
}

class Mutex final : public Model {
 public:
  State initial() const override { return 0; }
  std::optional<State> step(State held, const Operation& operation) override {
    if (operation.result == Result::refused) return held == 1 ? std::optional(held) : std::nullopt;
    if (is_acquire(operation)) return held == 0 ? std::optional<State>(1) : std::nullopt;
    return held == 1 ? std::optional<State>(0) : std::nullopt;
  }
};

/// The owner in the upper half, from 1; how often it has acquired in the lower.
class ReentrantMutex final : public Model {
 public:
  explicit ReentrantMutex(std::uint32_t limit) : limit_(limit) {}

  State initial() const override { return 0; }
  std::optional<State> step(State state, const Operation& operation) override {
    const State owner = state >> kHalf;
    const State depth = state & kLower;
    const State client = State{operation.client} + 1;
    if (!is_acquire(operation)) {
      if (owner != client) return std::nullopt;
      return depth == 1 ? 0 : state - 1;
    }
    const bool may = depth == 0 || (owner == client && depth < limit_);
    if (operation.result == Result::refused) return may ? std::nullopt : std::optional(state);
    if (!may) return std::nullopt;
    return client << kHalf | (depth + 1);
  }

 private:
  static constexpr unsigned kHalf = 32;
  static constexpr State kLower = 0xffffffff;

  std::uint32_t limit_;
};

class FencedMutex final : public Model {
 public:
  explicit FencedMutex(std::uint32_t limit) : limit_(limit) { table_.insert(words_of({})); }

  State initial() const override { return 0; }
  std::optional<State> step(State state, const Operation& operation) override {
    Held held = held_of(table_.at(static_cast<std::uint32_t>(state)));
    const std::uint64_t client = std::uint64_t{operation.client} + 1;
    if (!is_acquire(operation)) {
      if (held.owner != client) return std::nullopt;
      if (--held.depth == 0) held = {0, 0, 0, held.highest};
    } else {
      const bool may = held.depth == 0 || (held.owner == client && held.depth < limit_);
      if (operation.result == Result::refused) return may ? std::nullopt : std::optional(state);
      if (!may || !take_fence(held, operation.fence)) return std::nullopt;
      held.owner = client;
      ++held.depth;
    }
    return table_.insert(words_of(held)).id;
  }
  std::size_t bytes() const override { return table_.bytes(); }

 private:
  struct Held {
    std::uint64_t owner = 0;
    std::uint64_t depth = 0;
    std::int64_t fence = 0;
    std::int64_t highest = 0;
  };
  using Words = std::array<std::uint64_t, 4>;

  static Words words_of(const Held& held) {
    return {held.owner, held.depth, static_cast<std::uint64_t>(held.fence),
            static_cast<std::uint64_t>(held.highest)};
  }
  static Held held_of(std::span<const std::uint64_t> words) {
    return {words[0], words[1], static_cast<std::int64_t>(words[2]),
            static_cast<std::int64_t>(words[3])};
  }
  /// An unknown fence fits anything. A hold's first known one must be new; a later one the same.
  static bool take_fence(Held& held, std::int64_t fence) {
    if (fence == 0) return true;
    if (held.fence != 0) return fence == held.fence;
    if (fence <= held.highest) return false;
    held.fence = fence;
    held.highest = fence;
    return true;
  }

  std::uint32_t limit_;
  WordTable table_;
};

/// The holders in order, a client once for each of its permits.
class Semaphore final : public Model {
 public:
  explicit Semaphore(std::uint32_t permits) : permits_(permits) { table_.insert({}); }

  State initial() const override { return 0; }
  std::optional<State> step(State state, const Operation& operation) override {
    const std::span<const std::uint64_t> holders = table_.at(static_cast<std::uint32_t>(state));
    const bool may = holders.size() < permits_;
    if (operation.result == Result::refused) return may ? std::nullopt : std::optional(state);
    next_.assign(holders.begin(), holders.end());
    const auto place = std::lower_bound(next_.begin(), next_.end(), operation.client);
    if (is_acquire(operation)) {
      if (!may) return std::nullopt;
      next_.insert(place, operation.client);
    } else {
      if (place == next_.end() || *place != operation.client) return std::nullopt;
      next_.erase(place);
    }
    return table_.insert(next_).id;
  }
  std::size_t bytes() const override { return table_.bytes(); }

 private:
  std::uint32_t permits_;
  WordTable table_;
  std::vector<std::uint64_t> next_;
};

}  // namespace

std::unique_ptr<Model> make_mutex() {
  return std::make_unique<Mutex>();
}

std::unique_ptr<Model> make_reentrant_mutex(std::uint32_t limit) {
  return std::make_unique<ReentrantMutex>(limit);
}

std::unique_ptr<Model> make_fenced_mutex(std::uint32_t limit) {
  return std::make_unique<FencedMutex>(limit);
}

std::unique_ptr<Model> make_semaphore(std::uint32_t permits) {
  return std::make_unique<Semaphore>(permits);
}

}  // namespace locklab::linearizability
