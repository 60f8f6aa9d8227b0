// Replication: effects that follow the reply, replicas that only read, and what a restart forgets.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
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
using testing::since_start;

constexpr Script kDeleteIfMine = {"delete-if-mine",
                                  "if redis.call('GET', KEYS[1]) == ARGV[1] then "
                                  "return redis.call('DEL', KEYS[1]) end return 0"};

PlannedFault death(Duration when, std::string_view node, Duration restart) {
  PlannedFault fault = at_time(when, FaultKind::node_kill, node);
  fault.restarts = restart != Duration::forever();
  fault.length = restart;
  return fault;
}

/// The records that say which expiry a key got where.
std::vector<std::string> expiries(Kit& kit, EventKind kind) {
  std::vector<std::string> lines;
  for (const Record& record : kit.all(kind)) {
    const Duration at = milliseconds(record.result) - (kWallEpoch - LocalInstant::origin());
    lines.push_back(to_string(since_start(record)) + " " +
                    std::string(kit.world().name(record.who())) + " " + to_string(at));
  }
  return lines;
}

TEST(Replication, FollowsTheReplyAndTakesALatencyMore) {
  Kit kit(replicated_world(2));
  kit.client([](Client& client) { EXPECT_TRUE(client.redis().set("k", "v").is_ok()); });
  kit.run();
  EXPECT_EQ(
      kit.story({EventKind::applied, EventKind::replied, EventKind::effect_sent,
                 EventKind::effect_applied}),
      (std::vector<std::string>{"5ms redis-1 applied", "5ms redis-1 effect_sent",
                                "5ms redis-1 effect_sent", "10ms client-1 replied",
                                "10ms replica-1 effect_applied", "10ms replica-2 effect_applied"}));
  EXPECT_EQ(kit.value_of("k", 1), "v");
  EXPECT_EQ(kit.value_of("k", 2), "v");
  EXPECT_TRUE(kit.all(EventKind::key_set, "replica-1").at(0).has(event_flags::kReplica));
}

TEST(Replication, KeepsWhoseWorkItIs) {
  Kit kit(replicated_world(1));
  kit.client([](Client& client) {
    client.process().begin_operation(Operation::acquire, {});
    client.redis().set("k", "v");
    client.process().end_operation();
  });
  kit.run();
  const Record granted = kit.all(EventKind::key_set, "redis-1").at(0);
  const Record copied = kit.all(EventKind::key_set, "replica-1").at(0);
  EXPECT_NE(granted.hold, 0U);
  EXPECT_EQ(copied.hold, granted.hold);
}

TEST(Replication, CarriesAbsoluteExpiriesSoThatADelayDoesNotLengthenThem) {
  Kit kit(replicated_world(1));
  PlannedFault lag = at_time(0_ms, FaultKind::lag, "replica-1");
  lag.offset = 100_ms;
  lag.length = 10_s;
  kit.fault(lag);
  kit.client([](Client& client) {
    client.redis().set("k", "v", {.px = 1_s});
    client.redis().pexpire("k", 2_s);
  });
  kit.run();
  EXPECT_EQ(expiries(kit, EventKind::key_set),
            (std::vector<std::string>{"5ms redis-1 1005ms", "110ms replica-1 1005ms"}));
  EXPECT_EQ(expiries(kit, EventKind::key_ttl),
            (std::vector<std::string>{"15ms redis-1 2015ms", "120ms replica-1 2015ms"}));
}

TEST(Replication, LeavesTheExpiryToTheReplicasOwnClock) {
  WorldConfig config = replicated_world(1);
  config.hosts.push_back({"fast", {"replica-1"}, 300_ms, 0});
  Kit kit(config);
  kit.client([](Client& client) { client.redis().set("k", "v", {.px = 1_s}); });
  kit.run();
  EXPECT_EQ(kit.times(EventKind::key_lost, "redis-1"), std::vector<Duration>{1006_ms});
  EXPECT_EQ(kit.times(EventKind::key_lost, "replica-1"), std::vector<Duration>{706_ms});
}

