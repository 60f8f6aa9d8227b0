// Sources: zeros, seeded draws that depend on nothing but (seed, address), and replay.
// SPDX-License-Identifier: Apache-2.0
#include "sim/sources.h"

#include <map>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "sim/testing.h"

namespace locklab {
namespace {

constexpr Witness kWitness{9};

/// A menu of given kinds and deadlines.
class FixedMenu : public FaultMenu {
 public:
  FixedMenu(FaultKinds kinds, std::vector<PendingDeadline> deadlines)
      : kinds_(kinds), deadlines_(std::move(deadlines)) {}
  FaultKinds allowed() const override { return kinds_; }
  std::span<const PendingDeadline> deadlines() const override { return deadlines_; }
  unsigned target_count(FaultKind) const override { return 3; }
  unsigned second_count(FaultKind kind) const override { return kind == FaultKind::cut ? 3 : 1; }
  Witness witness_of_value(std::uint64_t value) const override {
    return Witness{static_cast<std::uint32_t>(value) + 1};
  }

 private:
  FaultKinds kinds_;
  std::vector<PendingDeadline> deadlines_;
};

Address address(std::uint64_t span, ChoiceKind kind = ChoiceKind::delay_at_link,
                std::uint32_t n = 1) {
  return Address::of(Span{span}, ActorId{3}, kind, Label::none, n);
}

/// Every kind at this rate, in 65536ths.
SwarmKnobs knobs_of(std::uint32_t rate) {
  SwarmKnobs knobs;
  knobs.rate.fill(rate);
  knobs.kinds.bits = ~0U;
  return knobs;
}

TEST(ZeroSource, IsTheCalmRun) {
  ZeroSource source;
  const FixedMenu menu(FaultKinds{~0U}, {});
  for (std::uint64_t span = 0; span < 100; ++span) {
    EXPECT_EQ(source.draw(address(span), 1000, kWitness), 0U);
    EXPECT_EQ(source.draw_fault(address(span), menu), 0U);
  }
}

TEST(SeededSource, DrawsTheSameAtAnAddressWhateverWasDrawnBefore) {
  SeededSource alone(1, knobs_of(40'000));
  SeededSource busy(1, knobs_of(40'000));
  for (std::uint64_t span = 1; span < 500; ++span) {
    busy.draw(address(span + 100'000), 7, kWitness);  // Another client's traffic.
    busy.draw(address(span, ChoiceKind::promote), 3, Witness{1});
    EXPECT_EQ(alone.draw(address(span), 32, kWitness), busy.draw(address(span), 32, Witness{4}));
  }
}

TEST(SeededSource, DependsOnEachPartOfTheAddressAndOnTheSeed) {
  const auto draw = [](std::uint64_t seed, const Address& a) {
    SeededSource source(seed, knobs_of(65536));
    return source.draw(a, 1'000'000'000, kWitness);
  };
  const Span span{12};
  std::set<std::uint64_t> values;
  values.insert(draw(1, Address::of(span, ActorId{3}, ChoiceKind::detect, Label::none, 1)));
  values.insert(draw(2, Address::of(span, ActorId{3}, ChoiceKind::detect, Label::none, 1)));
  values.insert(draw(1, Address::of(Span{13}, ActorId{3}, ChoiceKind::detect, Label::none, 1)));
  values.insert(draw(1, Address::of(span, ActorId{4}, ChoiceKind::detect, Label::none, 1)));
  values.insert(draw(1, Address::of(span, ActorId{3}, ChoiceKind::promote, Label::none, 1)));
  values.insert(draw(1, Address::of(span, ActorId{3}, ChoiceKind::detect, Label::acq_sent, 1)));
  values.insert(draw(1, Address::of(span, ActorId{3}, ChoiceKind::detect, Label::none, 2)));
  EXPECT_EQ(values.size(), 7U);
}

TEST(SeededSource, DeviatesAsOftenAsItsKnobsSayAndStaysInBounds) {
  for (const std::uint32_t rate : {0U, 6'554U, 32'768U, 65'536U}) {
    SeededSource source(7, knobs_of(rate));
    std::uint32_t deviations = 0;
    for (std::uint64_t span = 0; span < 10'000; ++span) {
      const std::uint64_t value = source.draw(address(span), 5, kWitness);
      ASSERT_LT(value, 5U);
      deviations += value != 0 ? 1 : 0;
    }
    const std::uint32_t expected = rate * 10'000 / 65'536;
    EXPECT_NEAR(deviations, expected, 200) << rate;
  }
}

TEST(SeededSource, DrawsFreeDimensionsInEveryRun) {
  SeededSource source(7, knobs_of(0));
  std::set<std::uint64_t> values;
  for (std::uint64_t span = 0; span < 200; ++span) {
    values.insert(source.draw(address(span, ChoiceKind::work), 4, kWitness));
  }
  EXPECT_EQ(values, (std::set<std::uint64_t>{0, 1, 2, 3}));
}

TEST(SeededSource, DrawsOnlyAllowedFaultsAndDeadlinesOfTheMenu) {
  const FaultKinds allowed = FaultKinds{}.with(FaultKind::pause).with(FaultKind::cut);
  const PendingDeadline deadline{DeadlineKind::key_expiry, ActorId{2}, 1, Instant::origin(),
                                 Span{}};
  const FixedMenu menu(allowed, {deadline});
  SeededSource source(7, knobs_of(65'536));
  std::map<FaultKind, int> kinds;
  std::map<std::pair<FaultKind, int>, int> seconds;
  int at_deadlines = 0;
  for (std::uint64_t span = 0; span < 1000; ++span) {
    const FaultValue value =
        FaultValue::unpack(source.draw_fault(address(span, ChoiceKind::fault_at_label), menu));
    ++kinds[value.kind];
    ASSERT_LT(value.target, 3);
    ASSERT_LT(value.fine, 64);
    ++seconds[{value.kind, value.second}];
    if (!value.length.is_deadline()) continue;
    ++at_deadlines;
    ASSERT_EQ(value.length.deadline(), DeadlineKind::key_expiry);
    ASSERT_EQ(value.length.owner(), ActorId{2});
    ASSERT_EQ(value.length.ordinal(), 1U);
  }
  EXPECT_EQ(kinds.size(), 2U);
  EXPECT_GT(kinds[FaultKind::pause], 300);
  EXPECT_GT(kinds[FaultKind::cut], 300);
  EXPECT_GT(at_deadlines, 300);
  // Each number that means something, as often as the others.
  EXPECT_EQ(seconds.size(), 4U);
  for (int second = 0; second < 3; ++second)
    EXPECT_GT((seconds[{FaultKind::cut, second}]), 100) << second;
}

TEST(SeededSource, DrawsNoFaultWhereNoneIsAllowed) {
  const FixedMenu menu(FaultKinds{}, {});
  SeededSource source(7, knobs_of(65'536));
  EXPECT_EQ(source.draw_fault(address(1, ChoiceKind::fault_at_label), menu), 0U);
}

TEST(SeededSource, TakesItsKnobsFromTheSeedAlone) {
  SeededSource first(5);
  SeededSource second(99);
  second.reseed(5);
  bool varies = false;
  for (std::uint64_t span = 0; span < 1000; ++span) {
    const std::uint64_t value = first.draw(address(span, ChoiceKind::work), 32, kWitness);
    EXPECT_EQ(value, second.draw(address(span, ChoiceKind::work), 32, kWitness));
    varies = varies || value != 0;
  }
  EXPECT_TRUE(varies);
  EXPECT_EQ(SwarmKnobs::of_seed(5).rate, SwarmKnobs::of_seed(5).rate);
  EXPECT_NE(SwarmKnobs::of_seed(5).rate, SwarmKnobs::of_seed(6).rate);
}

TEST(SwarmKnobs, NeverSwitchTheFaultsOff) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const SwarmKnobs knobs = SwarmKnobs::of_seed(seed);
    EXPECT_GT(knobs.rate[static_cast<std::size_t>(ChoiceKind::fault_at_label)], 0U) << seed;
  }
}

TEST(ReplaySource, GivesBackWhatWasRecordedAndZeroElsewhere) {
  ReplaySource replay;
  const std::vector<Deviation> deviations = {{address(5), 3, kWitness}, {address(2), 1, kWitness}};
  replay.load(deviations);
  replay.begin();
  EXPECT_EQ(replay.draw(address(2), 8, kWitness), 1U);
  EXPECT_EQ(replay.draw(address(3), 8, kWitness), 0U);
  EXPECT_EQ(replay.aligned(), 1U);
  ASSERT_EQ(replay.missed().size(), 1U);
  EXPECT_EQ(replay.missed()[0].address, address(5));
  EXPECT_EQ(replay.draw(address(5), 8, kWitness), 3U);
  EXPECT_TRUE(replay.missed().empty());
  replay.begin();
  EXPECT_EQ(replay.aligned(), 0U);
  EXPECT_EQ(replay.missed().size(), 2U);
}

TEST(ReplaySource, MissesADeviationWhoseWitnessDiffers) {
  ReplaySource replay;
  const std::vector<Deviation> deviations = {{address(5), 3, kWitness},
                                             {address(6), 4, kAnyWitness}};
  replay.load(deviations);
  replay.begin();
  EXPECT_EQ(replay.draw(address(5), 8, Witness{10}), 0U);
  EXPECT_EQ(replay.draw(address(6), 8, Witness{10}), 4U);
  EXPECT_EQ(replay.aligned(), 1U);
  ASSERT_EQ(replay.missed().size(), 1U);
  EXPECT_EQ(replay.missed()[0].address, address(5));
}

}  // namespace
}  // namespace locklab
