// Time: types that do not mix, arithmetic that saturates, and text that is read back.
// SPDX-License-Identifier: Apache-2.0
#include "sim/time.h"

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <gtest/gtest.h>

namespace locklab {
namespace {

template <class A, class B>
concept Comparable = requires(A a, B b) {
  a < b;
};
template <class A, class B>
concept Subtractable = requires(A a, B b) {
  a - b;
};
template <class A, class B>
concept Addable = requires(A a, B b) {
  a + b;
};
template <class T>
concept HasCount = requires(T t) {
  t.count();
};

// What is true and what a clock reads never become one another.
static_assert(!std::is_convertible_v<Instant, LocalInstant>);
static_assert(!std::is_convertible_v<LocalInstant, Instant>);
static_assert(!std::is_constructible_v<Instant, LocalInstant>);
static_assert(!std::is_constructible_v<LocalInstant, Instant>);
static_assert(!std::is_assignable_v<Instant&, LocalInstant>);
static_assert(!std::is_assignable_v<LocalInstant&, Instant>);
static_assert(!Comparable<Instant, LocalInstant>);
static_assert(!Subtractable<Instant, LocalInstant>);
static_assert(!Subtractable<LocalInstant, Instant>);

// No integer gets in or out but by a named conversion.
static_assert(!std::is_constructible_v<Duration, std::int64_t>);
static_assert(!std::is_constructible_v<Instant, std::int64_t>);
static_assert(!std::is_constructible_v<LocalInstant, std::int64_t>);
static_assert(!std::is_constructible_v<Instant, Duration>);
static_assert(!std::is_constructible_v<LocalInstant, Duration>);
static_assert(!std::is_convertible_v<Duration, std::int64_t>);
static_assert(!std::is_constructible_v<std::int64_t, Duration>);
static_assert(!std::is_constructible_v<std::int64_t, Instant>);
static_assert(!std::is_constructible_v<std::int64_t, LocalInstant>);
static_assert(!std::is_constructible_v<bool, Duration>);
static_assert(!Addable<Duration, std::int64_t>);
static_assert(!Addable<Instant, std::int64_t>);
static_assert(!Addable<Instant, Instant>);
static_assert(!Comparable<Duration, std::int64_t>);
static_assert(!HasCount<Duration> && !HasCount<Instant> && !HasCount<LocalInstant>);

// What must work does.
static_assert(std::same_as<decltype(Instant() - Instant()), Duration>);
static_assert(std::same_as<decltype(LocalInstant() + Duration()), LocalInstant>);
static_assert(Comparable<Instant, Instant> && Comparable<LocalInstant, LocalInstant>);
static_assert(std::is_trivially_copyable_v<Instant> && sizeof(Instant) == 8);

TEST(Duration, SumsAndProductsSaturateAtForever) {
  EXPECT_EQ(Duration::forever() + 1_ms, Duration::forever());
  EXPECT_EQ(Duration::forever() * 2, Duration::forever());
  EXPECT_EQ(Duration::forever() * -2, -Duration::forever());
  EXPECT_EQ(1_ms - Duration::forever() - 10_ms, -Duration::forever());
  EXPECT_EQ(Instant::origin() + 5_ms + Duration::forever(), Instant::never());
  EXPECT_EQ(2_ms + 3_ms, 5_ms);
  EXPECT_EQ(3_ms - 5_ms, -(2_ms));
}

TEST(Duration, IsScaledWithoutOverflowOnTheWay) {
  const Duration century = seconds(3'155'760'000);
  EXPECT_EQ(scale(century, 1'000'000'001, 1'000'000'000), century + nanoseconds(3'155'760'000));
  EXPECT_EQ(scale(nanoseconds(7), 1, 2), nanoseconds(3));
  EXPECT_EQ(scale(nanoseconds(-7), 1, 2), nanoseconds(-3));
}

TEST(Milliseconds, AreRoundedDownOnBothSidesOfZero) {
  EXPECT_EQ(whole_milliseconds(nanoseconds(1'999'999)), 1);
  EXPECT_EQ(whole_milliseconds(nanoseconds(2'000'000)), 2);
  EXPECT_EQ(whole_milliseconds(nanoseconds(-1)), -1);
  EXPECT_EQ(whole_milliseconds(nanoseconds(-1'000'000)), -1);
  EXPECT_EQ(unix_milliseconds(kWallEpoch + nanoseconds(999'999)), 1'700'000'000'000);
  EXPECT_EQ(unix_microseconds(kWallEpoch - nanoseconds(1)), 1'699'999'999'999'999);
}

TEST(DurationText, IsReadBack) {
  for (const Duration d : {nanoseconds(0), nanoseconds(1), nanoseconds(1'001), 250_us, 999_us, 1_ms,
                           1500_us, 1_s, 1500_ms, 90_s, seconds(7'200), -(3_ms),
                           nanoseconds(-1'500'000), nanoseconds(518'750'000)}) {
    EXPECT_EQ(parse_duration(to_string(d)), d) << to_string(d);
  }
}

TEST(DurationText, WithoutAUnitOrWithTooFineAFractionIsRefused) {
  for (const char* text : {"", "5", "ms", "5 ms", "+5ms", "5.ms", "1.5ns", "0.0000000001s", "5msx",
                           "9223372036854775808ns", "99999999999h", "--1ms", "1e3ms"}) {
    EXPECT_EQ(parse_duration(text), std::nullopt) << text;
  }
  EXPECT_EQ(parse_duration("1.5s"), 1500_ms);
  EXPECT_EQ(parse_duration("0.000000001s"), nanoseconds(1));
}

}  // namespace
}  // namespace locklab