TEST(Replication, LeavesDeletionToThePrimary) {
  Kit kit(replicated_world(1));
  PlannedFault cut = at_time(20_ms, FaultKind::lag, "replica-1");
  cut.offset = 500_ms;
  cut.length = 10_s;
  kit.fault(cut);
  std::optional<std::string> kept;
  kit.client([&](Client& client) {
    client.redis().set("k", "v", {.px = 100_ms});
    client.sleep_for(300_ms);
    EXPECT_TRUE(client.redis(1).get("k").is_nil());  // Expired: it is not shown …
    kept = kit.value_of("k", 1);                     // … and not deleted either.
  });
  kit.run();
  EXPECT_EQ(kept, "v");
  EXPECT_EQ(kit.value_of("k", 1), std::nullopt);
  EXPECT_EQ(kit.times(EventKind::key_deleted, "redis-1"), std::vector<Duration>{200_ms});
  EXPECT_EQ(kit.times(EventKind::key_deleted, "replica-1"), std::vector<Duration>{705_ms});
}

TEST(Replication, SendsWhatChangedAndNothingElse) {
  Kit kit(replicated_world(1));
  kit.client([](Client& client) {
    client.redis().setnx("k", "mine");
    client.redis().setnx("k", "theirs");
    client.redis().get("k");
    client.redis().eval(kDeleteIfMine, {"k"}, {"theirs"});
    client.redis().eval(kDeleteIfMine, {"k"}, {"mine"});
  });
  kit.run();
  EXPECT_EQ(kit.count(EventKind::effect_applied), 2U);  // The first SETNX and the script's DEL.
  EXPECT_EQ(kit.count(EventKind::key_deleted, "replica-1"), 1U);
}

TEST(Replica, ReadsAndRefusesWrites) {
  Kit kit(replicated_world(1));
  kit.client([](Client& client) {
    client.redis().set("k", "v");
    client.sleep_for(20_ms);
    EXPECT_EQ(client.redis(1).get("k").text(), "v");
    EXPECT_TRUE(client.redis(1).set("k", "w").is_error("READONLY"));
    EXPECT_TRUE(client.redis(1).del("k").is_error("READONLY"));
  });
  kit.run();
  EXPECT_EQ(kit.value_of("k", 1), "v");
  EXPECT_EQ(kit.count(EventKind::key_set, "replica-1"), 1U);
}

TEST(Replication, OfAPrimaryThatDiesBehindItsReplyIsLost) {
  Kit kit(replicated_world(1));
  PlannedFault fault = at_label(Label::srv_replied, FaultKind::node_kill);
  fault.restarts = false;
  kit.fault(fault);
  kit.client([](Client& client) { EXPECT_TRUE(client.redis().set("k", "v").is_ok()); });
  kit.run_until(500_ms);
  EXPECT_EQ(kit.count(EventKind::effect_sent), 0U);
  EXPECT_EQ(kit.value_of("k", 1), std::nullopt);
}

TEST(Replication, WaitsWhileItsPrimaryIsPausedAtTheLabel) {
  for (const Label label : {Label::srv_applied, Label::srv_replied, Label::repl_before_send}) {
    Kit kit(replicated_world(2));
    PlannedFault fault = at_label(label, FaultKind::node_pause);
    fault.target = "redis-1";
    fault.length = 300_ms;
    kit.fault(fault);
    kit.client([](Client& client) { client.redis().set("k", "v"); });
    kit.run();
    EXPECT_EQ(kit.times(EventKind::effect_sent), (std::vector<Duration>{305_ms, 305_ms}))
        << name_of(label);
    EXPECT_EQ(kit.count(EventKind::effect_applied), 2U);
    EXPECT_EQ(kit.visits(Label::repl_before_send), 2U);  // Not passed again on waking.
    EXPECT_EQ(kit.count(EventKind::replied), label == Label::srv_applied ? 0U : 1U);
  }
}

