// Units: cells, groups of single deviations, then one first deviation at a time.
// SPDX-License-Identifier: Apache-2.0
#include "search/certificate_units.h"

#include <algorithm>

#include "search/strategies/single_deviation.h"
#include "sim/contract.h"
#include "sim/time.h"

namespace locklab {
namespace {

constexpr std::uint64_t kGroup = 64;  // Runs; a few milliseconds.

/// n over k, as far as 64 bits go.
std::uint64_t choose_count(std::uint64_t n, std::uint64_t k) {
  UInt128 count = 1;
  for (std::uint64_t i = 0; i < k; ++i) {
    count = count * (n - std::min(n, i)) / (i + 1);
    if (count > UINT64_MAX) return UINT64_MAX;
  }
  return static_cast<std::uint64_t>(count);
}

}  // namespace

Units::Units(Runner& runner, const Scenario& scenario, const Bound& bound) {
  const std::uint64_t cells = cell_count(bound.phases, scenario.client_count());
  SIM_ASSERT(cells > 0);
  for (std::uint64_t number = 0; number < cells; ++number) {
    Cell cell{PhaseCell(bound.phases, scenario.client_count(), number), {}, groups_, firsts_};
    cell.firsts = single_deviations(runner, scenario, bound, cell.cell);
    groups_ += (cell.firsts.size() + kGroup - 1) / kGroup;
    firsts_ += cell.firsts.size();
    cells_.push_back(std::move(cell));
  }
  count_ = cells;
  const std::uint32_t deepest = deepest_level(bound);
  if (deepest > 0) count_ += groups_ + firsts_ * (deepest - 1);
}

Unit Units::at(std::uint64_t number) const {
  SIM_ASSERT(number < count_);
  if (number < cells_.size()) return {0, number, {}, 1};
  number -= cells_.size();
  if (number < groups_) return of_first_level(number);
  number -= groups_;
  return of_deep_level(static_cast<std::uint32_t>(2 + number / firsts_), number % firsts_);
}

Unit Units::of_first_level(std::uint64_t number) const {
  const auto after =
      std::upper_bound(cells_.begin(), cells_.end(), number,
                       [](std::uint64_t n, const Cell& cell) { return n < cell.groups_before; });
  const Cell& cell = *(after - 1);
  const std::size_t first = (number - cell.groups_before) * kGroup;
  const std::size_t count = std::min<std::size_t>(kGroup, cell.firsts.size() - first);
  return {1, static_cast<std::uint64_t>(after - 1 - cells_.begin()),
          std::span(cell.firsts).subspan(first, count), count};
}

Unit Units::of_deep_level(std::uint32_t level, std::uint64_t number) const {
  const auto after =
      std::upper_bound(cells_.begin(), cells_.end(), number,
                       [](std::uint64_t n, const Cell& cell) { return n < cell.firsts_before; });
  const Cell& cell = *(after - 1);
  const std::size_t first = number - cell.firsts_before;
  // A set's own run meets about what the calm run meets after its first deviation.
  return {level, static_cast<std::uint64_t>(after - 1 - cells_.begin()),
          std::span(cell.firsts).subspan(first, 1),
          1 + choose_count(cell.firsts.size() - first - 1, level - 1)};
}

}  // namespace locklab
