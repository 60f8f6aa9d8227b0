// Every embedded story: what it breaks is found soon and shrinks small, what it mends stays mended.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "search/replay.h"
#include "search/search_testing.h"
#include "search/shrink.h"
#include "sim/sources.h"
#include "tests/traps/table.h"
#include "tests/verdicts/seeds.h"

namespace locklab::testing {
namespace {

using testing_search::all_stories;
using testing_search::first_violation;
using testing_search::story;

constexpr std::uint64_t kSeeds = LOCKLAB_SEEDS;  // For what must hold.
constexpr std::uint32_t kDeviationsMost = 3;

bool is_expected(const Scenario& scenario, std::string_view property, Verdict verdict) {
  const auto found = scenario.expect.find(std::string(property));
  return found != scenario.expect.end() && found->second == verdict;
}

TEST(Verdicts, WhatAStoryBreaksIsFoundSoonAndShrinksSmall) {
  std::printf("  %-32s %-22s %5s %7s %10s %7s\n", "story", "breaks", "seed", "choices",
              "deviations", "shrunk in");
  int broken = 0;
  for (const Scenario& scenario : all_stories()) {
    const SearchResult result = explore(scenario, {1, kSeedsToFind, false});
    for (std::size_t i = 0; i < result.properties->size(); ++i) {
      const std::string_view property = (*result.properties)[i].name;
      if (!is_expected(scenario, property, Verdict::violated)) continue;
      ++broken;
      ASSERT_TRUE(result.first_violations[i]) << scenario.name << ": " << property;
      const FoundRun& found = *result.first_violations[i];
      const ShrinkResult shrunk = shrink(scenario, found.choices, property);
      EXPECT_TRUE(shrunk.reproduced && shrunk.minimal && shrunk.verified) << scenario.name;
      EXPECT_LE(shrunk.deviations_after, kDeviationsMost) << scenario.name << ": " << property;
      std::printf("  %-32s %-22s %5llu %7u %10u %7u\n", scenario.name.c_str(),
                  std::string(property).c_str(), static_cast<unsigned long long>(found.seed),
                  shrunk.deviations_before, shrunk.deviations_after, shrunk.executions);
    }
  }
  EXPECT_GE(broken, 6);
}

TEST(Verdicts, WhatAStoryPromisesHolds) {
  for (const Scenario& scenario : all_stories()) {
    SCOPED_TRACE(scenario.name);
    const SearchResult result = explore(scenario, {1, kSeeds, false});
    EXPECT_TRUE(result.complete);
    for (const Tally& tally : result.tallies.all()) {
      const std::string_view property = tally.property->name;
      if (is_expected(scenario, property, Verdict::violated)) continue;
      if (is_expected(scenario, property, Verdict::unknown)) continue;  // No promise.
      EXPECT_EQ(tally.violated, 0U) << property;
      EXPECT_EQ(tally.unknown, 0U) << property;
    }
  }
}

/// What mends a story, and the stories that it mends (docs/traps.md).
std::map<std::string, std::set<std::string>> mends() {
  std::map<std::string, std::set<std::string>> mends;
  for (const testing_traps::Row& row : testing_traps::rows()) {
    for (const std::string& mended : row.mended)
      mends[mended].insert(row.shown.begin(), row.shown.end());
  }
  return mends;
}

bool renews(const Scenario& scenario) {
  return std::any_of(
      scenario.clients.begin(), scenario.clients.end(),
      [](const ClientConfig& client) { return find_lock(client.algorithm)->renews; });
}

/// Each property that a story breaks, and that what mends it promises: looked at, and kept.
void expect_mended(const Scenario& broken, const Scenario& mended, const SearchResult& result) {
  int promises = 0;
  int breaks = 0;
  for (const Tally& tally : result.tallies.all()) {
    const std::string_view property = tally.property->name;
    if (!is_expected(broken, property, Verdict::violated)) continue;
    ++breaks;
    if (mended.expect.count(std::string(property)) != 0) continue;
    if (property == "watchdog-termination" && !renews(mended)) continue;  // It has no watchdog.
    ++promises;
    EXPECT_EQ(tally.violated, 0U) << property;
    EXPECT_GT(tally.exercised_runs, 0U) << property;
  }
  // What only the resource's refusals show is broken by no property (tests/traps).
  EXPECT_GT(promises, breaks > 0 ? 0 : -1);
}

TEST(Verdicts, WhatIsMendedHoldsWherePutToTheTest) {
  const auto all = mends();
  EXPECT_GE(all.size(), 38U);
  for (const auto& [name, shown] : all) {
    const Scenario mended = story(name);
    const SearchResult result = explore(mended, {1, kSeeds, false});
    for (const std::string& broken : shown) {
      SCOPED_TRACE(broken + ", mended: " + name);
      expect_mended(story(broken), mended, result);
    }
  }
}

/// What one set of choices shows with the fence not enforced, and enforced.
class BothWays {
 public:
  BothWays(std::string_view open, std::string_view fenced)
      : open_(story(open)), fenced_(story(fenced)) {}

  void compare(std::string_view exposure, bool exposed) {
    const FoundRun found = first_violation(open_, "serializable-effects");
    source_.load(found.choices);
    const Findings without = judge(open_);
    source_.load(found.choices);
    const Findings with = judge(fenced_);
    EXPECT_EQ(violated(without, "serializable-effects"), true);
    EXPECT_EQ(violated(without, exposure), exposed) << exposure;
    EXPECT_EQ(violated(with, exposure), exposed) << exposure;
    for (const std::string_view harm : {"serializable-effects", "no-lost-update"}) {
      EXPECT_FALSE(violated(with, harm)) << harm;
    }
  }

 private:
  using Findings = std::vector<NamedFinding>;
  Findings judge(const Scenario& scenario) {
    const auto findings = judge_.judge(*runner_.run(scenario, source_).history);
    return {findings.begin(), findings.end()};
  }
  static bool violated(const Findings& findings, std::string_view property) {
    for (const NamedFinding& named : findings) {
      if (named.property->name == property) return named.finding.verdict == Verdict::violated;
    }
    ADD_FAILURE() << "not judged: " << property;
    return false;
  }

  Scenario open_;
  Scenario fenced_;
  Runner runner_;
  Judge judge_{all_properties()};
  ReplaySource source_;
};

TEST(Verdicts, AFenceLeavesTwoInsideAfterAFailoverAndHarmsNobody) {
  BothWays("failover-forgets-lock", "failover-forgets-lock-fenced")
      .compare("double-ownership", true);
}

TEST(Verdicts, ALateWriteHarmsWithoutAnyClaimedOverlap) {
  BothWays("late-write", "late-write-fenced").compare("claimed-exclusion", false);
}

}  // namespace
}  // namespace locklab::testing
