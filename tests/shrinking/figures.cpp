// Figures: all cases, twelve failing runs of each.
// SPDX-License-Identifier: Apache-2.0
#include "tests/shrinking/figures.h"

#include "tests/shrinking/cases.h"

namespace locklab::testing {
namespace {

constexpr std::size_t kRuns = 12;
/// Beyond it an optimum counts as unknown: a few seconds for one run.
constexpr std::uint64_t kMostTried = 60'000;

std::string percent(std::uint32_t part, std::uint32_t all) {
  if (all == 0) return "0";
  const std::uint32_t tenths = part * 1000 / all;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

}  // namespace

std::string shrinking_figures() {
  const std::vector<CaseResult> results = measure_cases(SIZE_MAX, kRuns, kMostTried);
  const ShrinkingTotals totals = totals_of(results);
  return shrinking_table(results) +
         "\nEqual to the optimum where it is known: " + std::to_string(totals.equal) + " of " +
         std::to_string(totals.known) + " (" + percent(totals.equal, totals.known) +
         " %), and never more than " + std::to_string(totals.worst_excess) +
         " above. Executions: median " + std::to_string(totals.median_executions) +
         ", 95th percentile " + std::to_string(totals.p95_executions) + ", most " +
         std::to_string(totals.most_executions) +
         ". Shrinking the result again changed nothing in " + std::to_string(totals.idempotent) +
         " of " + std::to_string(totals.runs) + " runs.\n";
}

}  // namespace locklab::testing
