// World: the order of dispatch, deferral, limits, and records that carry their cause.
// SPDX-License-Identifier: Apache-2.0
#include "sim/world.h"

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sim/contract.h"
#include "sim/testing.h"

namespace locklab {
namespace {

using testing::ScriptedSource;

/// Notes the `a` of each event that it gets, and perhaps does something.
class Note : public Actor {
 public:
  void handle(const Event& event) override {
    heard += static_cast<char>('a' + event.a);
    if (then) then(event);
  }
  std::string heard;
  std::function<void(const Event&)> then;
};

class WorldTest : public ::testing::Test {
 public:
  void begin() {
    world.begin(config, source, 0, root);
    world.add_actor(note, "note", ActorKind::process, world.add_host(Duration(), 0));
    world.seal();
  }
  Event event(std::uint32_t a, EventType type = EventType::custom, bool watch = false) {
    Event e{.type = type, .watch = watch, .actor = note.id(), .span = Span{a + 1}};
    e.a = a;
    return e;
  }
  /// Each with a span of its own, as different clients' work has.
  void schedule(Duration when, std::uint32_t a, bool watch = false) {
    world.schedule_as({Span{a + 1}, {}, 0}, Instant::origin() + when,
                      event(a, EventType::custom, watch));
  }
  void run() {
    while (world.step()) {
    }
  }
  WorldConfig config = testing::small_world();
  ScriptedSource source;
  Note root;
  Note note;
  World world;
};

TEST_F(WorldTest, TimeMovesOnlyToWhatIsDue) {
  begin();
  schedule(3_ms, 0);
  schedule(1_ms, 1);
  EXPECT_EQ(world.now(), Instant::origin());
  EXPECT_TRUE(world.step());
  EXPECT_EQ(world.now(), Instant::origin() + 1_ms);
  run();
  EXPECT_EQ(note.heard, "ba");
  EXPECT_EQ(world.now(), Instant::origin() + 3_ms);
}

TEST_F(WorldTest, NothingIsScheduledIntoThePast) {
  begin();
  schedule(3_ms, 0);
  run();
  EXPECT_THROW(schedule(2_ms, 1), ContractFailure);
}

TEST_F(WorldTest, DeferIsDrawnOncePerEventUnderItsOwnAddressAndOnlyWhenOthersAreDue) {
  begin();
  schedule(1_ms, 0);
  schedule(1_ms, 1);
  schedule(1_ms, 2, true);
  schedule(2_ms, 3);
  run();
  const auto draws = source.draws(ChoiceKind::defer);
  ASSERT_EQ(draws.size(), 1U);  // The last of an instant has nobody to wait for; nor has d.
  EXPECT_EQ(draws[0].address.cause(), Span{1});
  EXPECT_EQ(draws[0].address.actor(), note.id());
  EXPECT_EQ(draws[0].bound, 2U);
  EXPECT_EQ(world.choices().visits(), 3U);  // Visits are counted all the same; a watch has none.
}

TEST_F(WorldTest, DeferredEventGoesBehindThatManyOthersAndIsNotAskedAgain) {
  source.set(ChoiceKind::defer, 2, {.span = Span{1}});
  begin();
  for (std::uint32_t a = 0; a < 4; ++a)
    schedule(1_ms, a);
  run();
  EXPECT_EQ(note.heard, "bcad");
  int asked = 0;
  for (const auto& draw : source.draws(ChoiceKind::defer)) {
    asked += draw.address.cause() == Span{1} ? 1 : 0;
  }
  EXPECT_EQ(asked, 1);
}

TEST_F(WorldTest, DeferralsOfSeveralEventsCompose) {
  source.set(ChoiceKind::defer, 1, {.span = Span{1}});
  source.set(ChoiceKind::defer, 2, {.span = Span{2}});
  begin();
  for (std::uint32_t a = 0; a < 3; ++a)
    schedule(1_ms, a);
  run();
  EXPECT_EQ(note.heard, "acb");  // a behind b; then b behind a and c; c and a keep their order.
}

TEST_F(WorldTest, DeferralNeverLeavesItsInstant) {
  source.set(ChoiceKind::defer, 1'000'000);
  begin();
  schedule(1_ms, 0);
  schedule(1_ms, 1);
  schedule(2_ms, 2);
  run();
  EXPECT_EQ(note.heard.back(), 'c');
}

TEST_F(WorldTest, WatchesAreNeitherAskedNorCountedAsSteps) {
  source.set(ChoiceKind::defer, 1);
  begin();
  schedule(1_ms, 0, true);
  schedule(1_ms, 1);
  run();
  EXPECT_EQ(note.heard, "ab");
  EXPECT_EQ(world.steps(), 1U);
  EXPECT_TRUE(source.draws().empty());
}

TEST_F(WorldTest, ThatOnlyWatchesAreLeftIsSaid) {
  begin();
  schedule(1_ms, 0, true);
  world.schedule(Instant::never(), event(1));  // Never comes.
  EXPECT_TRUE(world.only_watches_left());
  schedule(2_ms, 2);
  EXPECT_FALSE(world.only_watches_left());
}

TEST_F(WorldTest, VirtualTimeAndStepsAreLimited) {
  config.limits.virtual_time = 10_ms;
  begin();
  schedule(10_ms, 0);
  schedule(11_ms, 1);
  run();
  EXPECT_EQ(note.heard, "a");
  EXPECT_EQ(world.end(), EndReason::virtual_limit);

  config.limits.steps = 3;
  note.heard.clear();
  begin();
  for (std::uint32_t a = 0; a < 5; ++a)
    schedule(1_ms, a);
  run();
  EXPECT_EQ(note.heard, "abc");
  EXPECT_EQ(world.end(), EndReason::step_limit);
}

TEST_F(WorldTest, NothingIsRecordedBehindTheEndOfTheRun) {
  begin();
  world.record({.kind = EventKind::custom});
  world.stop(EndReason::finished);
  const std::uint64_t digest = world.history().digest();
  world.record({.kind = EventKind::custom});
  world.stop(EndReason::repeats);
  EXPECT_EQ(world.end(), EndReason::finished);
  ASSERT_EQ(world.history().records().size(), 2U);
  EXPECT_EQ(world.history().records().back().kind, EventKind::run_end);
  EXPECT_EQ(world.history().digest(), digest);
  EXPECT_FALSE(world.step());
}

TEST_F(WorldTest, RecordsChainTheirCauses) {
  begin();
  note.then = [this](const Event& e) {
    world.record({.actor = note.id().value, .kind = EventKind::custom, .arg = e.a});
    if (e.a == 0) world.schedule(world.now() + 1_ms, event(1));
  };
  schedule(1_ms, 0);
  run();
  ASSERT_EQ(world.history().records().size(), 2U);
  EXPECT_EQ(world.history().records()[0].cause, 0U);
  EXPECT_EQ(world.history().records()[1].cause, 1U);
}

TEST_F(WorldTest, WorkIsInheritedByWhatItSchedules) {
  begin();
  const Span span = Span::of_operation(note.id(), 0, 4, 2);
  Span met{};
  HoldId hold{};
  note.then = [&](const Event& e) {
    if (e.a == 0) world.schedule(world.now() + 1_ms, event(1));
    met = world.work().span;
    hold = world.work().hold;
  };
  world.schedule_as({span, HoldId::of(note.id(), 4), 0}, Instant::origin(), event(0));
  run();
  EXPECT_EQ(note.heard, "ab");
  EXPECT_EQ(met, span);
  EXPECT_EQ(hold, HoldId::of(note.id(), 4));
}

}  // namespace
}  // namespace locklab
