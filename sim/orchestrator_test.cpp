// Orchestrator: when it suspects, whom it promotes, what that loses, and who learns of it when.
// SPDX-License-Identifier: Apache-2.0
#include "sim/orchestrator.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sim/testing.h"

namespace locklab {
namespace {

using testing::at_label;
using testing::at_time;
using testing::Kit;
using testing::replicated_world;

using Times = std::vector<Duration>;

PlannedFault outage(Duration when, FaultKind kind, Duration length,
                    std::string_view node = "redis-1") {
  PlannedFault fault = at_time(when, kind, node);
  fault.length = length;
  fault.restarts = length != Duration::forever();
  return fault;
}

void watch(Kit& kit, Duration length) {
  kit.client([length](Client& client) { client.sleep_for(length); });
}

TEST(Detection, TakesItsDelayAndUpToItsSpreadMoreByChoice) {
  for (const std::uint64_t step : {0U, 16U}) {
    Kit kit(replicated_world(1));
    kit.choices().set(ChoiceKind::detect, step);
    kit.fault(outage(100_ms, FaultKind::node_kill, Duration::forever()));
    watch(kit, 5_s);
    kit.run();
    const Duration expected = step == 0 ? 1100_ms : 1600_ms;
    EXPECT_EQ(kit.times(EventKind::suspected), Times{expected});
    EXPECT_EQ(kit.times(EventKind::promoted, "replica-1"), Times{expected});
    EXPECT_EQ(kit.node(1).role(), redis::Role::primary);
    EXPECT_EQ(&kit.orchestrator().primary(), &kit.node(1));
  }
}

TEST(Detection, LeavesANodeAloneThatIsBackInTime) {
  for (const FaultKind kind : {FaultKind::node_kill, FaultKind::node_pause}) {
    Kit kit(replicated_world(1));
    kit.fault(outage(100_ms, kind, 900_ms));
    watch(kit, 5_s);
    kit.run();
    EXPECT_EQ(kit.count(EventKind::suspected), 0U) << name_of(kind);
    EXPECT_EQ(kit.node(0).role(), redis::Role::primary);
  }
}

TEST(Detection, SuspectsAPausedNodeWhichThenRunsOnAsAZombie) {
  Kit kit(replicated_world(1));
  kit.fault(outage(100_ms, FaultKind::node_pause, 2_s));
  watch(kit, 3_s);
  kit.run_until(3_s);
  EXPECT_EQ(kit.times(EventKind::promoted), Times{1100_ms});
  EXPECT_TRUE(kit.node(0).is_authority());
  EXPECT_TRUE(kit.node(1).is_authority());
}

TEST(Detection, DoesNotAddUpTwoShortOutages) {
  for (const FaultKind kind : {FaultKind::node_kill, FaultKind::node_pause}) {
    Kit kit(replicated_world(1));
    kit.fault(outage(100_ms, kind, 500_ms));
    kit.fault(outage(900_ms, kind, 600_ms));
    watch(kit, 5_s);
    kit.run();
    EXPECT_EQ(kit.count(EventKind::suspected), 0U) << name_of(kind);
  }
}

TEST(Detection, CountsFromTheBeginningOfAnOutageThatIsExtended) {
  Kit kit(replicated_world(1));
  kit.fault(outage(100_ms, FaultKind::node_pause, 600_ms));
  kit.fault(outage(500_ms, FaultKind::node_pause, 1_s));
  kit.fault(outage(900_ms, FaultKind::node_kill, Duration::forever()));
  watch(kit, 5_s);
  kit.run();
  EXPECT_EQ(kit.times(EventKind::suspected), Times{1100_ms});
}

TEST(Detection, IsOffWhenTheScenarioSaysSo) {
  WorldConfig config = replicated_world(1);
  config.topology.failover.automatic = false;
  Kit kit(config);
  kit.fault(outage(100_ms, FaultKind::node_kill, Duration::forever()));
  watch(kit, 5_s);
  kit.run();
  EXPECT_EQ(kit.count(EventKind::suspected) + kit.count(EventKind::promoted), 0U);
}

TEST(Detection, LooksAgainWhileThereIsNobodyToPromote) {
  Kit kit(replicated_world(1));
  kit.fault(outage(50_ms, FaultKind::node_kill, 1500_ms, "replica-1"));
  kit.fault(outage(100_ms, FaultKind::node_kill, Duration::forever()));
  watch(kit, 5_s);
  kit.run();
  EXPECT_EQ(kit.times(EventKind::suspected), (Times{1100_ms, 2100_ms}));
  EXPECT_EQ(kit.times(EventKind::promoted), Times{2100_ms});
}

// --- Promotion
// ------------------------------------------------------------------------------------

TEST(Promotion, LosesWhatTheReplicaHadNotReceived) {
  // Dead before it sent the effect; or alive, and promoted while the effect is on its way.
  for (const FaultKind kind : {FaultKind::node_kill, FaultKind::failover}) {
    const Label label = kind == FaultKind::node_kill ? Label::srv_replied : Label::repl_before_send;
    Kit kit(replicated_world(1));
    PlannedFault fault = at_label(label, kind, 2);
    fault.restarts = false;
    kit.fault(fault);
    kit.client([](Client& client) {
      client.redis().set("first", "v");
      EXPECT_TRUE(client.redis().set("second", "v").is_ok());
      client.sleep_for(2_s);
      EXPECT_EQ(client.redis().get("first").text(), "v");
      EXPECT_TRUE(client.redis().get("second").is_nil());
    });
    kit.run();
    const Record promoted = kit.all(EventKind::promoted, "replica-1").at(0);
    EXPECT_EQ(promoted.arg, 1) << name_of(kind);
    EXPECT_EQ(promoted.epoch, 2U);
    EXPECT_EQ(kit.count(EventKind::effect_applied), 1U);
  }
}

TEST(Promotion, LosesWhatIsOnItsWay) {
  Kit kit(replicated_world(1));
  kit.fault(at_time(7_ms, FaultKind::failover, "redis-1"));
  kit.client([](Client& client) { client.redis().set("k", "v"); });
  kit.run_until(5_s);
  EXPECT_EQ(kit.count(EventKind::effect_sent), 1U);
  EXPECT_EQ(kit.count(EventKind::effect_applied), 0U);
  EXPECT_EQ(kit.all(EventKind::promoted).at(0).arg, 1);
}

/// Whom a failover promotes when replica-1 lags behind replica-2.
std::string promoted_under(std::uint64_t choice) {
  Kit kit(replicated_world(2));
  PlannedFault lag = at_time(0_ms, FaultKind::lag, "replica-1");
  lag.offset = 10_s;
  kit.fault(lag);
  kit.fault(at_time(100_ms, FaultKind::failover, "redis-1"));
  kit.choices().set(ChoiceKind::promote, choice);
  kit.client([](Client& client) { client.redis().set("k", "v"); });
  kit.run_until(1_s);
  return std::string(kit.world().name(kit.all(EventKind::promoted).at(0).who()));
}

TEST(Promotion, TakesTheMostAdvancedReplicaOrAnotherByChoice) {
  EXPECT_EQ(promoted_under(0), "replica-2");
  EXPECT_EQ(promoted_under(1), "replica-1");
  EXPECT_EQ(promoted_under(99), "replica-1");
}

TEST(Promotion, MakesTheOtherReplicasFollow) {
  Kit kit(replicated_world(2));
  kit.fault(at_time(100_ms, FaultKind::failover, "redis-1"));
  kit.client([](Client& client) {
    client.redis().set("old", "v");
    client.sleep_for(200_ms);
    EXPECT_TRUE(client.redis().set("new", "v").is_ok());
  });
  kit.run_until(1_s);
  EXPECT_EQ(kit.times(EventKind::resynced, "replica-2"), Times{105_ms});
  EXPECT_EQ(kit.value_of("new", 2), "v");
  EXPECT_EQ(kit.value_of("new", 0), std::nullopt);
}

TEST(Promotion, PassesOverPausedAndDeadReplicas) {
  Kit kit(replicated_world(3));
  kit.fault(outage(50_ms, FaultKind::node_pause, 1_s, "replica-1"));
  kit.fault(outage(50_ms, FaultKind::node_kill, 1_s, "replica-2"));
  kit.fault(at_time(100_ms, FaultKind::failover, "redis-1"));
  watch(kit, 3_s);
  kit.run_until(3_s);
  EXPECT_EQ(kit.count(EventKind::promoted, "replica-3"), 1U);
  // Both follow the new primary in the end.
  EXPECT_EQ(kit.count(EventKind::resynced, "replica-1"), 1U);
  EXPECT_EQ(kit.all(EventKind::resynced, "replica-2").at(0).arg, kit.actor("replica-3").value);
}

// --- The old primary, and the clients
// -------------------------------------------------------------

TEST(OldPrimary, ServesUntilItIsDemotedAndThenLosesWhatItGranted) {
  Kit kit(replicated_world(1));
  kit.fault(at_time(100_ms, FaultKind::failover, "redis-1"));
  kit.client([](Client& client) {
    client.sleep_for(1_s);
    EXPECT_TRUE(client.redis(0).set("zombie", "v").is_ok());
    EXPECT_TRUE(client.redis(1).set("k", "v").is_ok());
    client.sleep_for(8_s);
    EXPECT_TRUE(client.redis(0).set("zombie", "w").is_error("READONLY"));
    EXPECT_TRUE(client.redis(0).get("zombie").is_nil());
    EXPECT_EQ(client.redis(0).get("k").text(), "v");
    client.redis(1).set("later", "v");
  });
  kit.run();
  EXPECT_EQ(kit.times(EventKind::demoted, "redis-1"), Times{8100_ms});
  EXPECT_EQ(kit.times(EventKind::resynced, "redis-1"), Times{8105_ms});
  EXPECT_EQ(kit.value_of("later", 0), "v");
  EXPECT_EQ(kit.value_of("zombie", 1), std::nullopt);
}

TEST(OldPrimary, ThatComesBackFromTheDeadIsEmptyAndDemotedLater) {
  Kit kit(replicated_world(1));
  kit.fault(outage(100_ms, FaultKind::node_kill, 3_s));
  kit.client([](Client& client) {
    client.redis().set("k", "v");
    client.sleep_for(4_s);
    EXPECT_TRUE(client.redis(0).get("k").is_nil());
    EXPECT_TRUE(client.redis(0).setnx("k", "again").is_integer(1));
    EXPECT_EQ(client.redis().get("k").text(), "v");
  });
  kit.run();
  EXPECT_EQ(kit.times(EventKind::restarted, "redis-1"), Times{3100_ms});
  EXPECT_EQ(kit.times(EventKind::demoted, "redis-1"), Times{11'100_ms});
  EXPECT_EQ(kit.value_of("k", 0), "v");
}

TEST(OldPrimary, IsDemotedOnlyWhenThereIsAPrimaryToFollow) {
  Kit kit(replicated_world(1));
  kit.fault(at_time(100_ms, FaultKind::failover, "redis-1"));
  kit.fault(outage(8_s, FaultKind::node_kill, 900_ms, "replica-1"));
  watch(kit, 20_s);
  kit.run();
  EXPECT_EQ(kit.times(EventKind::demoted, "redis-1"), Times{16'100_ms});
}

TEST(OldPrimary, DoesNotTakeBackAReplicaThatFollowsTheNewOne) {
  Kit kit(replicated_world(2));
  kit.fault(outage(50_ms, FaultKind::node_kill, 1500_ms, "replica-2"));
  kit.fault(outage(100_ms, FaultKind::node_kill, 2_s));
  kit.client([](Client& client) {
    client.redis().set("k", "v");
    client.sleep_for(3_s);
    client.redis().set("new", "v");
  });
  kit.run_until(5_s);
  EXPECT_EQ(kit.times(EventKind::promoted, "replica-1"), Times{1100_ms});
  ASSERT_EQ(kit.count(EventKind::resynced, "replica-2"), 1U);
  EXPECT_EQ(kit.value_of("k", 2), "v");
  EXPECT_EQ(kit.value_of("new", 2), "v");
}

TEST(Clients, LearnOfANewPrimaryEachAtItsOwnMoment) {
  Kit kit(replicated_world(1));
  kit.fault(at_time(100_ms, FaultKind::failover, "redis-1"));
  std::vector<std::string> seen(2);
  for (std::size_t i = 0; i < 2; ++i) {
    kit.client([&seen, i](Client& client) {
      for (const Duration think : {50_ms, 100_ms, 600_ms}) {
        client.sleep_for(think);
        client.redis().set("k", i == 0 ? "1" : "2");
        seen[i] += std::to_string(client.process().primary.value) + " ";
      }
    });
  }
  kit.begin();
  kit.choices().set(ChoiceKind::rediscover, 16, {.actor = kit.actor("client-2")});
  kit.run();
  EXPECT_EQ(kit.times(EventKind::rediscovered, "client-1"), Times{100_ms});
  EXPECT_EQ(kit.times(EventKind::rediscovered, "client-2"), Times{600_ms});
  const std::string old = std::to_string(kit.actor("redis-1").value) + " ";
  const std::string fresh = std::to_string(kit.actor("replica-1").value) + " ";
  EXPECT_EQ(seen[0], old + fresh + fresh);
  EXPECT_EQ(seen[1], old + old + fresh);
}

TEST(Clients, DoNotGoBackToAnOlderPrimaryOfWhichTheyHearLater) {
  WorldConfig config = replicated_world(2);
  config.topology.failover.rediscover_spread = 1_s;
  Kit kit(config);
  kit.fault(at_time(100_ms, FaultKind::failover, "redis-1"));
  kit.fault(at_time(200_ms, FaultKind::failover, "replica-1"));
  std::vector<ActorId> found;
  kit.client([&found](Client& client) {
    client.sleep_for(1500_ms);
    found.push_back(client.process().primary);
  });
  kit.client([](Client&) {});
  kit.begin();
  // The first news takes half a second, the second none.
  for (const char* slow : {"client-1", "probe"})
    kit.choices().set(ChoiceKind::rediscover, 16, {.actor = kit.actor(slow), .nth = 1});
  kit.run_until(2_s);
  EXPECT_EQ(kit.times(EventKind::promoted), (Times{100_ms, 200_ms}));
  EXPECT_EQ(kit.times(EventKind::rediscovered, "client-1"), Times{200_ms});
  EXPECT_EQ(kit.times(EventKind::rediscovered, "client-2"), (Times{100_ms, 200_ms}));
  EXPECT_EQ(found, std::vector<ActorId>{kit.orchestrator().primary().id()});
  EXPECT_EQ(kit.simulation().probe().primary, kit.orchestrator().primary().id());
}

TEST(Clients, ThatAreDeadAtAFailoverStartWithTheNewPrimary) {
  Kit kit(replicated_world(1));
  kit.fault(outage(100_ms, FaultKind::kill, 3_s, "client-1"));
  kit.fault(at_time(200_ms, FaultKind::failover, "redis-1"));
  std::vector<ActorId> found;
  kit.client([&found](Client& client) {
    found.push_back(client.process().primary);
    client.sleep_for(4_s);
  });
  kit.run();
  EXPECT_EQ(found, (std::vector<ActorId>{kit.actor("redis-1"), kit.actor("replica-1")}));
  EXPECT_EQ(kit.simulation().probe().primary, kit.actor("replica-1"));
}

}  // namespace
}  // namespace locklab
