// Overlapping faults of one kind: in force until the last of them ends, and then wholly gone.
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sim/faults/engine.h"
#include "sim/testing.h"

namespace locklab {
namespace {

using testing::at_time;
using testing::Kit;

struct Lasting {
  FaultKind kind;
  std::string_view target;
  bool (*in_force)(Kit& kit);
};

/// Nothing is kept that a look could tell: how long a message takes.
bool takes_longer(Kit& kit, std::string_view from, std::string_view to) {
  Network& network = kit.network();
  const ConnectionId id = network.open(kit.actor(from), kit.actor(to));
  Message message;
  message.kind = MessageKind::end;
  network.send(id, Direction::to_server, message);
  bool longer = false;
  network.for_each_in_flight([&](const Connection& c, Direction, const Message& sent) {
    if (&c == &network.at(id)) longer = sent.arrival - kit.world().now() > 5_ms;
  });
  return longer;
}

const Lasting kLasting[] = {
    {FaultKind::slow, "client-1",
     [](Kit& kit) {
       return takes_longer(kit, "client-1", "redis-1") && takes_longer(kit, "redis-1", "client-1");
     }},
    {FaultKind::lag, "replica-1",
     [](Kit& kit) { return takes_longer(kit, "redis-1", "replica-1"); }},
    {FaultKind::pause, "client-1", [](Kit& kit) { return kit.process(0).paused(); }},
    {FaultKind::node_pause, "redis-1", [](Kit& kit) { return kit.node(0).paused(); }},
    {FaultKind::cut, "client-1",
     [](Kit& kit) {
       return kit.network().is_cut(kit.actor("client-1"), kit.actor("redis-1")) &&
              kit.network().is_cut(kit.actor("redis-1"), kit.actor("client-1"));
     }},
    {FaultKind::slew, "redis-1", [](Kit& kit) { return kit.host_of("redis-1").drift_ppb != 0; }},
    {FaultKind::rate, "redis-1", [](Kit& kit) { return kit.host_of("redis-1").drift_ppb != 0; }},
    {FaultKind::suspend, "client-1",
     [](Kit& kit) {
       return kit.process(0).paused() && !kit.host_of("client-1").monotonic.running();
     }},
    {FaultKind::freeze, "client-1",
     [](Kit& kit) { return kit.process(0).paused() && !kit.host_of("client-1").wall.running(); }},
};

PlannedFault planned(const Lasting& row, Duration from, Duration to) {
  PlannedFault fault = at_time(from, row.kind, row.target);
  fault.length = to - from;
  fault.offset = row.kind == FaultKind::slew ? (to - from) / 10 : 7_ms;
  fault.ppb = 100'000'000;
  if (row.kind == FaultKind::slow || row.kind == FaultKind::cut) fault.peer = "redis-1";
  return fault;
}

/// "00111100": whether it is in force in the middle of each ten milliseconds.
std::string in_force(const Lasting& row, const std::vector<PlannedFault>& faults) {
  Kit kit(testing::replicated_world(1));
  for (const PlannedFault& fault : faults)
    kit.fault(fault);
  kit.client([](Client& client) { client.sleep_for(1_s); });
  std::string text;
  for (Duration t = 5_ms; t < 90_ms; t = t + 10_ms) {
    kit.run_until(t);
    // Messages are timed from the present; something must be due then.
    kit.world().schedule(Instant::origin() + t, {.type = EventType::custom});
    kit.run_until(t);
    text += row.in_force(kit) ? '1' : '0';
  }
  return text;
}

TEST(OverlappingFaults, AreInForceUntilTheLastOneEnds) {
  for (const Lasting& row : kLasting) {
    EXPECT_EQ(in_force(row, {planned(row, 10_ms, 50_ms), planned(row, 30_ms, 70_ms)}), "011111100")
        << name_of(row.kind);
  }
}

TEST(OverlappingFaults, AreNotEndedByAShorterOneWithin) {
  for (const Lasting& row : kLasting) {
    EXPECT_EQ(in_force(row, {planned(row, 10_ms, 70_ms), planned(row, 20_ms, 40_ms)}), "011111100")
        << name_of(row.kind);
  }
}

TEST(OverlappingFaults, MayFollowOneAnother) {
  for (const Lasting& row : kLasting) {
    EXPECT_EQ(in_force(row, {planned(row, 10_ms, 30_ms), planned(row, 50_ms, 60_ms)}), "011001000")
        << name_of(row.kind);
  }
}

TEST(OverlappingFaults, OfTheSameLengthEndTogether) {
  for (const Lasting& row : kLasting) {
    EXPECT_EQ(in_force(row, {planned(row, 10_ms, 30_ms), planned(row, 10_ms, 30_ms)}), "011000000")
        << name_of(row.kind);
  }
}

TEST(OverlappingFaults, OfAFiberStallItUntilTheLaterEnd) {
  for (const Duration second : {40_ms, 5_ms}) {
    Kit kit;
    for (const Duration length : {20_ms, second}) {
      PlannedFault fault = at_time(10_ms, FaultKind::stall, "client-1");
      fault.length = length;
      kit.fault(fault);
    }
    Duration woke;
    kit.client([&](Client& client) {
      client.sleep_for(15_ms);
      woke = kit.now();
    });
    kit.run();
    EXPECT_EQ(woke, std::max(30_ms, 10_ms + second));
  }
}

TEST(EndlessFaults, EndWhenAllFaultsStopAndOnlyThen) {
  for (const FaultKind kind : {FaultKind::slow, FaultKind::cut, FaultKind::rate}) {
    Kit kit;
    kit.fault(at_time(10_ms, kind, "client-1"));
    kit.client([](Client& client) { client.sleep_for(1_s); });
    kit.run_until(500_ms);
    EXPECT_EQ(kit.count(EventKind::fault_begin), 1U);
    EXPECT_EQ(kit.count(EventKind::fault_end), 0U);
    kit.simulation().faults().stop();
    EXPECT_EQ(kit.count(EventKind::fault_end), 1U) << name_of(kind);
    EXPECT_EQ(kit.host_of("client-1").drift_ppb, 0);
    EXPECT_FALSE(kit.network().is_cut(kit.actor("client-1"), kit.actor("redis-1")));
  }
}

TEST(LastEnd, IsWhenTheLastFaultInForceEndsByItself) {
  Kit kit;
  for (const Lasting& row : {kLasting[0], kLasting[4], kLasting[5]})
    kit.fault(planned(row, 10_ms, row.kind == FaultKind::cut ? 70_ms : 50_ms));
  kit.fault(at_time(20_ms, FaultKind::rate, "client-1"));  // Without an end.
  kit.client([](Client& client) { client.sleep_for(1_s); });
  kit.run_until(30_ms);
  const FaultEngine& faults = kit.simulation().faults();
  EXPECT_EQ(faults.last_end(), Instant::origin() + 70_ms);
  kit.run_until(100_ms);
  EXPECT_EQ(faults.last_end(), kit.world().now());
}

PlannedFault stopped(Duration from, Duration length) {
  PlannedFault fault = at_time(from, FaultKind::node_pause, "redis-1");
  fault.length = length;
  return fault;
}

TEST(PausedNode, ReadsAFlushOnlyWhenItRunsOn) {
  Kit kit(testing::replicated_world(1));
  kit.fault(stopped(50_ms, 100_ms));
  kit.fault(at_time(80_ms, FaultKind::flush, "redis-1"));
  kit.client([&kit](Client& client) {
    client.redis().set("k", "v");
    client.sleep_for(100_ms);
    EXPECT_EQ(kit.value_of("k"), "v");
  });
  kit.run_until(1_s);
  EXPECT_EQ(kit.times(EventKind::fault_begin), (std::vector<Duration>{50_ms, 80_ms}));
  EXPECT_EQ(kit.times(EventKind::key_deleted, "redis-1"), std::vector<Duration>{150_ms});
  EXPECT_EQ(kit.times(EventKind::key_deleted, "replica-1"), std::vector<Duration>{155_ms});
}

TEST(PausedNode, ThatDiesNeverReadsTheFlush) {
  WorldConfig config = testing::small_world();
  config.topology.persistence = Persistence::always;
  Kit kit(config);
  kit.fault(stopped(50_ms, 100_ms));
  kit.fault(at_time(80_ms, FaultKind::flush, "redis-1"));
  PlannedFault kill = at_time(90_ms, FaultKind::node_kill, "redis-1");
  kill.length = 10_ms;
  kit.fault(kill);
  kit.client([](Client& client) { client.redis().set("k", "v"); });
  kit.run_until(1_s);
  EXPECT_EQ(kit.value_of("k"), "v");
}

TEST(PausedNode, EvictsNothing) {
  Kit kit;
  kit.fault(stopped(50_ms, 100_ms));
  kit.fault(at_time(80_ms, FaultKind::evict, "redis-1"));
  kit.client([](Client& client) { client.redis().set("k", "v"); });
  kit.run_until(1_s);
  EXPECT_EQ(kit.count(EventKind::fault_begin), 1U);
  EXPECT_EQ(kit.value_of("k"), "v");
}

TEST(StoppedFaults, StrikeNoMore) {
  Kit kit;
  kit.fault(at_time(300_ms, FaultKind::flush, "redis-1"));
  kit.fault(testing::at_label(Label::srv_applied, FaultKind::flush, 2));
  kit.client([](Client& client) {
    client.redis().set("k", "v");
    client.sleep_for(500_ms);
    EXPECT_EQ(client.redis().get("k").text(), "v");
  });
  kit.run_until(100_ms);
  kit.simulation().faults().stop();
  kit.run();
  EXPECT_EQ(kit.count(EventKind::fault_begin), 0U);
}

}  // namespace
}  // namespace locklab
