// Measure: schedules until the first violation, over many ranges of numbers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "search/strategies/catalogue.h"
#include "tests/strategies/cases.h"

namespace locklab::strategies {

struct Effort {
  std::uint64_t repeats = 50;  // Master seed m searches from number 1 + (m - 1) * most on.
  std::uint64_t most = 2000;   // Schedules; then it has not found it.
};

/// What one strategy took for one case.
struct Cell {
  std::uint64_t median = 0;  // 0: more than the most.
  std::uint64_t p95 = 0;     // The same.
  std::uint64_t schedules = 0;
  std::uint64_t steps = 0;  // Of the kernel, in all of them: what they cost on any machine.
};

/// An enumeration is the same for each master seed, and so is measured once.
bool is_enumeration(const StrategyInfo& strategy);

/// Stops when neither figure can be anything but "more".
Cell measure(const Case& about, const StrategyInfo& strategy, const Effort& effort);

struct Row {
  std::string name;
  std::string property;
  std::vector<Cell> cells;  // One for each strategy.
};
Row measure_all(const Case& about, const std::string& name,
                std::span<const StrategyInfo* const> strategies, const Effort& effort);

}  // namespace locklab::strategies
