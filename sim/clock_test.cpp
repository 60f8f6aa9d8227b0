// LocalClock: jumps, rates and stops, and the instant at which a reading is reached.
// SPDX-License-Identifier: Apache-2.0
#include "sim/clock.h"

#include <gtest/gtest.h>

namespace locklab {
namespace {

Instant at(Duration since_start) {
  return Instant::origin() + since_start;
}
LocalInstant reading(Duration since_zero) {
  return LocalInstant::origin() + since_zero;
}

TEST(LocalClock, RunsAsTimeDoesWhenNothingIsSaid) {
  const LocalClock clock(at(Duration()), reading(7_s), 0);
  EXPECT_EQ(clock.read(at(3_s)), reading(10_s));
  EXPECT_EQ(clock.when(reading(10_s)), at(3_s));
}

TEST(LocalClock, JumpMovesTheReadingAtOnceAndNeverTheRate) {
  LocalClock clock(at(Duration()), reading(Duration()), 0);
  clock.jump(at(1_s), 500_ms);
  EXPECT_EQ(clock.read(at(1_s)), reading(1500_ms));
  EXPECT_EQ(clock.read(at(2_s)), reading(2500_ms));
  clock.jump(at(2_s), -(2_s));
  EXPECT_EQ(clock.read(at(2_s)), reading(500_ms));
  EXPECT_EQ(clock.when(reading(1_s)), at(2500_ms));
}

TEST(LocalClock, ReadingThatAJumpHasPassedIsReachedAtTheJump) {
  LocalClock clock(at(Duration()), reading(Duration()), 0);
  clock.jump(at(1_s), 5_s);
  EXPECT_EQ(clock.when(reading(3_s)), at(1_s));
}

TEST(LocalClock, RateChangesOnlyWhatFollows) {
  LocalClock clock(at(Duration()), reading(Duration()), 0);
  clock.set_rate(at(1_s), 1'000'000'000);  // Twice as fast.
  EXPECT_EQ(clock.read(at(1_s)), reading(1_s));
  EXPECT_EQ(clock.read(at(2_s)), reading(3_s));
  clock.set_rate(at(2_s), -500'000'000);  // Half as fast.
  EXPECT_EQ(clock.read(at(4_s)), reading(4_s));
  EXPECT_EQ(clock.when(reading(5_s)), at(6_s));
}

TEST(LocalClock, StoppedClockReachesNothingButWhatItShows) {
  LocalClock clock(at(Duration()), reading(Duration()), 0);
  clock.stop(at(1_s));
  EXPECT_EQ(clock.read(at(9_s)), reading(1_s));
  EXPECT_EQ(clock.when(reading(2_s)), Instant::never());
  EXPECT_EQ(clock.when(reading(1_s)), at(1_s));
  clock.jump(at(5_s), 10_s);  // A stopped clock can still be set.
  EXPECT_EQ(clock.read(at(9_s)), reading(11_s));
  clock.start(at(9_s));
  EXPECT_EQ(clock.read(at(10_s)), reading(12_s));
  EXPECT_EQ(clock.when(reading(12_s)), at(10_s));
}

TEST(LocalClock, NeverIsNeverReached) {
  LocalClock clock(at(Duration()), kWallEpoch, 3'000'000'000);
  EXPECT_EQ(clock.when(LocalInstant::never()), Instant::never());
  clock.stop(at(1_s));
  EXPECT_EQ(clock.when(LocalInstant::never()), Instant::never());
}

TEST(Host, NamesItsClocks) {
  Host host;
  EXPECT_EQ(&host.clock(ClockId::wall), &host.wall);
  EXPECT_EQ(&host.clock(ClockId::monotonic), &host.monotonic);
}

}  // namespace
}  // namespace locklab
