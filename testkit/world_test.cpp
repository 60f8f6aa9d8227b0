// Test worlds: what a test says becomes a scenario, and what it says wrongly is told.
// SPDX-License-Identifier: Apache-2.0
#include "testkit/world.h"

#include <gmock/gmock.h>

#include "testkit/gtest.h"
#include "testkit/locks_testing.h"

namespace locklab {
namespace {

using testing::Blind;
using testing::Careful;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Plain;

std::vector<std::string> algorithms(const TestWorld& world) {
  std::vector<std::string> names;
  const testkit::SharedSetting setting = world.setting();
  for (const ClientConfig& client : setting->scenario.clients)
    names.push_back(client.algorithm);
  return names;
}
std::string problem(const TestWorld& world) {
  return world.setting()->problem;
}

LockInfo info_of(std::string_view name) {
  LockInfo info;
  info.name = name;
  info.make = make_lock<Blind>;
  return info;
}

LOCKLAB_TEST(TestWorlds, AreNamedAfterTheirTest) {
  EXPECT_EQ(world.clients<Careful>(2).setting()->scenario.name,
            "test-worlds-are-named-after-their-test");
}

LOCKLAB_TEST(TestWorlds, HoldWhatWasSaid) {
  TopologyConfig topology;
  topology.replicas = 1;
  WorkloadConfig workload;
  workload.rounds = 3;
  PlannedFault fault;
  fault.kind = FaultKind::pause;
  fault.trigger.at = Instant::origin() + 400_ms;
  fault.target = "client-1";
  fault.length = 2_s;

  const testkit::SharedSetting setting = world.clients<Careful>(2)
                                             .clients<Plain>(1)
                                             .topology(topology)
                                             .workload(workload)
                                             .ttl(500_ms)
                                             .margin(10_ms)
                                             .resource(ResourceMode::cas)
                                             .faults({.of = {FaultKind::kill}, .max = 2})
                                             .fault(fault)
                                             .set("clients.1.key=lock:other")
                                             .setting();

  ASSERT_EQ(setting->problem, "");
  const Scenario& scenario = setting->scenario;
  EXPECT_EQ(scenario.client_count(), 3U);
  EXPECT_EQ(scenario.clients[1].ttl, 500_ms);
  EXPECT_EQ(scenario.clients[0].margin, 10_ms);
  EXPECT_EQ(scenario.clients[1].key, "lock:other");
  EXPECT_EQ(scenario.world.topology.replicas, 1U);
  EXPECT_EQ(scenario.workload.rounds, 3U);
  EXPECT_EQ(scenario.world.resource, ResourceMode::cas);
  EXPECT_TRUE(scenario.world.search.of.has(FaultKind::kill));
  EXPECT_EQ(scenario.world.faults.size(), 1U);
}

LOCKLAB_TEST(TestWorlds, SeatEachLockUnderItsOwnName) {
  world.clients<Careful>(1)
      .clients<Plain>(1)
      .clients<Careful>(1)
      .clients(1, info_of("careful"))
      .clients(1, "set-nx-px")
      .clients(1, info_of("set-nx-px"));

  EXPECT_EQ(problem(world), "");
  EXPECT_THAT(algorithms(world),
              ElementsAre("careful", "plain", "careful", "careful-2", "set-nx-px", "set-nx-px-2"));
}

LOCKLAB_TEST(TestWorlds, HaveAHashThatTellsThemApart) {
  const std::uint64_t hash = world.clients<Careful>(2).setting()->scenario.hash;
  EXPECT_EQ(world.setting()->scenario.hash, hash);
  EXPECT_NE(world.ttl(2_s).setting()->scenario.hash, hash);
}

LOCKLAB_TEST(TestWorlds, BeginWithAStory) {
  world.story("late-write");
  EXPECT_EQ(problem(world), "");
  EXPECT_EQ(world.setting()->scenario.name, "test-worlds-begin-with-a-story");
  EXPECT_FALSE(algorithms(world).empty());

  world.clients<Careful>(2);
  EXPECT_THAT(algorithms(world), ElementsAre("careful"));
  EXPECT_EQ(problem(world), "");
}

LOCKLAB_TEST(TestWorlds, TakePlans) {
  Plan plan;
  plan.faults = plan_of({.of = {FaultKind::pause}});
  plan.deployment = {3, 1, 1, 2};
  plan.lock.ttl = 700_ms;
  const testkit::SharedSetting setting = world.with(plan).clients<Careful>().setting();

  EXPECT_EQ(setting->problem, "");
  EXPECT_EQ(setting->scenario.client_count(), 3U);
  EXPECT_EQ(setting->scenario.clients[0].ttl, 700_ms);
  EXPECT_EQ(setting->scenario.workload.effects, 2U);
  EXPECT_EQ(setting->scenario.world.search.max, 1U);
  // Without faults nothing is left of the kinds: the same world as one that never had any.
  const std::uint64_t hash = world.with(FaultPlan{}).setting()->scenario.hash;
  EXPECT_EQ(hash,
            world.with(plan_of({.of = {FaultKind::kill}, .max = 0})).setting()->scenario.hash);
}

TEST(TestWorldsThatCannotBe, SayWhy) {
  EXPECT_THAT(problem(TestWorld("a")), HasSubstr("no clients"));
  EXPECT_THAT(problem(TestWorld("a").clients<Careful>(0)),
              HasSubstr("count: out of range: 1 to 16"));
  EXPECT_THAT(problem(TestWorld("a").clients<Careful>(17)),
              HasSubstr("count: out of range: 1 to 16"));
  EXPECT_THAT(problem(TestWorld("a").clients<Careful>(2).ttl(10_ms)), HasSubstr("margin"));
  EXPECT_THAT(problem(TestWorld("a").clients<Careful>(2).ttl(Duration())), HasSubstr("1ms"));
  EXPECT_THAT(problem(TestWorld("a").clients<Careful>(2).set("workload.round=3")),
              HasSubstr("did you mean \"rounds\"?"));
  EXPECT_THAT(problem(TestWorld("a").clients<Careful>(2).set("name=b")), HasSubstr("name"));
  EXPECT_THAT(problem(TestWorld("a").story("late-writ")),
              HasSubstr("did you mean \"late-write\"?"));
  EXPECT_THAT(problem(TestWorld("a").story("no/such.json")), HasSubstr("there is no such file"));
  EXPECT_THAT(problem(TestWorld("a").clients(2, "set-nx-pz")), HasSubstr("did you mean"));
  EXPECT_THAT(problem(TestWorld("a").clients(2, LockInfo{})), HasSubstr(".make"));
  EXPECT_THAT(problem(TestWorld("a").clients<Careful>(2).resource(ResourceMode::ge_rw)),
              HasSubstr("issues no fences"));
  EXPECT_THAT(problem(TestWorld("a").clients<Careful>(2).faults({.of = {}})),
              HasSubstr("no kind is listed"));
  EXPECT_THAT(problem(TestWorld("a").clients<Careful>(2, {.nodes = 3})),
              HasSubstr("needs 3 independent nodes"));
}

TEST(TestWorldsThatCannotBe, KeepTheFirstThingThatIsWrong) {
  const TestWorld world =
      TestWorld("a").clients(2, "set-nx-pz").story("late-writ").clients<Careful>(2);
  EXPECT_THAT(problem(world), HasSubstr("set-nx-pz"));
}

TEST(TestWorlds, WithoutAWordInTheirNameAreCalledWorld) {
  EXPECT_EQ(TestWorld("").clients<Careful>(1).setting()->scenario.name, "world");
}

}  // namespace
}  // namespace locklab
