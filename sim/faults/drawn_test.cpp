// Drawn faults: from one value to target, length and size; clamped, and dropped where impossible.
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sim/faults/faults_testing.h"

namespace locklab {
namespace {

using testing::at_time;
using testing::Drawn;
using testing::Kit;
using testing::searching;
using testing::small_world;
using testing::value_of;

TEST(DrawnFault, IsOneDeviationAtItsPoint) {
  for (unsigned k = 1; k < static_cast<unsigned>(FaultKind::count); ++k) {
    const FaultValue value = value_of(static_cast<FaultKind>(k));
    Drawn drawn;
    const std::optional<Record> begin = drawn.strike(value).begun();
    ASSERT_TRUE(begin) << name_of(value.kind);
    EXPECT_EQ(begin->label, Label::srv_applied);
    EXPECT_EQ(static_cast<std::uint64_t>(begin->arg), value.pack());
    const Deviation taken = drawn.kit.world().choices().taken()[0];
    EXPECT_EQ(taken.value, value.pack());
    EXPECT_EQ(taken.address.kind(), ChoiceKind::fault_at_label);
    EXPECT_EQ(taken.address.actor(), drawn.kit.actor("redis-1"));
    EXPECT_EQ(taken.address.cause().actor(), drawn.kit.actor("client-1"));
  }
}

// --- Targets
// --------------------------------------------------------------------------------------

struct TargetRow {
  FaultKind kind;
  std::uint8_t target;
  const char* victim;
};

// Actors that can be struck: redis-1, replica-1, client-1; a number beyond the last one means it.
constexpr TargetRow kTargets[] = {
    {FaultKind::pause, 0, "client-1"},       {FaultKind::pause, 9, "client-1"},
    {FaultKind::node_pause, 0, "redis-1"},   {FaultKind::node_pause, 1, "redis-1"},
    {FaultKind::node_pause, 2, "replica-1"}, {FaultKind::node_pause, 200, "replica-1"},
    {FaultKind::jump, 0, "redis-1"},         {FaultKind::jump, 1, "redis-1"},
    {FaultKind::jump, 2, "replica-1"},       {FaultKind::jump, 3, "client-1"},
    {FaultKind::jump, 255, "client-1"},      {FaultKind::cut, 0, "client-1"},
    {FaultKind::cut, 4, "client-1"},         {FaultKind::lag, 0, "replica-1"},
    {FaultKind::lag, 1, "replica-1"},        {FaultKind::lag, 7, "replica-1"},
    {FaultKind::reset, 3, "redis-1"},
};

TEST(DrawnFault, CountsTargetsInOrderOfCreationAndClamps) {
  for (const TargetRow& row : kTargets) {
    EXPECT_EQ(Drawn().strike(value_of(row.kind, 0, row.target)).victim(), row.victim)
        << name_of(row.kind) << " " << int{row.target};
  }
}

TEST(DrawnFault, OfALinkNamesItsServer) {
  // Nodes, then the resource, then the counter.
  const std::string_view servers[] = {"redis-1",  "redis-1", "replica-1",
                                      "resource", "counter", "counter"};
  for (std::uint8_t target = 0; target < 6; ++target) {
    Drawn drawn;
    FaultValue value = value_of(FaultKind::cut, 0, target);
    value.length = Bucket::constant(Bucket::ttl);
    drawn.strike(value).kit.run_until(100_ms);
    for (const std::string_view server : {"redis-1", "replica-1", "resource", "counter"}) {
      EXPECT_EQ(drawn.kit.network().is_cut(drawn.kit.actor("client-1"), drawn.kit.actor(server)),
                server == servers[target])
          << server << " " << int{target};
    }
  }
}

// --- Lengths and sizes
// ----------------------------------------------------------------------------

Duration length_of(const FaultValue& value) {
  return duration_from_bits(Drawn().strike(value).begun()->result);
}

TEST(DrawnFault, LastsAConstantOfTheScenarioAndEighthsOfARoundTrip) {
  const Duration constants[] = {10_ms, 1_s / 3, 980_ms, 1_s, 1001_ms, 2_s};
  for (std::uint16_t c = 0; c < Bucket::constant_count; ++c) {
    FaultValue value = value_of(FaultKind::pause);
    value.length = Bucket::constant(static_cast<Bucket::Constant>(c));
    EXPECT_EQ(length_of(value), constants[c]);
    value.fine = 3;
    EXPECT_EQ(length_of(value), constants[c] + 10_ms * 3 / 8);
  }
  FaultValue beyond = value_of(FaultKind::pause);
  beyond.length = Bucket{Bucket::constant_count + 5};
  EXPECT_EQ(length_of(beyond), 2_s);
}

TEST(DrawnFault, EndsJustBeforeOrJustAfterADeadlineOfTheWorld) {
  // Set at 5 ms with PX 500: the key is dead from 506 ms on.
  Drawn drawn;
  drawn.kit.begin();
  FaultValue value = value_of(FaultKind::pause);
  for (const auto side : {Bucket::Side::before, Bucket::Side::after}) {
    value.length = Bucket::at(DeadlineKind::key_expiry, drawn.kit.actor("client-1"), 0, side);
    value.fine = 1;
    EXPECT_EQ(length_of(value),
              side == Bucket::Side::before ? 501_ms - 10_ms / 4 : 501_ms + 10_ms / 4);
  }
}

/// What a kind's second number means, by what it does.
struct SecondRow {
  Duration size;  // Record fault_begin.
  FaultKind kind;
  std::uint16_t second;
  bool comes_back;  // Whoever was killed.
  EndKind end = EndKind::kill;
};

const SecondRow kSeconds[] = {
    {10_ms, FaultKind::slow, 0, false},
    {1_s, FaultKind::slow, 3, false},
    {2_s, FaultKind::slow, 99, false},
    {1001_ms, FaultKind::lag, 4, false},
    {10_ms, FaultKind::jump, 0, false},
    {-(10_ms), FaultKind::jump, 1, false},
    {10_ms, FaultKind::slew, 0, false},
    {-(10_ms), FaultKind::slew, 1, false},
    {1_s, FaultKind::slew, 6, false},
    {-(1_s), FaultKind::slew, 7, false},
    {{}, FaultKind::kill, 0, false},
    {{}, FaultKind::kill, 1, true},
    {{}, FaultKind::node_kill, 0, true},
    {{}, FaultKind::node_kill, 1, false},
    {{}, FaultKind::node_kill, 2, true, EndKind::host_loss},
    {{}, FaultKind::node_kill, 3, false, EndKind::host_loss},
    {{}, FaultKind::node_kill, 4, false, EndKind::host_loss},
    {{}, FaultKind::host_loss, 0, true, EndKind::host_loss},
    {{}, FaultKind::host_loss, 1, false, EndKind::host_loss},
};

TEST(DrawnFault, ReadsItsSecondNumberByKind) {
  for (const SecondRow& row : kSeconds) {
    SCOPED_TRACE(std::string(name_of(row.kind)) + " " + std::to_string(row.second));
    Drawn drawn;
    const Record begin = drawn.strike(value_of(row.kind, row.second)).begun().value();
    EXPECT_EQ(duration_from_bits(begin.local), row.size);
    const bool client_again = drawn.kit.count(EventKind::fiber_began, "client-1") == 2;
    const bool node_again = drawn.kit.count(EventKind::restarted) == 1;
    EXPECT_EQ(client_again || node_again, row.comes_back);
    for (const Record& killed : drawn.kit.all(EventKind::killed))
      EXPECT_EQ(static_cast<EndKind>(killed.arg), row.end);
  }
}

TEST(DrawnFault, CutsOneWayOrBothByItsSecondNumber) {
  for (std::uint16_t second = 0; second < 5; ++second) {
    Drawn drawn;
    FaultValue value = value_of(FaultKind::cut, second);
    value.length = Bucket::constant(Bucket::ttl);
    drawn.strike(value).kit.run_until(100_ms);
    const ActorId client = drawn.kit.actor("client-1");
    const ActorId server = drawn.kit.actor("redis-1");
    EXPECT_EQ(drawn.kit.network().is_cut(client, server), second < 2) << second;
    EXPECT_EQ(drawn.kit.network().is_cut(server, client), second != 1) << second;
  }
}

TEST(DrawnFault, PanicsRecoveredOrNotByItsSecondNumber) {
  for (std::uint16_t second = 0; second < 2; ++second) {
    Drawn drawn;
    drawn.strike(value_of(FaultKind::panic, second)).run();
    EXPECT_EQ(drawn.kit.count(EventKind::killed), second);
  }
}

TEST(DrawnFault, RunsClocksFastOrSlowByItsSecondNumber) {
  const std::int64_t rates[] = {1'000'000'000, -500'000'000, 3'000'000'000, -750'000'000};
  for (std::uint16_t second = 0; second < 4; ++second) {
    Drawn drawn;
    FaultValue value = value_of(FaultKind::rate, second);
    value.length = Bucket::constant(Bucket::ttl);
    drawn.strike(value).kit.run_until(100_ms);
    EXPECT_EQ(drawn.kit.host_of("redis-1").drift_ppb, rates[second]);
    EXPECT_EQ(drawn.kit.host_of("client-1").drift_ppb, 0);
  }
}

TEST(DrawnFault, EvictsTheKeyOfItsNumberInSortedOrder) {
  const char* const lost[] = {"a", "b", "c", "c"};
  for (std::uint16_t second = 0; second < 4; ++second) {
    Kit kit(searching(small_world()));
    kit.choices().strike(value_of(FaultKind::evict, second),
                         {.label = Label::srv_applied, .nth = 3});
    kit.client([](Client& client) {
      for (const char* key : {"c", "a", "b"})
        client.redis().set(key, "v");
    });
    kit.run();
    const Record gone = kit.all(EventKind::key_deleted).at(0);
    EXPECT_EQ(kit.history().text(gone.lock), lost[second]);
    EXPECT_FALSE(gone.hold_id());
    EXPECT_EQ(kit.node(0).database().keys.size(), 2U);
  }
}

TEST(DrawnFaults, AreNotAskedForBeyondTheirNumberNorAtOtherLabels) {
  WorldConfig config = searching(small_world(), 2);
  config.search.at_labels = 1U << static_cast<unsigned>(Label::srv_applied);
  Kit kit(config);
  kit.choices().strike(value_of(FaultKind::flush), {});
  kit.client([](Client& client) {
    for (int i = 0; i < 5; ++i)
      client.redis().set("k", "v");
    client.reach(Label::hold_check_ok);
  });
  kit.run();
  EXPECT_EQ(kit.count(EventKind::fault_begin), 2U);
  EXPECT_EQ(kit.choices().draws(ChoiceKind::fault_at_label).size(), 2U);
}

TEST(DrawnFault, LeansOnTheDeadlineThatItsLengthNames) {
  const auto witness_of = [](Bucket length) {
    Drawn drawn;
    FaultValue value = value_of(FaultKind::pause);
    value.length = length;
    EXPECT_TRUE(drawn.strike(value).begun());
    return drawn.kit.world().choices().taken()[0].witness;
  };
  Drawn world;
  world.kit.begin();
  const ActorId client = world.kit.actor("client-1");
  const Witness none = witness_of(Bucket::constant(Bucket::ttl));
  const Witness expiry =
      witness_of(Bucket::at(DeadlineKind::key_expiry, client, 0, Bucket::Side::after));
  const Witness timeout =
      witness_of(Bucket::at(DeadlineKind::rpc_timeout, client, 0, Bucket::Side::after));
  EXPECT_EQ(none, witness_of(Bucket::constant(Bucket::twice_ttl)));
  EXPECT_NE(none, expiry);
  EXPECT_NE(none, timeout);
  EXPECT_NE(expiry, timeout);
}

TEST(DrawnFault, MayLeanOnAnyKeyThatExpires) {
  Kit kit(searching(small_world()));
  kit.client([](Client& client) {
    for (const Duration px : {500_ms, 800_ms})
      client.redis().set(px == 500_ms ? "a" : "b", "v", {.px = px});
    client.reach(Label::hold_check_ok);
  });
  kit.begin();
  FaultValue value = value_of(FaultKind::pause);
  value.length =
      Bucket::at(DeadlineKind::key_expiry, kit.actor("client-1"), 1, Bucket::Side::after);
  kit.choices().strike(value, {.label = Label::hold_check_ok, .nth = 1});
  kit.run();
  // The second key is set at 15 ms and dead from 816 ms on.
  const std::vector<Record> struck = kit.all(EventKind::fault_begin);
  ASSERT_EQ(struck.size(), 1U);
  EXPECT_EQ(testing::since_start(struck[0]) + duration_from_bits(struck[0].result),
            816_ms + 10_ms / 8);
}

TEST(DrawnFault, MayLastUntilAnotherOneEnds) {
  Drawn drawn;
  PlannedFault outage = at_time(1_ms, FaultKind::node_pause, "replica-1");
  outage.length = 300_ms;
  drawn.kit.fault(outage);
  drawn.kit.begin();
  FaultValue value = value_of(FaultKind::pause);
  value.length =
      Bucket::at(DeadlineKind::fault_end, drawn.kit.actor("replica-1"), 0, Bucket::Side::after);
  drawn.strike(value).run();
  const std::vector<Record> struck = drawn.kit.all(EventKind::fault_begin, "client-1");
  ASSERT_EQ(struck.size(), 1U);
  EXPECT_EQ(testing::since_start(struck[0]) + duration_from_bits(struck[0].result),
            301_ms + 10_ms / 8);
}

}  // namespace
}  // namespace locklab
