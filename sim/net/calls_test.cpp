// Calls: what a client sees of its connections, and what its late bytes still do to a server.
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "sim/testing.h"

namespace locklab {
namespace {

using testing::at_label;
using testing::at_time;
using testing::Kit;

PlannedFault cut(Duration when, Duration length, CutDirection direction = CutDirection::both) {
  PlannedFault fault = at_time(when, FaultKind::cut, "client-1");
  fault.peer = "redis-1";
  fault.length = length;
  fault.direction = direction;
  return fault;
}

PlannedFault kill(Duration when) {
  PlannedFault fault = at_time(when, FaultKind::kill, "client-1");
  fault.restarts = false;
  return fault;
}

TEST(Call, TakesARoundTripAndKeepsItsConnection) {
  Kit kit;
  std::vector<Duration> ended;
  kit.client([&](Client& client) {
    for (int i = 0; i < 3; ++i) {
      EXPECT_TRUE(client.redis().set("k", "v").is_ok());
      ended.push_back(kit.now());
    }
  });
  kit.run();
  EXPECT_EQ(ended, (std::vector<Duration>{10_ms, 20_ms, 30_ms}));
  EXPECT_EQ(kit.network().connection_count(), 1U);
}

TEST(Call, FromTwoFibersAtOnceUsesTwoConnections) {
  Kit kit;
  kit.client([&](Client& client) {
    client.go([&] { client.redis().get("k"); });
    client.redis().get("k");
    client.sleep_for(1_ms);
    client.redis().get("k");
  });
  kit.run();
  EXPECT_EQ(kit.network().connection_count(), 2U);
}

TEST(Call, ToAllNodesEndsWhenAllHaveAnsweredOrTheDeadlinePasses) {
  WorldConfig config = testing::small_world();
  config.topology.nodes = 3;
  Kit kit(config);
  kit.fault(at_time(50_ms, FaultKind::node_pause, "redis-2"));
  std::vector<Duration> ended;
  std::string outcomes;
  kit.client([&](Client& client) {
    for (int i = 0; i < 2; ++i) {
      const Answers answers = client.all_nodes().set_all("k", "v", {.px = 1_s});
      for (const Answer& answer : answers)
        outcomes += answer.is_ok() ? 'o' : '?';
      ended.push_back(kit.now());
      client.sleep_for(50_ms);
    }
  });
  kit.run_until(1_s);
  EXPECT_EQ(outcomes, "oooo?o");
  EXPECT_EQ(ended, (std::vector<Duration>{10_ms, 160_ms}));
}

// --- Timeouts

TEST(Timeout, ClosesTheConnectionAndTheNextCallOpensAnother) {
  Kit kit;
  kit.fault(cut(0_ms, 200_ms, CutDirection::from_peer));
  std::string seen;
  kit.client([&](Client& client) {
    seen += client.redis().set("k", "1").is_unknown() ? "unknown " : "known ";
    client.sleep_for(150_ms);
    seen += client.redis().get("k").text();
  });
  kit.run();
  EXPECT_EQ(seen, "unknown 1");  // It had been executed; the late reply went nowhere.
  EXPECT_EQ(kit.network().connection_count(), 2U);
  EXPECT_EQ(kit.count(EventKind::replied), 1U);
}

TEST(Timeout, LateReplyIsHandedToTheNextCallWhenTheConnectionGoesBackUnread) {
  // The reply comes before the next call is sent, or after: a pool that does not look hands it
  // over.
  for (const Duration think : {150_ms, 20_ms}) {
    Kit kit;
    PlannedFault slow = at_time(0_ms, FaultKind::slow, "client-1");
    slow.peer = "redis-1";
    slow.offset = 120_ms;
    slow.length = 10_ms;
    kit.fault(slow);
    std::vector<std::string> seen;
    kit.client([&](Client& client) {
      client.process().timeout_policy = TimeoutPolicy::return_unread;
      EXPECT_TRUE(client.redis().command({"ECHO", "first"}).is_unknown());
      client.sleep_for(think);
      seen.emplace_back(client.redis().command({"ECHO", "second"}).text());
      seen.emplace_back(client.redis().command({"ECHO", "third"}).text());
    });
    kit.run();
    EXPECT_EQ(seen, (std::vector<std::string>{"first", "second"})) << think;
    EXPECT_EQ(kit.network().connection_count(), 1U);
  }
}

TEST(Timeout, DoesNotStopTheServerFromExecuting) {
  Kit kit;
  PlannedFault pause = at_time(0_ms, FaultKind::node_pause, "redis-1");
  pause.length = 300_ms;
  kit.fault(pause);
  kit.client([](Client& client) { EXPECT_TRUE(client.redis().set("k", "v").is_unknown()); });
  kit.run();
  EXPECT_EQ(kit.times(EventKind::timed_out), std::vector<Duration>{100_ms});
  EXPECT_EQ(kit.times(EventKind::key_set), std::vector<Duration>{300_ms});
}

// --- Ghosts: bytes that outlive their sender

TEST(Ghost, SetOfADeadClientComesAfterTheCut) {
  Kit kit;
  kit.fault(cut(1_ms, 500_ms));
  kit.fault(kill(20_ms));
  kit.client([](Client& client) { client.redis().set("k", "ghost", {.nx = true, .px = 1_s}); });
  kit.run_until(600_ms);
  EXPECT_EQ(kit.times(EventKind::key_set), std::vector<Duration>{511_ms});
  EXPECT_EQ(kit.value_of("k"), "ghost");
}

TEST(Ghost, DelOfATimedOutClientRemovesTheNextHoldersKey) {
  Kit kit;
  kit.fault(cut(15_ms, 500_ms));
  kit.client([](Client& client) {
    client.redis().set("k", "mine", {.nx = true, .px = 100_ms});
    client.sleep_for(10_ms);
    EXPECT_TRUE(client.redis().del("k").is_unknown());
  });
  kit.client(
      [](Client& client) {
        EXPECT_TRUE(client.redis().set("k", "theirs", {.nx = true, .px = 10_s}).is_ok());
        client.sleep_for(1_s);
        EXPECT_TRUE(client.redis().get("k").is_nil());
      },
      300_ms);
  kit.run_clients();
  EXPECT_EQ(kit.times(EventKind::key_deleted).back(), 525_ms);
}

TEST(Ghost, PexpireOfADeadClientShortensAnothersKey) {
  Kit kit;
  kit.fault(cut(15_ms, 500_ms, CutDirection::to_peer));
  kit.fault(kill(30_ms));
  kit.client([](Client& client) {
    client.redis().set("k", "mine", {.px = 100_ms});
    client.sleep_for(10_ms);
    client.redis().pexpire("k", 50_ms);
  });
  kit.client([](Client& client) { client.redis().set("k", "theirs", {.nx = true, .px = 10_s}); },
             300_ms);
  kit.run();
  EXPECT_EQ(kit.times(EventKind::key_ttl), std::vector<Duration>{525_ms});
  EXPECT_EQ(kit.times(EventKind::key_lost).back(), 576_ms);
}

TEST(Ghost, IsLostWithItsMachineWhileACutHoldsIt) {
  Kit kit;
  kit.fault(cut(1_ms, 500_ms));
  PlannedFault loss = at_time(20_ms, FaultKind::host_loss, "client-1");
  loss.restarts = false;
  kit.fault(loss);
  kit.client([](Client& client) { client.redis().set("k", "ghost"); });
  kit.run();
  EXPECT_EQ(kit.count(EventKind::key_set), 0U);
}

// --- Broken connections

TEST(LostReply, CommandIsAppliedAndItsConnectionBreaks) {
  for (const Label label : {Label::acq_sent, Label::srv_applied}) {
    Kit kit;
    kit.fault(at_label(label, FaultKind::lost_reply));
    kit.client([](Client& client) {
      client.process().begin_operation(Operation::acquire, {});
      EXPECT_TRUE(client.redis().set("k", "v").is_unknown());
      client.process().end_operation();
      EXPECT_EQ(client.redis().get("k").text(), "v");
    });
    kit.run();
    EXPECT_EQ(kit.times(EventKind::broken), std::vector<Duration>{10_ms});
    EXPECT_EQ(kit.network().connection_count(), 2U);
  }
}

TEST(LostReply, OfTheCounterAndOfTheResourceToo) {
  Kit kit;
  kit.fault(at_label(Label::acq_sent, FaultKind::lost_reply));
  std::vector<std::optional<std::uint32_t>> fences;
  kit.client([&](Client& client) {
    client.process().begin_operation(Operation::acquire, {});
    fences.push_back(client.next_fence());
    fences.push_back(client.next_fence());
  });
  kit.run();
  EXPECT_EQ(fences, (std::vector<std::optional<std::uint32_t>>{std::nullopt, 2}));
  EXPECT_EQ(kit.count(EventKind::fence_issued), 2U);
  EXPECT_EQ(kit.count(EventKind::broken), 1U);
}

TEST(Reset, LosesTheRequestOrOnlyTheReplyByChoice) {
  for (const std::uint64_t lost : {0U, 1U}) {
    Kit kit;
    kit.fault(at_label(Label::acq_sent, FaultKind::reset));
    kit.choices().set(ChoiceKind::survive_at_link, lost);
    kit.client([&](Client& client) {
      client.process().begin_operation(Operation::acquire, {});
      EXPECT_TRUE(client.redis().set("k", "v").is_unknown());
    });
    kit.run();
    EXPECT_EQ(kit.times(EventKind::broken), std::vector<Duration>{5_ms});
    EXPECT_EQ(kit.count(EventKind::key_set), lost == 0 ? 1U : 0U);
  }
}

TEST(Server, ThatHasDiedRefusesAndOneWhoseMachineIsGoneIsSilent) {
  const std::pair<FaultKind, NodeDeath> deaths[] = {{FaultKind::node_kill, NodeDeath::process},
                                                    {FaultKind::node_kill, NodeDeath::os},
                                                    {FaultKind::host_loss, NodeDeath::process}};
  for (const auto& [kind, dies] : deaths) {
    const bool says_goodbye = kind == FaultKind::node_kill && dies == NodeDeath::process;
    Kit kit;
    PlannedFault fault = at_time(0_ms, kind, "redis-1");
    fault.dies = dies;
    fault.restarts = false;
    kit.fault(fault);
    bool unreachable = false;
    bool unknown = false;
    kit.client(
        [&](Client& client) {
          const Answer answer = client.redis().get("k");
          unreachable = answer.is_unreachable();
          unknown = answer.is_unknown();
        },
        1_ms);
    kit.run();
    EXPECT_EQ(unreachable, says_goodbye);
    EXPECT_EQ(unknown, !says_goodbye);
    EXPECT_EQ(kit.count(EventKind::refused), unreachable ? 1U : 0U);
    EXPECT_EQ(kit.times(EventKind::timed_out),
              unknown ? std::vector<Duration>{101_ms} : std::vector<Duration>{});
  }
}

TEST(Server, ThatDiesAfterReplyingHasReplied) {
  Kit kit;
  PlannedFault fault = at_label(Label::srv_replied, FaultKind::node_kill);
  fault.restarts = false;
  kit.fault(fault);
  kit.client([](Client& client) {
    EXPECT_TRUE(client.redis().set("k", "v").is_ok());
    EXPECT_TRUE(client.redis().get("k").is_unreachable());  // Its pooled connection has ended.
  });
  kit.run();
  EXPECT_EQ(kit.count(EventKind::killed, "redis-1"), 1U);
}

TEST(Server, ThatDiesBeforeReplyingLeavesItUnknown) {
  Kit kit;
  PlannedFault fault = at_label(Label::srv_applied, FaultKind::node_kill);
  fault.restarts = false;
  kit.fault(fault);
  kit.client([](Client& client) { EXPECT_TRUE(client.redis().set("k", "v").is_unknown()); });
  kit.run();
  EXPECT_EQ(kit.times(EventKind::broken), std::vector<Duration>{10_ms});
}

}  // namespace
}  // namespace locklab
