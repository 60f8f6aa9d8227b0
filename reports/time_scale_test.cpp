// Tests of the time scale: monotonic, from edge to edge, with breaks where nothing happens.
// SPDX-License-Identifier: Apache-2.0
#include "reports/time_scale.h"

#include <gtest/gtest.h>

namespace locklab {
namespace {

Instant at(std::int64_t ms) {
  return Instant::origin() + milliseconds(ms);
}

TEST(TimeScale, ReachesFromEdgeToEdge) {
  const TimeScale scale({at(50), at(10), at(20), at(20)}, seconds(1), 900);

  EXPECT_EQ(scale.x(at(10)), 0);
  EXPECT_EQ(scale.x(at(50)), 900);
  EXPECT_EQ(scale.x(at(0)), 0);
  EXPECT_EQ(scale.x(at(70)), 900);
  EXPECT_TRUE(scale.breaks().empty());
}

TEST(TimeScale, IsLinearBetweenTwoInstants) {
  const TimeScale scale({at(0), at(100)}, seconds(1), 1000);

  EXPECT_EQ(scale.x(at(25)), 250);
  EXPECT_EQ(scale.x(at(75)), 750);
}

TEST(TimeScale, NeverRunsBackwards) {
  const TimeScale scale({at(0), at(1), at(2), at(500), at(501), at(9000)}, seconds(1), 700);
  int before = 0;
  for (std::int64_t ms = 0; ms <= 9000; ++ms) {
    ASSERT_GE(scale.x(at(ms)), before) << ms;
    before = scale.x(at(ms));
  }
}

TEST(TimeScale, NeighboursCanBeToldApart) {
  const TimeScale scale({at(0), at(1), at(10'000)}, seconds(100), 1000);

  EXPECT_GE(scale.x(at(1)), 8);
}

TEST(TimeScale, ALongerGapIsNeverNarrower) {
  const TimeScale scale({at(0), at(5), at(25), at(125)}, seconds(1), 1000);
  const int first = scale.x(at(5));
  const int second = scale.x(at(25)) - scale.x(at(5));
  const int third = scale.x(at(125)) - scale.x(at(25));

  EXPECT_LT(first, second);
  EXPECT_LT(second, third);
}

TEST(TimeScale, WhereNothingHappensForLongIsABreak) {
  const TimeScale scale({at(0), at(100), at(60'000), at(60'100)}, seconds(1), 1200);

  ASSERT_EQ(scale.breaks().size(), 1U);
  EXPECT_EQ(scale.breaks()[0].begin, at(100));
  EXPECT_EQ(scale.breaks()[0].end, at(60'000));
  // It is drawn as a second: ten times as wide as a tenth of one, not six hundred times.
  EXPECT_LT(scale.x(at(60'000)) - scale.x(at(100)), 12 * scale.x(at(100)));
}

TEST(TimeScale, TicksAreRoundApartAndOutsideBreaks) {
  const TimeScale scale({at(3), at(400), at(60'000), at(60'300)}, milliseconds(400), 1000);

  const std::vector<Instant> ticks = scale.ticks(50);

  ASSERT_GE(ticks.size(), 4U);
  int before = -50;
  for (const Instant tick : ticks) {
    EXPECT_EQ(record_bits(tick) % 50'000'000, 0) << tick;
    EXPECT_GE(scale.x(tick) - before, 50);
    EXPECT_TRUE(tick <= at(400) || tick >= at(60'000)) << tick;
    before = scale.x(tick);
  }
}

TEST(TimeScale, OneInstantIsEnough) {
  const TimeScale scale({at(7)}, seconds(1), 100);

  EXPECT_EQ(scale.x(at(7)), 0);
  EXPECT_EQ(TimeScale({}, seconds(1), 100).x(at(7)), 0);
}

}  // namespace
}  // namespace locklab
