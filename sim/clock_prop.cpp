// LocalClock: read() and when() are inverse, whatever has happened to the clock.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/clock.h"

namespace locklab {
namespace {

constexpr std::int64_t kRates[] = {
    0, 1, -1, 500'000, 100'000'000, -750'000'000, 3'000'000'000, -999'999'999};

std::int64_t any_rate() {
  return kRates[*rc::gen::inRange<std::size_t>(0, std::size(kRates))];
}
Duration any_duration(std::int64_t up_to) {
  return nanoseconds(*rc::gen::resize(100, rc::gen::inRange<std::int64_t>(0, up_to)));
}
/// Forward or back.
Duration any_change(std::int64_t up_to) {
  return nanoseconds(*rc::gen::resize(100, rc::gen::inRange<std::int64_t>(-up_to, up_to)));
}

/// A clock after some changes, and the instant of the last one.
struct Changed {
  LocalClock clock;
  Instant last;
};

Changed any_clock() {
  Changed c{LocalClock(Instant::origin(), kWallEpoch, any_rate()), Instant::origin()};
  const int changes = *rc::gen::inRange(0, 8);
  for (int i = 0; i < changes; ++i) {
    c.last = c.last + any_duration(2'000'000'000);
    switch (*rc::gen::element(0, 1, 2, 3)) {
      case 0:
        c.clock.jump(c.last, any_change(1'000'000'000));
        break;
      case 1:
        c.clock.set_rate(c.last, any_rate());
        break;
      case 2:
        c.clock.stop(c.last);
        break;
      default:
        c.clock.start(c.last);
    }
  }
  return c;
}

RC_GTEST_PROP(LocalClockProperty, WhenIsTheFirstInstantThatReadsAtLeastThat, ()) {
  const Changed c = any_clock();
  // Up to the instant after which the slowest clock has gained a few nanoseconds.
  const LocalInstant reading = c.clock.read(c.last) + any_duration(3'000'000'000);
  const Instant due = c.clock.when(reading);
  if (due == Instant::never()) {
    RC_ASSERT(!c.clock.running());
    RC_ASSERT(c.clock.read(c.last + seconds(1'000'000)) < reading);
    return;
  }
  RC_ASSERT(due >= c.last);
  RC_ASSERT(c.clock.read(due) >= reading);
  if (due > c.last) RC_ASSERT(c.clock.read(due - nanoseconds(1)) < reading);
}

RC_GTEST_PROP(LocalClockProperty, ReadingIsMonotonicBetweenChanges, ()) {
  const Changed c = any_clock();
  const Instant a = c.last + any_duration(5'000'000'000);
  const Instant b = a + any_duration(5'000'000'000);
  RC_ASSERT(c.clock.read(a) <= c.clock.read(b));
  RC_ASSERT(c.clock.when(c.clock.read(b)) <= b);
}

RC_GTEST_PROP(LocalClockProperty, NothingButAJumpMovesTheReadingAtTheInstantOfTheChange, ()) {
  Changed c = any_clock();
  const Instant now = c.last + any_duration(5'000'000'000);
  const LocalInstant before = c.clock.read(now);
  switch (*rc::gen::element(0, 1, 2)) {
    case 0:
      c.clock.set_rate(now, any_rate());
      break;
    case 1:
      c.clock.stop(now);
      break;
    default:
      c.clock.start(now);
  }
  RC_ASSERT(c.clock.read(now) == before);
  const Duration by = any_change(1'000'000'000);
  c.clock.jump(now, by);
  RC_ASSERT(c.clock.read(now) == before + by);
}

}  // namespace
}  // namespace locklab
