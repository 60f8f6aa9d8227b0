// The arena keeps its memory and loses its contents.
// SPDX-License-Identifier: Apache-2.0
#include "sim/arena.h"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

namespace locklab {
namespace {

TEST(Arena, HandsOutDistinctAlignedMemory) {
  Arena arena;
  const std::span<std::int64_t> numbers = arena.make_array<std::int64_t>(3);
  const std::string_view text = arena.copy("abc");
  numbers[2] = -1;
  EXPECT_EQ(text, "abc");
  EXPECT_EQ(numbers[0], 0);
  EXPECT_EQ(arena.concat(text, "-", std::string("d")), "abc-d");
  EXPECT_TRUE(arena.copy(std::string_view()).empty());
}

TEST(Arena, StopsGrowingWhenTheSameLoopRepeats) {
  Arena arena;
  const std::string large(10'000, 'x');
  const auto round = [&] {
    arena.reset();
    for (int i = 0; i < 100; ++i)
      arena.allocate(100);
    arena.copy(large);
    arena.make_array<std::uint64_t>(2'000);
  };
  round();
  const std::size_t capacity = arena.capacity();
  for (int i = 0; i < 10; ++i)
    round();
  EXPECT_EQ(arena.capacity(), capacity);
  EXPECT_GE(arena.used(), 36'000U);
  arena.reset();
  EXPECT_EQ(arena.used(), 0U);
}

}  // namespace
}  // namespace locklab
