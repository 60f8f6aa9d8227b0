// Bound: what an enumeration enumerates, so that "all schedules within it" means one thing.
// SPDX-License-Identifier: Apache-2.0
//
// docs/certificates.md says each rule in words; search/strategies/alternatives.h carries them out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scenarios/scenario.h"

namespace locklab {

/// How many values of each free dimension are tried, evenly spaced from the base on; 1: the base
/// alone. Together they make a grid: its cells are all combinations.
struct PhasePoints {
  std::uint32_t start = 2;  // Of each client by itself.
  std::uint32_t poll = 2;   // Of all clients alike, as is work.
  std::uint32_t work = 2;
  friend bool operator==(const PhasePoints&, const PhasePoints&) = default;
};

/// Kinds, labels and number of faults that the scenario lets be drawn limit it further.
struct Bound {
  /// Most deviations in one schedule: faults, and orders, which are all other kinds of choice but
  /// the free dimensions.
  std::uint32_t deviations = 2;
  std::uint32_t faults = 2;
  std::uint32_t orders = 0;
  /// A choice with more values than this besides the default is tried at so many, evenly spaced,
  /// the greatest among them.
  std::uint32_t steps = 2;
  /// Whom a fault strikes: everybody that its kind can, or the natural victim of the point alone.
  bool every_target = true;
  PhasePoints phases;
  friend bool operator==(const Bound&, const Bound&) = default;
};

/// The most deviations that a schedule within the bound can have.
std::uint32_t deepest_level(const Bound& bound);

/// One cell of the grid: which value each client takes.
class PhaseCell {
 public:
  PhaseCell() = default;
  /// `number` counts the cells of that many clients, the calm one first.
  PhaseCell(const PhasePoints& points, std::uint32_t clients, std::uint64_t number);

  /// → [0, bound) for a draw of a free dimension by the client, counted from 0. Beyond the last
  /// client stands the probe, which takes the base.
  std::uint64_t value(ChoiceKind kind, std::size_t client, std::uint64_t bound) const;

 private:
  PhasePoints points_{1, 1, 1};
  std::vector<std::uint32_t> starts_;  // One for each client.
  std::uint32_t poll_ = 0;
  std::uint32_t work_ = 0;
};

/// How many cells there are. 0: more than kCellsMost.
std::uint64_t cell_count(const PhasePoints& points, std::uint32_t clients);
constexpr std::uint64_t kCellsMost = 1'000'000;

}  // namespace locklab
