// Budget: how much a search may spend, in steps and bytes; and a way to stop it from outside.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

namespace locklab::linearizability {

struct Budget {
  /// A step is one attempt to put one operation next, and what it takes to get there. The same
  /// history and budget give the same verdict on every machine, unless `stop` speaks.
  std::uint64_t steps = std::numeric_limits<std::uint64_t>::max();
  /// Of memos and states. Twice as much is in use while a table moves.
  std::size_t bytes = std::size_t{1} << 30;
  /// Asked every kStepsBetween steps; true ends the search. May be empty.
  std::function<bool()> stop;

  static constexpr std::uint64_t kStepsBetween = 4096;
};

/// What is left of a budget; one for all searches of a check.
class Meter {
 public:
  explicit Meter(const Budget& budget) : budget_(budget), limit_(budget.steps) {}

  /// False: the search must end and say that it does not know.
  bool step(std::uint64_t cost = 1) {
    if (steps_ >= limit_ || stopped_) return false;
    const std::uint64_t asked = steps_ / Budget::kStepsBetween;
    steps_ += cost;
    if (steps_ / Budget::kStepsBetween != asked) stopped_ = budget_.stop && budget_.stop();
    return true;
  }
  bool has_room(std::size_t bytes) const { return bytes <= budget_.bytes; }

  /// For the next search: at most so many steps more.
  void allow(std::uint64_t steps) {
    const std::uint64_t left = budget_.steps - std::min(steps_, budget_.steps);
    limit_ = steps_ + (steps < left ? steps : left);
  }
  void allow_rest() { limit_ = budget_.steps; }
  std::uint64_t steps() const { return steps_; }
  bool is_spent() const { return stopped_ || steps_ >= budget_.steps; }

 private:
  const Budget& budget_;
  std::uint64_t limit_;
  std::uint64_t steps_ = 0;
  bool stopped_ = false;
};

}  // namespace locklab::linearizability
