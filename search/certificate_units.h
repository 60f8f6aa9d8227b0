// Units: an enumeration as numbered pieces of work, in an order that nothing but the bound decides.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scenarios/run.h"
#include "search/strategies/path_source.h"

namespace locklab {

/// The sets of one level in one cell that begin with one of a few first deviations.
struct Unit {
  std::uint32_t level = 0;
  std::uint64_t cell = 0;
  std::span<const PathStep> firsts;  // Level 0: none.
  std::uint64_t weight = 0;          // About how many schedules.
};

/// Level by level, in each cell by cell, in each by the first deviation.
class Units {
 public:
  /// Runs every cell's calm schedule once.
  Units(Runner& runner, const Scenario& scenario, const Bound& bound);

  std::uint64_t size() const { return count_; }
  Unit at(std::uint64_t number) const;
  const PhaseCell& cell(std::uint64_t number) const { return cells_[number].cell; }

 private:
  struct Cell {
    PhaseCell cell;
    std::vector<PathStep> firsts;
    std::uint64_t groups_before = 0;  // Units of level 1 in the cells before.
    std::uint64_t firsts_before = 0;  // Units of each deeper level.
  };
  Unit of_first_level(std::uint64_t number) const;
  Unit of_deep_level(std::uint32_t level, std::uint64_t number) const;

  std::vector<Cell> cells_;
  std::uint64_t groups_ = 0;
  std::uint64_t firsts_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace locklab
