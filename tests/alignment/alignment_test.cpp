// The alignment rate over failing runs, printed by scenario and by kind of choice, with its goal.
// SPDX-License-Identifier: Apache-2.0
#include "tests/alignment/alignment.h"

#include <cstdio>

#include <gtest/gtest.h>

namespace locklab::testing {
namespace {

constexpr std::uint64_t kRunsOfAStory = LOCKLAB_RUNS_OF_A_STORY;
constexpr std::uint64_t kSeedsOfAStory = 20'000;
// What the rate is measured over. One run has about a hundred deviations, which keep their place
// or lose it together, so a story's own rate needs hundreds of runs: the nightly test has them.
constexpr std::uint64_t kRunsLeast = 1'000;
constexpr std::uint64_t kGoalPermille = 950;

void print(const std::string& name, const Share& share, const std::string& runs = {}) {
  std::printf("  %-34s %5.1f %% of %llu%s\n", name.c_str(),
              static_cast<double>(share.permille()) / 10,
              static_cast<unsigned long long>(share.all), runs.c_str());
}

TEST(Alignment, SurvivesTheDeletionOfAnyOneDeviation) {
  const std::vector<Scenario> scenarios = alignment_scenarios();
  Alignment all;
  for (const Scenario& scenario : scenarios) {
    const Alignment one = measure_alignment(scenario, kRunsOfAStory, kSeedsOfAStory);
    print(scenario.name, one.total, " in " + std::to_string(one.runs) + " runs");
    all.add(one);
  }
  for (std::size_t kind = 0; kind < all.by_kind.size(); ++kind) {
    if (all.by_kind[kind].all == 0) continue;
    print(std::string(name_of(static_cast<ChoiceKind>(kind))), all.by_kind[kind]);
  }
  print(std::to_string(all.runs) + " failing runs", all.total);
  EXPECT_GE(all.runs, kRunsLeast);
  EXPECT_GE(all.total.permille(), kGoalPermille);
}

}  // namespace
}  // namespace locklab::testing
