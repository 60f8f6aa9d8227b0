// Cases: stories of each trap as they are, and some in which anything may strike.
// SPDX-License-Identifier: Apache-2.0
#include "tests/shrinking/cases.h"

#include <algorithm>
#include <cstdio>
#include <set>

#include "search/search_testing.h"
#include "search/token.h"

namespace locklab::testing {
namespace {

constexpr std::uint64_t kSeeds = 3000;  // Failing runs are looked for among these.

Scenario scenario_of(const ShrinkingCase& about) {
  // One round of each client keeps the number of smaller sets within reach.
  Scenario scenario = testing_search::story(about.story, {"workload.rounds=1"});
  if (about.any_faults > 0) scenario = testing_search::with_any_faults(scenario, about.any_faults);
  scenario.expect.clear();
  return scenario;
}

std::vector<Measured> measured_runs(const ShrinkingCase& about, std::size_t runs,
                                    std::uint64_t most_runs) {
  const Scenario scenario = scenario_of(about);
  std::vector<Measured> all;
  for (std::uint64_t seed = 1; seed <= kSeeds && all.size() < runs;) {
    const SearchResult result = explore(scenario, {seed, seed + 99, false});
    const auto& properties = *result.properties;
    const auto wanted =
        std::find_if(properties.begin(), properties.end(), [&about](const Property& property) {
          return property.name == std::string_view(about.property);
        });
    const auto& first =
        result.first_violations[static_cast<std::size_t>(wanted - properties.begin())];
    seed = first ? first->seed + 1 : seed + 100;
    if (first) all.push_back(measure(scenario, about.property, first->choices, most_runs));
  }
  return all;
}

std::uint32_t at_share(const std::vector<std::uint32_t>& sorted, std::size_t percent) {
  if (sorted.empty()) return 0;
  return sorted[std::min(sorted.size() * percent / 100, sorted.size() - 1)];
}

std::string row(const std::string& left, const ShrinkingTotals& totals, std::uint64_t before,
                std::uint64_t after, std::size_t distinct) {
  char text[160];
  std::snprintf(text, sizeof text, "| %s | %u | %llu | %llu | %u | %u | %u | %u | %u | %zu |\n",
                left.c_str(), totals.runs, static_cast<unsigned long long>(before),
                static_cast<unsigned long long>(after), totals.known, totals.equal,
                totals.worst_excess, totals.median_executions, totals.most_executions, distinct);
  return text;
}

}  // namespace

std::vector<ShrinkingCase> shrinking_cases() {
  return {
      {"late-write", "no-lost-update"},
      {"pause-outlives-lease", "double-ownership"},
      {"failover-forgets-lock", "double-ownership"},
      {"crash-between-setnx-and-expire", "no-orphan-key"},
      {"late-blind-del", "no-foreign-mutation"},
      {"retried-del", "no-foreign-mutation"},
      {"get-then-del", "no-foreign-mutation"},
      {"ttl-without-unit", "double-ownership"},
      {"retried-unlock", "reentrancy-balance"},
      {"watchdog-leaks", "watchdog-termination"},
      {"redlock-clock-jump", "double-ownership"},
      {"split-brain", "double-ownership"},
      {"failover-forgets-lock", "honest-outcome"},
      {"incr-fence-failover", "honest-outcome"},
      {"replica-clock-ahead", "honest-outcome"},
      {"fresh-token", "effect-exclusion"},
      {"reused-token", "no-foreign-mutation"},
      {"late-write", "double-ownership", 3},
      {"pause-outlives-lease-fenced", "claimed-exclusion", 3},
      {"failover-forgets-lock", "double-ownership", 3},
      {"crash-after-set-nx-px", "double-ownership", 3},
      {"crash-after-set-nx-px", "lease-safety", 3},
      {"set-nx-px-skewed-clock", "serializable-effects", 3},
      {"calm", "double-ownership", 3},
      {"calm", "no-lost-update", 3},
  };
}

std::size_t CaseResult::distinct() const {
  std::set<std::vector<Deviation>> sets;
  for (const Measured& run : runs)
    sets.insert(normalised(run.choices));
  return sets.size();
}

std::vector<CaseResult> measure_cases(std::size_t cases, std::size_t runs,
                                      std::uint64_t most_runs) {
  std::vector<CaseResult> results;
  for (const ShrinkingCase& about : shrinking_cases()) {
    if (results.size() == cases) break;
    results.push_back({about, measured_runs(about, runs, most_runs)});
  }
  return results;
}

ShrinkingTotals totals_of(const std::vector<CaseResult>& results) {
  ShrinkingTotals totals;
  std::vector<std::uint32_t> executions;
  for (const CaseResult& result : results) {
    for (const Measured& run : result.runs) {
      ++totals.runs;
      executions.push_back(run.executions);
      totals.idempotent += run.idempotent ? 1 : 0;
      if (!run.optimum) continue;
      ++totals.known;
      totals.equal += run.after == *run.optimum ? 1 : 0;
      totals.worst_excess = std::max(totals.worst_excess, run.after - *run.optimum);
    }
  }
  std::sort(executions.begin(), executions.end());
  totals.median_executions = at_share(executions, 50);
  totals.p95_executions = at_share(executions, 95);
  totals.most_executions = executions.empty() ? 0 : executions.back();
  return totals;
}

std::string shrinking_table(const std::vector<CaseResult>& results) {
  std::string out =
      "| story | runs | deviations before | after | optimum known | equal | worst excess | median "
      "executions | most | distinct |\n|---|---|---|---|---|---|---|---|---|---|\n";
  std::uint64_t all_before = 0;
  std::uint64_t all_after = 0;
  std::size_t all_distinct = 0;
  for (const CaseResult& result : results) {
    std::uint64_t before = 0;
    std::uint64_t after = 0;
    for (const Measured& run : result.runs) {
      before += run.before;
      after += run.after;
    }
    const std::string faults = result.about.any_faults == 0 ? "" : ", any faults";
    out += row("`" + std::string(result.about.story) + "`, " + result.about.property + faults,
               totals_of({result}), before, after, result.distinct());
    all_before += before;
    all_after += after;
    all_distinct += result.distinct();
  }
  return out + row("all", totals_of(results), all_before, all_after, all_distinct);
}

}  // namespace locklab::testing
