// Levels: all runs without a deviation, and all with a single one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "properties/judge.h"
#include "scenarios/run.h"
#include "search/shrink.h"
#include "search/strategies/bound.h"
#include "search/strategies/strategy.h"

namespace locklab::testing_distance {

/// The smallest run that violates a property, of those that were looked at.
struct Smallest {
  Size size;
  std::uint32_t deviations = 0;
  std::string how;
};

/// Without orders and hosts: "pause of client-1 @ res.before_send".
std::string words_of(const History& history, std::span<const Deviation> choices);

class Levels {
 public:
  explicit Levels(std::vector<Property> properties);

  /// Every cell of a grid of start, poll and work times, and nothing else.
  void calm(const Scenario& scenario);
  /// Each single fault and each single order, in the calm cell.
  void single(const Scenario& scenario, bool every_target);

  /// By property. The fewest deviations count before their size.
  const std::vector<std::optional<Smallest>>& found() const { return found_; }
  std::uint64_t schedules() const { return schedules_; }

 private:
  void run_all(const Scenario& scenario, Strategy& strategy);
  void note(std::size_t property, const Execution& execution);

  Runner runner_;
  Judge judge_;
  std::vector<std::optional<Smallest>> found_;
  std::uint32_t level_ = 0;
  std::uint64_t schedules_ = 0;
};

}  // namespace locklab::testing_distance