TEST(Restart, OfAPrimaryThatKeepsItsRoleEmptiesItsReplicas) {
  Kit kit(replicated_world(2));
  kit.fault(death(50_ms, "redis-1", 100_ms));
  kit.client([](Client& client) {
    client.redis().set("k", "v");
    client.sleep_for(200_ms);
    EXPECT_TRUE(client.redis().get("k").is_nil());
    EXPECT_TRUE(client.redis().set("new", "v").is_ok());
  });
  kit.run();
  const Record restarted = kit.all(EventKind::restarted, "redis-1").at(0);
  EXPECT_EQ(since_start(restarted), 150_ms);
  EXPECT_EQ(restarted.epoch, 2U);
  EXPECT_EQ(kit.times(EventKind::resynced), (std::vector<Duration>{155_ms, 155_ms}));
  for (const std::uint32_t node : {0U, 1U, 2U}) {
    EXPECT_EQ(kit.value_of("k", node), std::nullopt);
    EXPECT_EQ(kit.value_of("new", node), "v");
  }
  EXPECT_EQ(kit.count(EventKind::promoted), 0U);
}

TEST(Restart, OfAReplicaIsFollowedByAFullResyncAndByEachEffectOnce) {
  Kit kit(replicated_world(1));
  kit.fault(death(50_ms, "replica-1", 100_ms));
  kit.client([&](Client& client) {
    client.redis().set("k", "v", {.px = 10_s});
    client.sleep_for(60_ms);
    client.redis().set("missed", "v");
    client.sleep_for(200_ms);
    EXPECT_EQ(kit.value_of("missed", 1), "v");
    client.redis().incr("counter");
  });
  kit.run_until(1_s);
  EXPECT_EQ(kit.times(EventKind::resynced, "replica-1"), std::vector<Duration>{165_ms});
  EXPECT_EQ(kit.value_of("k", 1), "v");
  EXPECT_EQ(kit.value_of("counter", 1), "1");
  const std::vector<Duration> sent = kit.times(EventKind::effect_sent);
  EXPECT_EQ(std::count_if(sent.begin(), sent.end(), [](Duration t) { return t > 200_ms; }), 1);
  // The expiry came along, as an absolute one.
  EXPECT_EQ(kit.node(1).database().keys.find("k")->expiry(),
            kit.node(0).database().keys.find("k")->expiry());
}

TEST(Restart, HappensOnceThoughSomebodyRevivedTheNodeBefore) {
  Kit kit;
  kit.fault(death(10_ms, "redis-1", 500_ms));
  kit.client([&](Client& client) {
    client.sleep_for(100_ms);
    kit.node(0).revive();
    client.sleep_for(10_ms);
    client.redis().set("k", "v");
    client.sleep_for(1_s);
    EXPECT_EQ(client.redis().get("k").text(), "v");
  });
  kit.run();
  EXPECT_EQ(kit.times(EventKind::restarted), std::vector<Duration>{100_ms});
}

TEST(Restart, OnAFrozenMachineWaitsForIt) {
  Kit kit;
  PlannedFault freeze = at_time(10_ms, FaultKind::freeze, "redis-1");
  freeze.length = 100_ms;
  kit.fault(freeze);
  kit.fault(death(20_ms, "redis-1", 10_ms));
  kit.client([](Client& client) { client.sleep_for(1_s); });
  kit.run();
  EXPECT_EQ(kit.times(EventKind::restarted), std::vector<Duration>{120_ms});
}

TEST(IndependentNodes, ShareNothing) {
  WorldConfig config = testing::small_world();
  config.topology.nodes = 3;
  Kit kit(config);
  kit.fault(death(100_ms, "redis-2", Duration::forever()));
  kit.fault(at_time(150_ms, FaultKind::flush, "redis-3"));
  kit.client([](Client& client) {
    client.all_nodes().set_all("k", "v", {.px = 10_s});
    client.redis(1).set("only", "there");
    client.sleep_for(200_ms);
    EXPECT_EQ(client.redis(0).get("k").text(), "v");
    EXPECT_TRUE(client.redis(0).get("only").is_nil());
    EXPECT_TRUE(client.redis(1).get("k").is_unreachable());
    EXPECT_TRUE(client.redis(2).get("k").is_nil());
  });
  kit.run();
  EXPECT_EQ(kit.count(EventKind::effect_sent) + kit.count(EventKind::promoted), 0U);
  for (const std::uint32_t node : {0U, 2U})
    EXPECT_EQ(kit.node(node).role(), redis::Role::primary);
}

