// Measure: one search for each master seed, stopped by its first violation.
// SPDX-License-Identifier: Apache-2.0
#include "tests/strategies/measure.h"

#include <algorithm>

namespace locklab::strategies {
namespace {

constexpr std::uint64_t kMore = UINT64_MAX;

std::uint64_t ranked(const std::vector<std::uint64_t>& sorted, std::uint64_t hundredths) {
  const std::uint64_t value = sorted[(sorted.size() * hundredths + 99) / 100 - 1];
  return value == kMore ? 0 : value;
}

}  // namespace

bool is_enumeration(const StrategyInfo& strategy) {
  return strategy.name == "single" || strategy.name == "deepening";
}

Cell measure(const Case& about, const StrategyInfo& strategy, const Effort& effort) {
  const Laboratory laboratory;
  const std::unique_ptr<Engine> engine = strategy.make(about.scenario, laboratory);
  const std::uint64_t repeats = is_enumeration(strategy) ? 1 : effort.repeats;
  Cell cell;
  std::vector<std::uint64_t> taken;
  std::uint64_t failed = 0;
  for (std::uint64_t master = 0; master < repeats && failed * 2 <= repeats; ++master) {
    const std::uint64_t first = 1 + master * effort.most;
    const Budget budget{first, first + effort.most - 1, true};
    const SearchResult result = explore(about.scenario, budget, 1, {}, laboratory, engine.get());
    cell.schedules += result.runs;
    cell.steps += result.steps;
    taken.push_back(result.unexpected ? result.unexpected->seed - first + 1 : kMore);
    if (!result.unexpected) ++failed;
  }
  taken.resize(repeats, kMore);
  std::sort(taken.begin(), taken.end());
  cell.median = ranked(taken, 50);
  cell.p95 = ranked(taken, 95);
  return cell;
}

Row measure_all(const Case& about, const std::string& name,
                std::span<const StrategyInfo* const> strategies, const Effort& effort) {
  Row row{name, about.property, {}};
  for (const StrategyInfo* const strategy : strategies)
    row.cells.push_back(measure(about, *strategy, effort));
  return row;
}

}  // namespace locklab::strategies
