// Odds: the rule of three in integers.
// SPDX-License-Identifier: Apache-2.0
#include "reports/odds.h"

#include <algorithm>

#include <fmt/format.h>

namespace locklab {

namespace {

/// Percent in two significant digits, rounded up: "0.3", "8.4", "11".
std::string percent(std::uint64_t ppm) {
  std::uint64_t step = 1;
  while (ppm / step >= 100)
    step *= 10;
  ppm = (ppm + step - 1) / step * step;
  std::string text = fmt::format("{}.{:04}", ppm / 10'000, ppm % 10'000);
  while (text.back() == '0')
    text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

std::string_view name_of(RunCount count) {
  switch (count) {
    case RunCount::fixed_beforehand:
      return "fixed-beforehand";
    case RunCount::stopped_early:
      return "stopped-early";
    case RunCount::not_sampled:
      return "not-sampled";
  }
  return "";
}

RunCount run_count_of(const SearchResult& result) {
  if (!result.sampled) return RunCount::not_sampled;
  return result.complete ? RunCount::fixed_beforehand : RunCount::stopped_early;
}

std::uint64_t upper_bound_ppm(std::uint64_t runs) {
  constexpr std::uint64_t kAll = 1'000'000;
  if (runs == 0) return kAll;
  return std::min<std::uint64_t>(kAll, (3 * kAll + runs - 1) / runs);
}

std::string bound_of_none(std::uint64_t exercised_runs, RunCount count) {
  // Below 30 runs the rule is off by more than its last digit.
  if (count != RunCount::fixed_beforehand || exercised_runs < 30) return {};
  return fmt::format("≤ {} % (95 %)", percent(upper_bound_ppm(exercised_runs)));
}

std::string odds_of_none(std::uint64_t exercised_runs, RunCount count) {
  if (exercised_runs == 0) return "never put to the test: proves nothing";
  const std::string bound = bound_of_none(exercised_runs, count);
  return fmt::format("no violation in {} run{} that put it to the test{}", exercised_runs,
                     exercised_runs == 1 ? "" : "s",
                     bound.empty() ? "" : ": " + bound + " of runs");
}

}  // namespace locklab
