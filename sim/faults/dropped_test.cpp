// Dropped faults: what cannot be at a point strikes nobody, and is no deviation of the run.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sim/faults/faults_testing.h"

namespace locklab {
namespace {

using testing::at_time;
using testing::Drawn;
using testing::small_world;
using testing::value_of;

TEST(DroppedFault, StrikesNobodyWhoIsDead) {
  for (const FaultKind kind :
       {FaultKind::stall, FaultKind::cancel, FaultKind::pause, FaultKind::panic, FaultKind::kill}) {
    Drawn drawn;
    PlannedFault death = at_time(1_ms, FaultKind::kill, "client-1");
    death.restarts = false;
    drawn.kit.fault(death);
    drawn.strike(value_of(kind)).run();
    EXPECT_EQ(drawn.kit.count(EventKind::fault_begin), 1U) << name_of(kind);
    EXPECT_TRUE(drawn.kit.world().choices().taken().empty()) << name_of(kind);
  }
  for (const FaultKind kind : {FaultKind::node_pause, FaultKind::node_kill, FaultKind::evict,
                               FaultKind::flush, FaultKind::host_loss}) {
    Drawn drawn;
    PlannedFault death = at_time(1_ms, FaultKind::node_kill, "replica-1");
    death.restarts = false;
    drawn.kit.fault(death);
    drawn.strike(value_of(kind, 0, 2)).run();
    EXPECT_EQ(drawn.kit.count(EventKind::fault_begin), 1U) << name_of(kind);
    EXPECT_TRUE(drawn.kit.world().choices().taken().empty()) << name_of(kind);
  }
}

TEST(DroppedFault, HasNothingToActOn) {
  // No connection at the point, no replica to slow down or to promote, no key to evict.
  EXPECT_EQ(Drawn().strike(value_of(FaultKind::reset), Label::hold_check_ok).victim(), "");
  EXPECT_EQ(Drawn().strike(value_of(FaultKind::lost_reply), Label::hold_check_ok).victim(), "");
  EXPECT_EQ(Drawn(small_world()).strike(value_of(FaultKind::lag)).victim(), "");
  EXPECT_EQ(Drawn(small_world()).strike(value_of(FaultKind::failover)).victim(), "");
  EXPECT_EQ(Drawn().strike(value_of(FaultKind::evict, 0, 2)).victim(), "");
  WorldConfig independent = small_world();
  independent.topology.nodes = 2;
  EXPECT_EQ(Drawn(independent).strike(value_of(FaultKind::failover)).victim(), "");
}

TEST(DroppedFault, FailoverNeedsAReplicaThatCanBePromoted) {
  for (const FaultKind kind : {FaultKind::node_kill, FaultKind::node_pause}) {
    Drawn drawn;
    PlannedFault outage = at_time(1_ms, kind, "replica-1");
    outage.restarts = false;
    drawn.kit.fault(outage);
    drawn.strike(value_of(FaultKind::failover)).kit.run_until(100_ms);
    EXPECT_EQ(drawn.kit.count(EventKind::fault_begin), 1U) << name_of(kind);
    EXPECT_TRUE(drawn.kit.world().choices().taken().empty());
  }
}

TEST(DroppedFault, LeansOnADeadlineThatIsNotPendingOrTooNear) {
  Drawn drawn;
  drawn.kit.begin();
  FaultValue value = value_of(FaultKind::pause);
  const ActorId client = drawn.kit.actor("client-1");
  value.length = Bucket::at(DeadlineKind::restart, client, 0, Bucket::Side::after);
  EXPECT_EQ(Drawn().strike(value).victim(), "");
  value.length = Bucket::at(DeadlineKind::key_expiry, client, 1, Bucket::Side::after);
  EXPECT_EQ(Drawn().strike(value).victim(), "");
  // The client's own timeout, 95 ms from here; 63 + 1 eighths of a round trip are 80 ms.
  value.length = Bucket::at(DeadlineKind::rpc_timeout, client, 0, Bucket::Side::before);
  value.fine = 63;
  EXPECT_EQ(duration_from_bits(Drawn().strike(value).begun()->result), 15_ms);
  Drawn near;
  near.kit.command_timeout = 80_ms;
  EXPECT_EQ(near.strike(value).victim(), "");
}

TEST(DroppedFault, IsOfAKindThatTheSearchDoesNotAllow) {
  for (unsigned k = 1; k < static_cast<unsigned>(FaultKind::count); ++k) {
    Drawn drawn;
    drawn.kit.config().search.of = FaultKinds{~1U & ~(1U << k)};
    EXPECT_EQ(drawn.strike(value_of(static_cast<FaultKind>(k))).victim(), "");
  }
  for (const unsigned kind : {0U, 22U, 255U})
    EXPECT_EQ(Drawn().strike(value_of(static_cast<FaultKind>(kind))).victim(), "");
}

}  // namespace
}  // namespace locklab
