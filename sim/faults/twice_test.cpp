// Faults that strike at once and twice: the second adds up, finds nothing left, or is dropped.
// SPDX-License-Identifier: Apache-2.0
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

/// A client sets two keys and sleeps; the same fault strikes twice at 50 ms.
Kit& strike_twice(Kit& kit, const PlannedFault& fault) {
  kit.fault(fault);
  kit.fault(fault);
  kit.client([](Client& client) {
    client.redis().set("a", "1");
    client.redis().set("b", "2");
    client.sleep_for(1_s);
  });
  kit.run_until(500_ms);
  return kit;
}

PlannedFault sudden(FaultKind kind, std::string_view target) {
  PlannedFault fault = at_time(50_ms, kind, target);
  fault.restarts = false;
  return fault;
}

struct TwiceRow {
  FaultKind kind;
  EventKind effect;
  std::string_view target;
  std::size_t effects;  // Of both.
  std::size_t begins;   // 1: the second had nothing to strike.
};

constexpr TwiceRow kTable[] = {
    {FaultKind::kill, EventKind::killed, "client-1", 1, 1},
    {FaultKind::panic, EventKind::panicked, "client-1", 1, 2},
    {FaultKind::cancel, EventKind::fiber_ended, "client-1", 1, 2},
    {FaultKind::node_kill, EventKind::killed, "redis-1", 1, 1},
    {FaultKind::host_loss, EventKind::killed, "redis-1", 1, 1},
    {FaultKind::evict, EventKind::key_deleted, "redis-1", 2, 2},
    {FaultKind::flush, EventKind::key_deleted, "redis-1", 2, 2},
};

TEST(SuddenFaults, StrikeTwice) {
  for (const TwiceRow& row : kTable) {
    Kit kit;
    strike_twice(kit, sudden(row.kind, row.target));
    EXPECT_EQ(kit.count(row.effect, row.target), row.effects) << name_of(row.kind);
    EXPECT_EQ(kit.count(EventKind::fault_begin, row.target), row.begins) << name_of(row.kind);
  }
}

TEST(SuddenFaults, EvictEachKeyOnce) {
  Kit kit;
  PlannedFault fault = sudden(FaultKind::evict, "redis-1");
  fault.key = "b";
  strike_twice(kit, fault);
  EXPECT_EQ(kit.value_of("a"), "1");
  EXPECT_EQ(kit.value_of("b"), std::nullopt);
  EXPECT_EQ(kit.count(EventKind::fault_begin), 1U);
}

TEST(SuddenFaults, JumpTwiceAsFar) {
  Kit kit;
  PlannedFault fault = sudden(FaultKind::jump, "redis-1");
  fault.offset = -(30_ms);
  strike_twice(kit, fault);
  const Instant later = Instant::origin() + 500_ms;
  EXPECT_EQ(kit.host_of("redis-1").wall.read(later) - kWallEpoch, 440_ms);
  EXPECT_EQ(kit.host_of("client-1").wall.read(later) - kWallEpoch, 500_ms);
}

TEST(SuddenFaults, BreakAConnectionOnce) {
  for (const FaultKind kind : {FaultKind::reset, FaultKind::lost_reply}) {
    Kit kit;
    strike_twice(kit, at_label(Label::srv_applied, kind));
    EXPECT_EQ(kit.times(EventKind::broken), std::vector<Duration>{10_ms}) << name_of(kind);
    EXPECT_EQ(kit.value_of("b"), "2") << name_of(kind);
  }
}

TEST(SuddenFaults, FailOverFromOneReplicaToTheNextWhileThereIsOne) {
  Kit two(replicated_world(2));
  strike_twice(two, sudden(FaultKind::failover, "redis-1"));
  ASSERT_EQ(two.count(EventKind::promoted), 2U);
  EXPECT_EQ(two.all(EventKind::promoted, "replica-1").at(0).epoch, 2U);
  EXPECT_EQ(two.all(EventKind::promoted, "replica-2").at(0).epoch, 3U);
  EXPECT_EQ(&two.orchestrator().primary(), &two.node(2));

  Kit one(replicated_world(1));
  strike_twice(one, sudden(FaultKind::failover, "redis-1"));
  EXPECT_EQ(one.count(EventKind::promoted), 1U);
  EXPECT_EQ(one.count(EventKind::fault_begin), 1U);
}

}  // namespace
}  // namespace locklab
