// Persistence: what a node finds when it starts again, and what a lost machine takes along.
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <gtest/gtest.h>

#include "sim/redis/append_only_file.h"
#include "sim/testing.h"

namespace locklab {
namespace {

using testing::at_label;
using testing::at_time;
using testing::Kit;
using testing::replicated_world;
using testing::small_world;

WorldConfig keeping(Persistence persistence, WorldConfig config = small_world()) {
  config.topology.persistence = persistence;
  config.topology.failover.automatic = false;
  return config;
}

PlannedFault death(Duration when, NodeDeath dies, Duration restart = 100_ms) {
  PlannedFault fault = at_time(when, FaultKind::node_kill, "redis-1");
  fault.dies = dies;
  fault.length = restart;
  return fault;
}

/// Sets a, b and c one after another from `start` on.
void three_keys(Client& client) {
  for (const char* key : {"a", "b", "c"})
    EXPECT_TRUE(client.redis().set(key, "v").is_ok());
}

TEST(Persistence, WhatWasWrittenOutlivesTheProcess) {
  for (const Persistence policy : {Persistence::everysec, Persistence::always}) {
    Kit kit(keeping(policy));
    kit.fault(death(100_ms, NodeDeath::process));
    kit.client([](Client& client) {
      three_keys(client);
      client.redis().set("t", "v", {.px = 1_s});
    });
    kit.run_until(500_ms);
    for (const char* key : {"a", "b", "c", "t"})
      EXPECT_EQ(kit.value_of(key), "v") << key;
    EXPECT_EQ(kit.all(EventKind::restarted).at(0).arg, 0);
    EXPECT_EQ(kit.count(EventKind::key_set), 4U);  // Nothing is told twice.
    kit.run_until(2_s);
    EXPECT_EQ(kit.value_of("t"), std::nullopt);  // Expiries are absolute.
    EXPECT_TRUE(kit.choices().draws(ChoiceKind::fsync_loss).empty());
  }
}

TEST(Persistence, WritesAnEffectOnceThoughItsNodeStopsOnTheWay) {
  Kit kit(keeping(Persistence::always));
  PlannedFault pause = at_label(Label::srv_replied, FaultKind::node_pause);
  pause.length = 50_ms;
  kit.fault(pause);
  kit.fault(death(300_ms, NodeDeath::process));
  kit.client([](Client& client) { EXPECT_TRUE(client.redis().incr("n").is_integer(1)); });
  kit.run_until(500_ms);
  EXPECT_EQ(kit.count(EventKind::restarted), 1U);
  EXPECT_EQ(kit.value_of("n"), "1");
}

TEST(Persistence, NoneLeavesNothing) {
  Kit kit(keeping(Persistence::none));
  kit.fault(death(100_ms, NodeDeath::process));
  kit.client(three_keys);
  kit.run();
  EXPECT_EQ(kit.value_of("a"), std::nullopt);
  EXPECT_EQ(kit.all(EventKind::restarted).at(0).arg, 1);
}

TEST(Persistence, ALostMachineLosesNothingUnlessChosen) {
  Kit kit(keeping(Persistence::everysec));
  kit.fault(death(100_ms, NodeDeath::os));
  kit.client(three_keys);
  kit.run();
  EXPECT_EQ(kit.value_of("c"), "v");
  EXPECT_EQ(kit.all(EventKind::restarted).at(0).arg, 0);
  ASSERT_EQ(kit.choices().draws(ChoiceKind::fsync_loss).size(), 1U);
  EXPECT_EQ(kit.choices().draws(ChoiceKind::fsync_loss)[0].bound, 4U);
}

TEST(Persistence, ALostMachineMayLoseTheTailThatWasNotSynced) {
  Kit kit(keeping(Persistence::everysec));
  kit.choices().set(ChoiceKind::fsync_loss, 1);
  kit.fault(death(100_ms, NodeDeath::os));
  kit.client(three_keys);
  kit.run();
  EXPECT_EQ(kit.value_of("a"), "v");
  EXPECT_EQ(kit.value_of("b"), "v");
  EXPECT_EQ(kit.value_of("c"), std::nullopt);
  EXPECT_EQ(kit.all(EventKind::restarted).at(0).arg, 1);
  EXPECT_EQ(kit.count(EventKind::key_set), 3U + 2U);  // What is left is told again.
  const std::vector<Record> sets = kit.all(EventKind::key_set);
  EXPECT_EQ(sets[3].hold, sets[0].hold);
  EXPECT_EQ(sets[3].arg, sets[0].arg);  // With its creator.
}

TEST(Persistence, EverySecondAllIsSynced) {
  Kit kit(keeping(Persistence::everysec));
  kit.fault(death(1100_ms, NodeDeath::os));
  kit.client(three_keys);
  kit.run();
  EXPECT_TRUE(kit.choices().draws(ChoiceKind::fsync_loss).empty());
  EXPECT_EQ(kit.value_of("c"), "v");
}

TEST(Persistence, AClockThatStandsBackKeepsEverysecFromSyncing) {
  Kit kit(keeping(Persistence::everysec));
  PlannedFault jump = at_time(5_ms, FaultKind::jump, "redis-1");
  jump.offset = -(20_s);
  kit.fault(jump);
  kit.fault(death(10_s, NodeDeath::os));
  kit.client(three_keys);
  kit.run_until(11_s);
  EXPECT_EQ(kit.choices().draws(ChoiceKind::fsync_loss).size(), 1U);
}

TEST(Persistence, AlwaysSyncsBeforeItAnswers) {
  Kit kit(keeping(Persistence::always));
  kit.choices().set(ChoiceKind::fsync_loss, 1);
  kit.fault(death(100_ms, NodeDeath::os));
  kit.client(three_keys);
  kit.run();
  EXPECT_TRUE(kit.choices().draws(ChoiceKind::fsync_loss).empty());
  EXPECT_EQ(kit.value_of("c"), "v");
}

TEST(Persistence, WhatWasExecutedButNotWrittenIsGone) {
  Kit kit(keeping(Persistence::always));
  PlannedFault strike = at_label(Label::srv_applied, FaultKind::node_kill);
  strike.length = 100_ms;
  kit.fault(strike);
  kit.client([](Client& client) { EXPECT_TRUE(client.redis().set("a", "v").is_unknown()); });
  kit.run();
  EXPECT_EQ(kit.value_of("a"), std::nullopt);
  EXPECT_EQ(kit.all(EventKind::restarted).at(0).arg, 1);
}

TEST(Persistence, AScriptIsLostWhole) {
  Kit kit(keeping(Persistence::everysec));
  kit.choices().set(ChoiceKind::fsync_loss, 1);
  kit.fault(death(100_ms, NodeDeath::os));
  kit.client([](Client& client) {
    client.redis().set("a", "v");
    client.redis().eval(
        {"two", "redis.call('HSET', KEYS[1], 'f', 1) return redis.call('PEXPIRE', KEYS[1], 50000)"},
        {"h"}, {});
  });
  kit.run_until(1_s);
  EXPECT_EQ(kit.value_of("a"), "v");
  EXPECT_EQ(kit.value_of("h"), std::nullopt);
}

TEST(Persistence, AKeyThatExpiredMeanwhileIsLostAtTheRestart) {
  Kit kit(keeping(Persistence::always));
  kit.fault(death(100_ms, NodeDeath::process, 2_s));
  kit.client([](Client& client) { client.redis().set("t", "v", {.px = 1_s}); });
  kit.run();
  EXPECT_EQ(kit.times(EventKind::key_lost), std::vector<Duration>{2100_ms});
  EXPECT_EQ(kit.count(EventKind::key_deleted), 1U);
}

TEST(Persistence, ReplicasFollowARestartedPrimaryThatHasItsData) {
  Kit kit(keeping(Persistence::everysec, replicated_world(1)));
  kit.fault(death(100_ms, NodeDeath::process));
  kit.client([](Client& client) { client.redis().command({"HSET", "h", "f", "1"}); });
  kit.run();
  EXPECT_EQ(kit.count(EventKind::resynced, "replica-1"), 1U);
  EXPECT_EQ(kit.value_of("h", 0), "f");
  EXPECT_EQ(kit.value_of("h", 1), "f");
}

TEST(AppendOnlyFile, OfAResyncBeginsWithItsBase) {
  Arena arena;
  redis::ScriptEngine scripts;
  redis::Database source;
  source.keys.insert("k").set_string("v");
  const std::string_view set[] = {"SET", "x", "y"};
  const redis::Command effects[] = {set};

  redis::AppendOnlyFile file;
  file.begin(Persistence::always, 5);
  file.write(effects, 7, 5);
  file.rewrite(redis::image_of(source.keys, arena));
  redis::Database loaded;
  file.load(loaded, scripts, arena);
  EXPECT_NE(loaded.keys.find("k"), nullptr);
  EXPECT_EQ(loaded.keys.find("x"), nullptr);

  file.write(effects, 7, 5);
  file.load(loaded, scripts, arena);
  ASSERT_NE(loaded.keys.find("x"), nullptr);
  EXPECT_EQ(loaded.keys.find("x")->creator, 7U);
}

}  // namespace
}  // namespace locklab
