// Every oracle against a lock that is never wrong and one that always is.
// SPDX-License-Identifier: Apache-2.0
#include "tests/controls/controls.h"

#include <algorithm>
#include <cstdio>
#include <map>

#include <gtest/gtest.h>

#include "search/explore.h"
#include "search/shrink.h"

namespace locklab::testing {
namespace {

constexpr std::uint64_t kSchedules = LOCKLAB_SCHEDULES;  // In all.
constexpr std::uint32_t kFaultsMost = 3;

/// The omniscient lock names no nonce by which a server could be asked (the one that does is
/// below), and has no watchdog: that is left to the mended stories, 10,000 seeds each.
constexpr std::string_view kNotPutToTheTest[] = {"lease-safety", "honest-outcome",
                                                 "watchdog-termination"};

Laboratory laboratory_of(const LockInfo& control) {
  Laboratory laboratory;
  laboratory.find = in_place_of_all(control);
  return laboratory;
}

/// What a person needs to look into it: the seed, and the shrunk schedule's reason.
std::string explained(const Scenario& scenario, const SearchResult& result, std::size_t property,
                      const Laboratory& laboratory) {
  const FoundRun& run = *result.first_violations[property];
  const std::string_view name = (*result.properties)[property].name;
  const ShrinkResult shrunk = shrink(scenario, run.choices, name, {}, laboratory);
  return scenario.name + ", seed " + std::to_string(run.seed) + ": " + to_string(shrunk.signature) +
         ": " + shrunk.finding.why;
}

/// Two clients ask for one key.
bool two_contend(const Scenario& scenario) {
  std::uint32_t clients = 0;
  for (const ClientConfig& client : scenario.clients) {
    if (client.key == scenario.clients.front().key) clients += client.count;
  }
  return clients >= 2;
}

/// Of all scenarios: how many schedules put each property to the test.
using Exercised = std::map<std::string_view, std::uint64_t>;

Exercised expect_never_at_fault(const std::vector<Scenario>& scenarios, const LockInfo& control,
                                std::uint64_t schedules) {
  const Laboratory laboratory = laboratory_of(control);
  const std::uint64_t seeds = schedules / scenarios.size() + 1;
  std::uint64_t runs = 0;
  std::uint64_t struck = 0;
  Exercised exercised;
  for (const Scenario& scenario : scenarios) {
    const SearchResult result = explore(scenario, {1, seeds, false}, 1, {}, laboratory);
    runs += result.runs;
    struck += result.runs_with[static_cast<std::size_t>(EventKind::fault_begin)];
    for (const Tally& tally : result.tallies.all())
      exercised[tally.property->name] += tally.exercised_runs;
    for (std::size_t i = 0; i < result.properties->size(); ++i) {
      if (result.first_violations[i]) {
        ADD_FAILURE() << explained(scenario, result, i, laboratory);
      }
    }
  }
  std::printf("  %llu schedules, %llu of them with a fault\n",
              static_cast<unsigned long long>(runs), static_cast<unsigned long long>(struck));
  EXPECT_GE(runs, schedules);
  EXPECT_GT(struck, runs / 2);  // Most schedules do contain a fault.
  return exercised;
}

TEST(OmniscientLock, IsNeverFoundAtFault) {
  expect_never_at_fault(scenarios_with_all_faults(kFaultsMost), omniscient(), kSchedules);
}

TEST(OmniscientLock, IsNeverFoundAtFaultByItsNonceEither) {
  const Exercised exercised = expect_never_at_fault(scenarios_with_client_faults(kFaultsMost),
                                                    omniscient_by_name(), kSchedules / 10);
  for (const std::string_view name : {"lease-safety", "honest-outcome", "no-open-door"})
    EXPECT_GT(exercised.at(name), 0U) << name;
}

TEST(OmniscientLock, LetsClientsInAndIsPutToTheTest) {
  const Laboratory laboratory = laboratory_of(omniscient());
  Exercised exercised;
  for (const Scenario& scenario : scenarios_with_all_faults(1)) {
    if (!two_contend(scenario)) continue;
    SCOPED_TRACE(scenario.name);
    const SearchResult result = explore(scenario, {1, 100, false}, 1, {}, laboratory);
    for (const Tally& tally : result.tallies.all()) {
      // A resource that is pinned to its first holder has no two holds to put in order.
      const bool orders = scenario.world.resource != ResourceMode::eq;
      const bool core = tally.property->name == "double-ownership" ||
                        (tally.property->name == "serializable-effects" && orders) ||
                        tally.property->name == "eventual-release";
      if (core) {
        EXPECT_GT(tally.exercised_runs, 50U) << tally.property->name;
      }
      exercised[tally.property->name] += tally.exercised_runs;
    }
  }
  for (const auto& [name, runs] : exercised) {
    const bool put_to_the_test =
        std::count(std::begin(kNotPutToTheTest), std::end(kNotPutToTheTest), name) == 0;
    EXPECT_EQ(runs > 0, put_to_the_test) << name;
  }
}

TEST(AlwaysGrantingLock, IsCaughtUnderFaultsToo) {
  const Laboratory laboratory = laboratory_of(always_granting());
  for (const Scenario& scenario : scenarios_with_all_faults(kFaultsMost)) {
    if (!two_contend(scenario)) continue;
    SCOPED_TRACE(scenario.name);
    const SearchResult result = explore(scenario, {1, 20, false}, 1, {}, laboratory);
    for (const Tally& tally : result.tallies.all()) {
      const bool sure = tally.property->name == "double-ownership" ||
                        tally.property->name == "claimed-exclusion" ||
                        tally.property->name == "no-open-door" ||
                        tally.property->name == "honest-outcome";
      // A kill or a long pause may leave one client alone; hardly ever in half of the runs.
      if (sure) {
        EXPECT_GT(tally.violated, result.runs / 2) << tally.property->name;
      }
    }
  }
}

TEST(AlwaysGrantingLock, IsCaughtWhereverTwoContend) {
  const Laboratory laboratory = laboratory_of(always_granting());
  for (const Scenario& scenario : scenarios_with_all_faults(0)) {
    if (!two_contend(scenario)) continue;
    SCOPED_TRACE(scenario.name);
    const SearchResult result = explore(scenario, {1, 20, false}, 1, {}, laboratory);
    for (const Tally& tally : result.tallies.all()) {
      if (tally.property->name == "double-ownership" ||
          tally.property->name == "claimed-exclusion") {
        EXPECT_EQ(tally.violated, result.runs) << tally.property->name;
      }
      // It names nonces that nobody stored.
      if (tally.property->name == "no-open-door" || tally.property->name == "honest-outcome") {
        EXPECT_EQ(tally.violated, result.runs) << tally.property->name;
      }
      const bool harm = tally.property->name == "serializable-effects" ||
                        tally.property->name == "no-lost-update";
      if (harm && scenario.world.resource == ResourceMode::none) {
        EXPECT_GT(tally.violated, 0U) << tally.property->name;
      }
    }
  }
}

}  // namespace
}  // namespace locklab::testing
