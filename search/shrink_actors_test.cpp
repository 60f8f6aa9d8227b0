// Tests of shrinking the world: what takes no part goes, what the failure needs stays.
// SPDX-License-Identifier: Apache-2.0
#include "search/shrink_actors.h"

#include <gmock/gmock.h>

#include "search/search_testing.h"

namespace locklab {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using testing_search::first_violation;
using testing_search::story;

SmallerWorld smaller(const Scenario& scenario, std::string_view property) {
  const ShrinkResult shrunk =
      shrink(scenario, first_violation(scenario, property).choices, property);
  return shrink_actors(scenario, shrunk, property);
}

TEST(ShrinkActors, AThirdClientAndASecondRoundTakeNoPart) {
  const Scenario scenario = story("failover-forgets-lock", {"clients.0.count=3"});

  const SmallerWorld world = smaller(scenario, "double-ownership");

  EXPECT_THAT(world.set, Contains("clients.0.count=2"));
  EXPECT_THAT(world.set, Contains("workload.rounds=1"));
  EXPECT_EQ(world.scenario.client_count(), 2U);
  EXPECT_TRUE(world.shrunk.verified);
  EXPECT_EQ(world.shrunk.deviations_after, 1U);
}

TEST(ShrinkActors, TheReplicaThatTakesOverStays) {
  const SmallerWorld world = smaller(story("failover-forgets-lock"), "double-ownership");
  EXPECT_THAT(world.set, Not(Contains(HasSubstr("topology.replicas"))));
  EXPECT_THAT(world.set, Not(Contains(HasSubstr("clients"))));
}

TEST(ShrinkActors, TheAssignmentsMakeTheSameScenario) {
  const Scenario scenario = story("redlock-clock-jump", {"clients.0.count=3"});
  const SmallerWorld world = smaller(scenario, "double-ownership");
  ASSERT_FALSE(world.set.empty());
  std::vector<std::string> set = {"clients.0.count=3"};
  set.insert(set.end(), world.set.begin(), world.set.end());
  EXPECT_EQ(story("redlock-clock-jump", set).hash, world.scenario.hash);

  const ShrinkResult again = shrink(world.scenario, world.shrunk.choices, "double-ownership");
  EXPECT_EQ(again.digest, world.shrunk.digest);
  EXPECT_TRUE(again.signature.same_failure(world.shrunk.signature));
}

TEST(ShrinkActors, ChangesNothingTheSecondTime) {
  const SmallerWorld once = smaller(story("late-blind-del"), "no-foreign-mutation");
  const SmallerWorld twice = shrink_actors(once.scenario, once.shrunk, "no-foreign-mutation");
  EXPECT_TRUE(twice.set.empty());
  EXPECT_EQ(twice.shrunk.choices, once.shrunk.choices);
}

TEST(ShrinkActors, StaysWithinItsBudget) {
  const Scenario scenario = story("failover-forgets-lock", {"clients.0.count=3"});
  const ShrinkResult shrunk =
      shrink(scenario, first_violation(scenario, "double-ownership").choices, "double-ownership");
  ShrinkOptions options;
  options.budget = 4;
  const SmallerWorld world = shrink_actors(scenario, shrunk, "double-ownership", options);
  EXPECT_LE(world.executions, 4U + 3U + 2U);  // The fit of one more, and the two that verify.
}

}  // namespace
}  // namespace locklab
