// Tests of the odds: no number promises more than the runs allow.
// SPDX-License-Identifier: Apache-2.0
#include "reports/odds.h"

#include <cmath>

#include <gtest/gtest.h>

namespace locklab {
namespace {

TEST(Odds, NoExercisedRunProvesNothing) {
  EXPECT_EQ(odds_of_none(0, RunCount::fixed_beforehand), "never put to the test: proves nothing");
  EXPECT_EQ(bound_of_none(0, RunCount::fixed_beforehand), "");
}

TEST(Odds, AFixedNumberOfRunsGivesTheRuleOfThree) {
  EXPECT_EQ(odds_of_none(1000, RunCount::fixed_beforehand),
            "no violation in 1000 runs that put it to the test: ≤ 0.3 % (95 %) of runs");
  EXPECT_EQ(bound_of_none(30, RunCount::fixed_beforehand), "≤ 10 % (95 %)");
  EXPECT_EQ(bound_of_none(36, RunCount::fixed_beforehand), "≤ 8.4 % (95 %)");
  EXPECT_EQ(bound_of_none(188, RunCount::fixed_beforehand), "≤ 1.6 % (95 %)");
  EXPECT_EQ(bound_of_none(7'000'000, RunCount::fixed_beforehand), "≤ 0.0001 % (95 %)");
}

TEST(Odds, ASearchThatStoppedEarlyGivesNoBound) {
  EXPECT_EQ(bound_of_none(1000, RunCount::not_sampled), "");
  EXPECT_EQ(odds_of_none(1000, RunCount::stopped_early),
            "no violation in 1000 runs that put it to the test");
}

TEST(Odds, AFewRunsGiveNoBound) {
  EXPECT_EQ(odds_of_none(1, RunCount::fixed_beforehand),
            "no violation in 1 run that put it to the test");
  EXPECT_EQ(bound_of_none(29, RunCount::fixed_beforehand), "");
}

// The exact bound is 1 - 0.05^(1/N): what is printed must never be below it.
TEST(Odds, TheBoundIsNeverBelowTheExactOne) {
  for (const std::uint64_t runs : {30U, 31U, 59U, 100U, 299U, 1000U, 12345U, 1000000U}) {
    const double exact = 1 - std::pow(0.05, 1.0 / static_cast<double>(runs));
    EXPECT_GE(static_cast<double>(upper_bound_ppm(runs)) / 1e6, exact) << runs;
  }
}

}  // namespace
}  // namespace locklab
