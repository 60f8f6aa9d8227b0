// Process: what a pause and a stall stop, what goes on, and what is found on waking.
// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sim/go.h"
#include "sim/testing.h"

namespace locklab {
namespace {

using testing::at_label;
using testing::at_time;
using testing::Kit;

PlannedFault pause(Duration when, Duration length, std::string_view target = "client-1") {
  PlannedFault fault = at_time(when, FaultKind::pause, target);
  fault.length = length;
  return fault;
}

TEST(Pause, StopsEveryFiberWhileClocksRunOn) {
  Kit kit;
  kit.fault(pause(25_ms, 100_ms));
  std::vector<Duration> first;
  std::vector<Duration> second;
  Duration own_clock;
  kit.client([&](Client& client) {
    client.go([&] {
      for (int i = 0; i < 4; ++i) {
        client.sleep_for(10_ms);
        second.push_back(kit.now());
      }
    });
    for (int i = 0; i < 4; ++i) {
      client.sleep_for(10_ms);
      first.push_back(kit.now());
    }
    own_clock = client.now() - LocalInstant::origin();
  });
  kit.run();
  const std::vector<Duration> expected = {10_ms, 20_ms, 125_ms, 135_ms};
  EXPECT_EQ(first, expected);
  EXPECT_EQ(second, expected);
  EXPECT_EQ(own_clock, 135_ms);
  EXPECT_EQ(kit.times(EventKind::paused), std::vector<Duration>{25_ms});
  EXPECT_EQ(kit.times(EventKind::resumed), std::vector<Duration>{125_ms});
}

TEST(Pause, AtALabelStopsTheFiberThere) {
  Kit kit;
  PlannedFault fault = at_label(Label::hold_check_ok, FaultKind::pause);
  fault.length = 70_ms;
  kit.fault(fault);
  Duration behind;
  kit.client([&](Client& client) {
    client.sleep_for(10_ms);
    client.reach(Label::hold_check_ok);
    behind = kit.now();
  });
  kit.run();
  EXPECT_EQ(behind, 80_ms);
}

TEST(Pause, IsExtendedByALongerOneAndNotShortened) {
  Kit kit;
  kit.fault(pause(10_ms, 100_ms));
  kit.fault(pause(20_ms, 30_ms));
  kit.fault(pause(50_ms, 200_ms));
  Duration woke;
  kit.client([&](Client& client) {
    client.sleep_for(15_ms);
    woke = kit.now();
  });
  kit.run();
  EXPECT_EQ(woke, 250_ms);
  EXPECT_EQ(kit.count(EventKind::resumed), 1U);
}

TEST(Pause, OfAWholeHostStopsAllWhoLiveThereAndNobodyElse) {
  WorldConfig config = testing::small_world();
  config.hosts.push_back({"machine", {"client-1", "client-2"}, Duration(), 0});
  Kit kit(config);
  kit.fault(pause(5_ms, 100_ms, "machine"));
  std::vector<Duration> woke(3);
  for (std::size_t i = 0; i < 3; ++i) {
    kit.client([&, i](Client& client) {
      client.sleep_for(10_ms);
      woke[i] = kit.now();
    });
  }
  kit.run();
  EXPECT_EQ(woke, (std::vector<Duration>{105_ms, 105_ms, 10_ms}));
}

/// A GET whose reply (due at 10 ms) and deadline (100 ms) both pass during a pause up to 300 ms.
struct LateWaking {
  Kit kit;
  bool replied = false;
  LateWaking() {
    kit.fault(pause(7_ms, 293_ms));
    kit.client([this](Client& client) { replied = client.redis().get("k").is_nil(); });
  }
};

TEST(PausedClient, FindsItsReplyOnWakingAndTheReplyBeatsTheDeadline) {
  LateWaking run;
  run.kit.run();
  EXPECT_TRUE(run.replied);
  EXPECT_EQ(run.kit.times(EventKind::replied), std::vector<Duration>{300_ms});
  EXPECT_EQ(run.kit.count(EventKind::timed_out), 0U);
  ASSERT_EQ(run.kit.choices().draws(ChoiceKind::reply_vs_deadline).size(), 1U);
}

TEST(PausedClient, LosesTheReplyWhenTheChoiceSaysSo) {
  LateWaking run;
  run.kit.choices().set(ChoiceKind::reply_vs_deadline, 1);
  run.kit.run();
  EXPECT_FALSE(run.replied);
  EXPECT_EQ(run.kit.times(EventKind::timed_out), std::vector<Duration>{300_ms});
}

TEST(PausedClient, LosesTheReplyWhenTimersComeFirst) {
  for (const bool somebody_else_is_due : {false, true}) {
    LateWaking run;
    run.kit.choices().set(ChoiceKind::wake_order, 1);
    if (somebody_else_is_due) {
      run.kit.client([](Client& client) { client.sleep_for(300_ms); });
    }
    run.kit.run();
    EXPECT_FALSE(run.replied) << somebody_else_is_due;
  }
}

TEST(PausedClient, TimesOutOnWakingWhenThereIsNoReply) {
  Kit kit;
  PlannedFault silent = at_time(0_ms, FaultKind::node_pause, "redis-1");
  kit.fault(silent);
  kit.fault(pause(7_ms, 293_ms));
  kit.client([](Client& client) { EXPECT_TRUE(client.redis().get("k").is_unknown()); });
  kit.run_until(1_s);
  EXPECT_EQ(kit.times(EventKind::timed_out), std::vector<Duration>{300_ms});
}

TEST(PausedClient, FindsTheEndOfItsConnectionOnWaking) {
  Kit kit;
  PlannedFault death = at_time(3_ms, FaultKind::node_kill, "redis-1");
  death.restarts = false;
  kit.fault(death);
  kit.fault(pause(7_ms, 43_ms));
  kit.client([](Client& client) { EXPECT_TRUE(client.redis().get("k").is_unknown()); });
  kit.run();
  EXPECT_EQ(kit.times(EventKind::broken), std::vector<Duration>{50_ms});
}

/// Three fibers have something to do on waking: a (data), b (timer), c (was held at a label).
std::string order_on_waking(std::uint64_t wake_order) {
  Kit kit;
  PlannedFault fault = at_label(Label::hold_check_ok, FaultKind::pause);
  fault.length = 50_ms;
  kit.fault(fault);
  kit.choices().set(ChoiceKind::wake_order, wake_order);
  std::string order;
  kit.client([&](Client& client) {
    client.go([&] {
      client.redis().get("k");
      order += 'a';
    });
    client.go([&] {
      client.sleep_for(20_ms);
      order += 'b';
    });
    client.go([&] {
      client.sleep_for(2_ms);
      client.reach(Label::hold_check_ok);
      order += 'c';
    });
  });
  kit.run();
  return order;
}

TEST(WakeOrder, IsDataThenTimersThenFibersUnlessChosen) {
  EXPECT_EQ(order_on_waking(0), "abc");
  std::set<std::string> orders;
  for (std::uint64_t value = 0; value < 6; ++value)
    orders.insert(order_on_waking(value));
  EXPECT_EQ(orders, (std::set<std::string>{"abc", "acb", "bac", "bca", "cab", "cba"}));
}

TEST(PausedClient, TickerKeepsOneTick) {
  Kit kit;
  kit.fault(pause(15_ms, 40_ms));
  std::vector<Duration> ticks;
  kit.client([&](Client& client) {
    Ticker ticker(client, 10_ms);
    for (int i = 0; i < 4; ++i) {
      ticker.wait();
      ticks.push_back(kit.now());
    }
  });
  kit.run();
  EXPECT_EQ(ticks, (std::vector<Duration>{10_ms, 55_ms, 60_ms, 70_ms}));
}

TEST(PausedClient, SeesNothingOfAReplyThatComesBehindItsPooledConnection) {
  // Two replies for two fibers arrive during the pause, each on its own connection; both are there.
  Kit kit;
  kit.fault(pause(7_ms, 43_ms));
  int replies = 0;
  kit.client([&](Client& client) {
    for (int i = 0; i < 2; ++i) {
      client.go([&] { replies += client.redis().get("k").is_nil() ? 1 : 0; });
    }
  });
  kit.run();
  EXPECT_EQ(replies, 2);
  EXPECT_EQ(kit.times(EventKind::replied), (std::vector<Duration>{50_ms, 50_ms}));
}

TEST(ReplyAndDeadline, DueAtTheSameInstantTheReplyWinsWhicheverWasScheduledFirst) {
  for (const bool deadline_wins : {false, true}) {
    Kit kit;
    kit.command_timeout = 10_ms;  // A round trip.
    if (deadline_wins) kit.choices().set(ChoiceKind::reply_vs_deadline, 1);
    bool replied = false;
    kit.client([&](Client& client) { replied = client.redis().get("k").is_nil(); });
    kit.run();
    EXPECT_EQ(replied, !deadline_wins);
    EXPECT_EQ(kit.choices().draws(ChoiceKind::reply_vs_deadline).size(), 1U);
  }
}

TEST(ReplyAndDeadline, AreNotInDoubtWhenTheReplyIsEarlier) {
  Kit kit;
  kit.command_timeout = 11_ms;
  kit.choices().set(ChoiceKind::reply_vs_deadline, 1);
  bool replied = false;
  kit.client([&](Client& client) { replied = client.redis().get("k").is_nil(); });
  kit.run();
  EXPECT_TRUE(replied);
  EXPECT_TRUE(kit.choices().draws(ChoiceKind::reply_vs_deadline).empty());
}

TEST(Stall, StopsOneFiberOnly) {
  Kit kit;
  PlannedFault fault = at_label(Label::wd_before_tick, FaultKind::stall);
  fault.length = 100_ms;
  kit.fault(fault);
  Duration stalled;
  std::vector<Duration> other;
  kit.client([&](Client& client) {
    client.go([&] {
      client.reach(Label::wd_before_tick);
      stalled = kit.now();
    });
    for (int i = 0; i < 3; ++i) {
      client.sleep_for(10_ms);
      other.push_back(kit.now());
    }
  });
  kit.run();
  EXPECT_EQ(stalled, 100_ms);
  EXPECT_EQ(other, (std::vector<Duration>{10_ms, 20_ms, 30_ms}));
}

TEST(Stall, OfASleeperDelaysItsWaking) {
  Kit kit;
  PlannedFault fault = at_time(5_ms, FaultKind::stall, "client-1");
  fault.length = 100_ms;
  kit.fault(fault);
  Duration woke;
  kit.client([&](Client& client) {
    client.sleep_for(10_ms);
    woke = kit.now();
  });
  kit.run();
  EXPECT_EQ(woke, 105_ms);
}

TEST(HeldFiber, StaysHeldWhileTimePassesItAndNeverAWholeBound) {
  Kit kit;
  kit.choices().set(ChoiceKind::hold_at_fiber, 1'000'000, {.actor = ActorId{1}, .nth = 2});
  Duration woke;
  Duration other;
  kit.client([&](Client& client) {
    client.sleep_for(20_ms);
    woke = kit.now();
  });
  kit.client(
      [&](Client& client) {
        client.sleep_for(5_ms);
        other = kit.now();
      },
      17_ms);
  kit.run();
  EXPECT_EQ(other, 22_ms);
  EXPECT_EQ(woke, 20_ms + scale(10_ms, 31, 32));  // 31 of 32 steps of a round trip.
}

}  // namespace
}  // namespace locklab
