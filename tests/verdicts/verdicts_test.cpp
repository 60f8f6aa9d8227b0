// Every embedded story: what it breaks is found soon and shrinks small, what it mends stays mended.
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdio>

#include <gtest/gtest.h>

#include "search/replay.h"
#include "search/search_testing.h"
#include "search/shrink.h"
#include "sim/sources.h"
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

/// A story and what mends it.
struct Pair {
  std::string_view broken;
  std::string_view mended;
};
constexpr Pair kPairs[] = {{"crash-between-setnx-and-expire", "crash-after-set-nx-px"},
                           {"late-blind-del", "late-compare-and-delete"},
                           {"pause-outlives-lease", "pause-outlives-lease-fenced"},
                           {"late-write", "late-write-fenced"},
                           {"failover-forgets-lock", "failover-forgets-lock-fenced"},
                           {"redlock-clock-jump", "redlock-clock-jump-fenced"},
                           {"reused-token", "fresh-token"},
                           {"work-outlives-lease", "watchdog-renews"},
                           {"unlock-before-commit", "commit-before-unlock"},
                           {"redlock-wrong-quorum", "redlock-even"},
                           {"reply-in-buffer", "reply-in-buffer-checked"},
                           {"retried-setnx", "retried-set-nx-px"},
                           {"retried-del", "retried-compare-and-delete"},
                           {"unread-reply", "unread-reply-closed"},
                           {"unlock-in-context", "unlock-without-context"},
                           {"retried-unlock", "retried-unlock-latched"},
                           {"inner-call-shortens", "inner-call-lengthens"},
                           {"split-brain", "split-brain-guarded"},
                           {"replica-clock-ahead", "replica-clock-in-step"},
                           {"getset-skewed-clock", "set-nx-px-skewed-clock"},
                           {"late-watchdog", "late-watchdog-awaited"},
                           {"redlock-pause", "redlock-pause-fenced"},
                           {"late-duplicate", "late-duplicate-ordered"}};

TEST(Verdicts, WhatIsMendedHoldsWherePutToTheTest) {
  for (const Pair& pair : kPairs) {
    SCOPED_TRACE(pair.mended);
    const Scenario broken = story(pair.broken);
    const Scenario mended = story(pair.mended);
    int promises = 0;
    const SearchResult result = explore(mended, {1, kSeeds, false});
    for (const Tally& tally : result.tallies.all()) {
      const std::string_view property = tally.property->name;
      if (!is_expected(broken, property, Verdict::violated)) continue;
      if (mended.expect.count(std::string(property)) != 0) continue;
      ++promises;
      EXPECT_EQ(tally.violated, 0U) << property;
      EXPECT_GT(tally.exercised_runs, 0U) << property;
    }
    EXPECT_GT(promises, 0);
  }
}

/// What one set of choices shows with the fence not enforced, and enforced.
class BothWays {
 public:
  explicit BothWays(const Pair& pair) : open_(story(pair.broken)), fenced_(story(pair.mended)) {}

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
  BothWays(kPairs[4]).compare("double-ownership", true);
}

TEST(Verdicts, ALateWriteHarmsWithoutAnyClaimedOverlap) {
  BothWays(kPairs[3]).compare("claimed-exclusion", false);
}

}  // namespace
}  // namespace locklab::testing
