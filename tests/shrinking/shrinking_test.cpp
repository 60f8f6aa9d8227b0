// Tests of shrinking against the optimum: a few runs of the short cases.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "search/search_testing.h"
#include "tests/shrinking/cases.h"

namespace locklab::testing {
namespace {

using testing_search::first_violation;
using testing_search::story;

TEST(Shrinking, IsAsSmallAsTheOptimum) {
  const std::vector<CaseResult> results = measure_cases(8, 2, 20'000);
  const ShrinkingTotals totals = totals_of(results);
  EXPECT_GE(totals.runs, 14U);
  EXPECT_EQ(totals.known, totals.runs);
  EXPECT_GE(totals.equal * 10, totals.known * 9);
  EXPECT_LE(totals.worst_excess, 1U);
  EXPECT_EQ(totals.idempotent, totals.runs);
  EXPECT_LT(totals.median_executions, 500U);
}

TEST(Shrinking, TheOptimumIsFoundWhereTheResultIsNotSmall) {
  // A result with something in it that is not needed: the walk must find the smaller set.
  const Scenario scenario = story("late-write", {"workload.rounds=1"});
  const FoundRun found = first_violation(scenario, "no-lost-update");
  const ShrinkResult whole = shrink(scenario, found.choices, "no-lost-update");
  ASSERT_EQ(whole.deviations_after, 1U);
  ShrinkResult swollen = whole;
  swollen.deviations_after = 2;

  const Optimum optimum = optimum_below(scenario, "no-lost-update", swollen, found.choices, 60'000);

  ASSERT_TRUE(optimum.deviations.has_value());
  EXPECT_EQ(*optimum.deviations, 1U);
}

TEST(Shrinking, AnOptimumThatWouldTakeTooLongIsUnknown) {
  const Scenario scenario = story("late-write", {"workload.rounds=1"});
  const FoundRun found = first_violation(scenario, "no-lost-update");
  ShrinkResult swollen = shrink(scenario, found.choices, "no-lost-update");
  swollen.deviations_after = 3;
  swollen.signature.property = "no-stale-write";  // No set of choices ever matches it.

  const Optimum optimum = optimum_below(scenario, "no-lost-update", swollen, found.choices, 500);

  EXPECT_FALSE(optimum.deviations.has_value());
  EXPECT_GE(optimum.tried, 500U);
}

TEST(Shrinking, ManySeedsOfOneBugComeToFewTokens) {
  // Twelve failing runs; before faults were moved they came to seven and more.
  const std::vector<CaseResult> results = measure_cases(3, 12, 1);
  for (const CaseResult& result : results) {
    SCOPED_TRACE(result.about.story);
    EXPECT_EQ(result.runs.size(), 12U);
    EXPECT_LE(result.distinct(), 6U);
  }
}

}  // namespace
}  // namespace locklab::testing
