// Timers: they hold a reading of one clock, and follow whatever happens to that clock.
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sim/testing.h"

namespace locklab {
namespace {

using testing::at_time;
using testing::Kit;

PlannedFault clock_fault(Duration when, FaultKind kind, Duration length, Duration offset = {},
                         std::int64_t ppb = 0, std::string_view target = "client-1") {
  PlannedFault fault = at_time(when, kind, target);
  fault.length = length;
  fault.offset = offset;
  fault.ppb = ppb;
  return fault;
}

/// When a client that sleeps 1 s from the start wakes, under one fault of its clocks.
Duration waking_under(const PlannedFault& fault) {
  Kit kit;
  kit.fault(fault);
  Duration woke;
  kit.client([&](Client& client) {
    client.sleep_for(1_s);
    woke = kit.now();
  });
  kit.run();
  return woke;
}

TEST(SleepingClient, FollowsARateOfItsClock) {
  // 200 ms at the normal rate, then twice as fast for good.
  EXPECT_EQ(
      waking_under(clock_fault(200_ms, FaultKind::rate, Duration::forever(), {}, 1'000'000'000)),
      600_ms);
  // Twice as fast for 100 ms only: it gains 100 ms.
  EXPECT_EQ(waking_under(clock_fault(200_ms, FaultKind::rate, 100_ms, {}, 1'000'000'000)), 900_ms);
  // Half as fast for 400 ms: it loses 200 ms.
  EXPECT_EQ(waking_under(clock_fault(200_ms, FaultKind::rate, 400_ms, {}, -500'000'000)), 1200_ms);
}

TEST(SleepingClient, FollowsASlewUntilTheOffsetIsGone) {
  EXPECT_EQ(
      waking_under(clock_fault(0_ms, FaultKind::slew, Duration::forever(), 50_ms, 100'000'000)),
      950_ms);
  EXPECT_EQ(
      waking_under(clock_fault(0_ms, FaultKind::slew, Duration::forever(), -(50_ms), -100'000'000)),
      1050_ms);
}

TEST(SleepingClient, DoesNotFollowAJumpOfTheWallClock) {
  EXPECT_EQ(waking_under(clock_fault(200_ms, FaultKind::jump, {}, 10_s)), 1_s);
  EXPECT_EQ(waking_under(clock_fault(200_ms, FaultKind::jump, {}, -(10_s))), 1_s);
}

TEST(SleepingClient, SleepsTheWholeTimeBesidesAFreezeOrSuspend) {
  EXPECT_EQ(waking_under(clock_fault(200_ms, FaultKind::freeze, 300_ms)), 1300_ms);
  EXPECT_EQ(waking_under(clock_fault(200_ms, FaultKind::suspend, 300_ms)), 1300_ms);
}

TEST(SleepingClient, IsLateAfterAPauseButItsClockRanOn) {
  EXPECT_EQ(waking_under(clock_fault(200_ms, FaultKind::pause, 300_ms)), 1_s);
  EXPECT_EQ(waking_under(clock_fault(900_ms, FaultKind::pause, 300_ms)), 1200_ms);
}

TEST(SleepingClient, IsNotTouchedByAnothersClock) {
  PlannedFault fault = clock_fault(200_ms, FaultKind::freeze, 300_ms);
  fault.target = "redis-1";
  EXPECT_EQ(waking_under(fault), 1_s);
}

/// When the loss of a key with PX 1000, set at 5 ms, is recorded, under one fault of redis-1.
std::vector<Duration> losses_under(std::initializer_list<PlannedFault> faults) {
  Kit kit;
  for (const PlannedFault& fault : faults)
    kit.fault(fault);
  kit.client([](Client& client) { client.redis().set("k", "v", {.px = 1_s}); });
  kit.run();
  return kit.times(EventKind::key_lost, "redis-1");
}

PlannedFault server_clock(Duration when, FaultKind kind, Duration length, Duration offset = {},
                          std::int64_t ppb = 0) {
  return clock_fault(when, kind, length, offset, ppb, "redis-1");
}

// The key lives through the millisecond 1005 of the node's clock.
TEST(ExpiryWatch, RecordsTheFirstInstantAtWhichTheNodesClockSaysExpired) {
  EXPECT_EQ(losses_under({}), std::vector<Duration>{1006_ms});
}

TEST(ExpiryWatch, FollowsAJumpBothWays) {
  EXPECT_EQ(losses_under({server_clock(200_ms, FaultKind::jump, {}, 300_ms)}),
            std::vector<Duration>{706_ms});
  EXPECT_EQ(losses_under({server_clock(200_ms, FaultKind::jump, {}, 10_s)}),
            std::vector<Duration>{200_ms});
  EXPECT_EQ(losses_under({server_clock(200_ms, FaultKind::jump, {}, -(300_ms))}),
            std::vector<Duration>{1306_ms});
}

TEST(ExpiryWatch, FollowsRateSlewAndFreeze) {
  EXPECT_EQ(
      losses_under({server_clock(6_ms, FaultKind::rate, Duration::forever(), {}, 1'000'000'000)}),
      std::vector<Duration>{506_ms});
  EXPECT_EQ(
      losses_under({server_clock(6_ms, FaultKind::slew, Duration::forever(), 50_ms, 100'000'000)}),
      std::vector<Duration>{956_ms});
  EXPECT_EQ(losses_under({server_clock(200_ms, FaultKind::freeze, 300_ms)}),
            std::vector<Duration>{1306_ms});
}

TEST(ExpiryWatch, FollowsTheWallClockThroughASuspend) {
  EXPECT_EQ(losses_under({server_clock(200_ms, FaultKind::suspend, 3_s)}),
            std::vector<Duration>{1006_ms});
}

TEST(ExpiryWatch, SeesALossOnceThoughTheClockGoesBackAndForth) {
  EXPECT_EQ(losses_under({server_clock(200_ms, FaultKind::jump, {}, 900_ms),
                          server_clock(210_ms, FaultKind::jump, {}, -(900_ms))}),
            std::vector<Duration>{200_ms});
}

/// Claims until 1 s on its own monotonic clock; when the end of the claim is recorded.
std::vector<Duration> claim_ends_under(const PlannedFault& fault) {
  Kit kit;
  kit.fault(fault);
  kit.client([&](Client& client) {
    client.process().watch_claim(HoldId::of(client.process().id(), 1), TextId{},
                                 client.now() + 1_s);
    client.sleep_for(5_s);
  });
  kit.run();
  return kit.times(EventKind::claim_end, "client-1");
}

TEST(ClaimWatch, FollowsTheMonotonicClockAlsoWhilePaused) {
  EXPECT_EQ(claim_ends_under(clock_fault(200_ms, FaultKind::pause, 3_s)),
            std::vector<Duration>{1_s});
  EXPECT_EQ(claim_ends_under(clock_fault(200_ms, FaultKind::jump, {}, 3_s)),
            std::vector<Duration>{1_s});
  EXPECT_EQ(claim_ends_under(clock_fault(200_ms, FaultKind::freeze, 3_s)),
            std::vector<Duration>{4_s});
  EXPECT_EQ(claim_ends_under(clock_fault(200_ms, FaultKind::suspend, 3_s)),
            std::vector<Duration>{4_s});
  EXPECT_EQ(
      claim_ends_under(clock_fault(0_ms, FaultKind::rate, Duration::forever(), {}, 1'000'000'000)),
      std::vector<Duration>{500_ms});
}

TEST(ClaimWatch, DiesWithItsProcess) {
  PlannedFault fault = at_time(200_ms, FaultKind::kill, "client-1");
  fault.restarts = false;
  EXPECT_TRUE(claim_ends_under(fault).empty());
}

TEST(RpcDeadline, FollowsTheClientsClock) {
  Kit kit;
  kit.command_timeout = 1_s;
  kit.fault(at_time(0_ms, FaultKind::node_pause, "redis-1"));
  kit.fault(clock_fault(200_ms, FaultKind::rate, Duration::forever(), {}, 1'000'000'000));
  kit.client([](Client& client) { client.redis().get("k"); });
  kit.run_until(10_s);
  EXPECT_EQ(kit.times(EventKind::timed_out), std::vector<Duration>{600_ms});
}

/// When a primary that was replaced at 100 ms is demoted, 8 s later by the orchestrator's clock.
std::vector<Duration> demotions_under(const PlannedFault& fault) {
  Kit kit(testing::replicated_world(1));
  kit.fault(at_time(100_ms, FaultKind::failover, "redis-1"));
  kit.fault(fault);
  kit.client([](Client& client) { client.sleep_for(10_s); });
  kit.run_until(10_s);
  return kit.times(EventKind::demoted, "redis-1");
}

TEST(Demotion, FollowsTheOrchestratorsClock) {
  const auto of = [](FaultKind kind, Duration length, std::int64_t ppb = 0) {
    return clock_fault(1_s, kind, length, {}, ppb, "orchestrator");
  };
  EXPECT_EQ(demotions_under(of(FaultKind::freeze, 300_ms)), std::vector<Duration>{8400_ms});
  EXPECT_EQ(demotions_under(of(FaultKind::rate, 400_ms, 1'000'000'000)),
            std::vector<Duration>{7700_ms});
  EXPECT_EQ(demotions_under(clock_fault(1_s, FaultKind::freeze, 300_ms)),
            std::vector<Duration>{8100_ms});
}

TEST(OverlappingClockFaults, EachEndsByItself) {
  Kit kit;
  kit.fault(clock_fault(0_ms, FaultKind::rate, 400_ms, {}, 1'000'000'000));
  kit.fault(clock_fault(200_ms, FaultKind::slew, Duration::forever(), 40_ms, 100'000'000));
  kit.client([](Client& client) { client.sleep_for(10_s); });
  kit.run_until(1_s);
  // The slew drifts 40 ms whatever else happens; the rate gains 400 ms.
  const Instant later = Instant::origin() + 1_s;
  EXPECT_EQ(kit.host_of("client-1").monotonic.read(later) - LocalInstant::origin(), 1440_ms);
  EXPECT_EQ(kit.host_of("client-1").wall.read(later) - kWallEpoch, 1440_ms);
}

TEST(OverlappingClockFaults, ClockRunsHoweverManySlowItDown) {
  Kit kit;
  kit.fault(clock_fault(0_ms, FaultKind::rate, 500_ms, {}, -750'000'000));
  kit.fault(clock_fault(0_ms, FaultKind::rate, 500_ms, {}, -750'000'000));
  kit.client([](Client& client) { client.sleep_for(10_s); });
  kit.run_until(1_s);
  const Instant later = Instant::origin() + 1_s;
  EXPECT_EQ(kit.host_of("client-1").monotonic.read(later) - LocalInstant::origin(), 505_ms);
}

TEST(Slew, DriftsTowardsItsOffsetWhateverTheSignOfItsRate) {
  EXPECT_EQ(
      waking_under(clock_fault(0_ms, FaultKind::slew, Duration::forever(), -(50_ms), 100'000'000)),
      1050_ms);
}

TEST(OverlappingClockFaults, JumpLeavesTheOrderOfMonotonicTimersAlone) {
  WorldConfig config = testing::small_world();
  config.hosts.push_back({"machine", {"client-1", "client-2"}, Duration(), 0});
  std::string order;
  Kit kit(config);
  kit.fault(clock_fault(100_ms, FaultKind::jump, {}, 1_s, 0, "client-2"));
  kit.client([&](Client& client) {
    client.sleep_for(500_ms);
    order += '1';
  });
  kit.client([&](Client& client) {
    client.sleep_for(500_ms);
    order += '2';
  });
  kit.run();
  EXPECT_EQ(order, "12");
}

TEST(OverlappingClockFaults, FreezeAndSuspendBothMustEnd) {
  EXPECT_EQ(waking_under(clock_fault(200_ms, FaultKind::freeze, 300_ms)), 1300_ms);
  Kit kit;
  kit.fault(clock_fault(200_ms, FaultKind::freeze, 300_ms));
  kit.fault(clock_fault(300_ms, FaultKind::suspend, 500_ms));
  Duration woke;
  Duration wall;
  kit.client([&](Client& client) {
    client.sleep_for(1_s);
    woke = kit.now();
    wall = client.wall_now() - kWallEpoch;
  });
  kit.run();
  EXPECT_EQ(woke, 1600_ms);  // The monotonic clock stood from 200 to 800 ms,
  EXPECT_EQ(wall, 1300_ms);  // the wall clock from 200 to 500 ms.
}

TEST(SharedHost, ClocksAndTheirFaultsAreShared) {
  WorldConfig config = testing::small_world();
  config.hosts.push_back({"machine", {"client-1", "client-2"}, Duration(), 0});
  config.hosts.push_back({"late", {"client-3"}, -(2_s), 0});
  Kit kit(config);
  kit.fault(clock_fault(100_ms, FaultKind::freeze, 1_s));
  std::vector<Duration> woke(3);
  std::vector<Duration> wall(3);
  for (std::size_t i = 0; i < 3; ++i) {
    kit.client([&, i](Client& client) {
      wall[i] = client.wall_now() - kWallEpoch;
      client.sleep_for(500_ms);
      woke[i] = kit.now();
    });
  }
  kit.run();
  EXPECT_EQ(woke, (std::vector<Duration>{1500_ms, 1500_ms, 500_ms}));
  EXPECT_EQ(wall, (std::vector<Duration>{{}, {}, -(2_s)}));
}

}  // namespace
}  // namespace locklab