TEST(Replication, IsResumedByASnapshotAfterItsConnectionBroke) {
  Kit kit(replicated_world(1));
  kit.fault(at_label(Label::repl_before_send, FaultKind::reset));
  kit.client([](Client& client) {
    client.redis().set("lost", "v");
    client.sleep_for(100_ms);
    client.redis().set("next", "w");
  });
  kit.run();
  EXPECT_EQ(kit.count(EventKind::resynced, "replica-1"), 1U);
  EXPECT_EQ(kit.count(EventKind::effect_sent), 1U);
  EXPECT_EQ(kit.value_of("lost", 1), "v");
  EXPECT_EQ(kit.value_of("next", 1), "w");
}

TEST(Replication, TakesAllOfAScriptOrNothing) {
  constexpr Script kTwo = {"two",
                           "redis.call('SET', KEYS[1], '1') redis.call('SET', KEYS[2], '2')"};
  Kit kit(replicated_world(1));
  PlannedFault broken =
      at_time(17_ms, FaultKind::reset, "redis-1");  // EVALSHA, EVAL; the effects are under way.
  broken.peer = "replica-1";
  kit.fault(broken);
  kit.choices().set(ChoiceKind::survive_at_link, 1);  // The last message is lost.
  kit.client([&kTwo](Client& client) { client.redis().eval(kTwo, {"a", "b"}, {}); });
  kit.run();
  EXPECT_EQ(kit.count(EventKind::effect_sent), 2U);
  EXPECT_EQ(kit.count(EventKind::effect_applied, "replica-1"), 0U);
}

TEST(Replication, CountsAnEffectOnceThatASnapshotHasOvertaken) {
  // The second replica joins behind what is executed and not yet sent; the first one moves up.
  Kit kit(replicated_world(2));
  PlannedFault outage = at_label(Label::repl_before_send, FaultKind::node_pause);
  outage.target = "redis-1";
  outage.length = 300_ms;
  kit.fault(outage);
  kit.client([](Client& client) { client.redis().incr("n"); });
  kit.run_until(50_ms);
  kit.node(0).attach(kit.node(1), true);
  kit.run();
  for (const std::uint32_t replica : {1U, 2U})
    EXPECT_EQ(kit.value_of("n", replica), "1") << replica;
}

TEST(Replication, IsHeldByALagWithoutADelay) {
  Kit kit(replicated_world(1));
  PlannedFault lag = at_time(0_ms, FaultKind::lag, "replica-1");
  lag.length = 500_ms;
  kit.fault(lag);
  kit.client([](Client& client) { client.redis().set("k", "v"); });
  kit.run_until(499_ms);
  EXPECT_EQ(kit.count(EventKind::effect_applied), 0U);
  kit.run_until(2_s);
  EXPECT_EQ(kit.count(EventKind::effect_applied), 1U);
}

TEST(LostMachine, DoesNotSendWhatACutHeldBack) {
  for (const bool lost : {false, true}) {
    Kit kit;
    kit.command_timeout = 2_s;
    PlannedFault cut = at_time(7_ms, FaultKind::cut, "client-1");
    cut.peer = "redis-1";
    cut.length = 300_ms;
    kit.fault(cut);
    PlannedFault loss = at_time(100_ms, FaultKind::host_loss, "redis-1");
    loss.restarts = false;
    if (lost) kit.fault(loss);
    bool unknown = false;
    kit.client([&unknown](Client& client) { unknown = client.redis().set("k", "v").is_unknown(); });
    kit.run();
    EXPECT_EQ(unknown, lost);
  }
}

}  // namespace
}  // namespace locklab
