// Pieces of work by several threads, against the same by one.
// SPDX-License-Identifier: Apache-2.0
#include "search/workers.h"

#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace locklab {
namespace {

struct Square : Piece {
  explicit Square(std::uint64_t n) : value(n * n) {}
  std::uint64_t value;
};

PieceMaker squares() {
  return [](std::uint64_t n) {
    // Pieces of very different length, so that threads finish them out of order.
    volatile std::uint64_t spin = (n % 7) * 20000;
    while (spin > 0)
      spin = spin - 1;
    return std::make_unique<Square>(n);
  };
}

std::vector<std::uint64_t> taken(unsigned jobs, std::uint64_t count, std::uint64_t last) {
  std::vector<std::uint64_t> values;
  side_by_side(jobs, count, squares, [&](Piece& piece) {
    values.push_back(static_cast<Square&>(piece).value);
    return values.back() < last;
  });
  return values;
}

TEST(SideBySide, TakesThePiecesInOrderForAnyNumberOfJobs) {
  const std::vector<std::uint64_t> one = taken(1, 60, UINT64_MAX);
  ASSERT_EQ(one.size(), 60U);
  EXPECT_EQ(one.back(), 59U * 59U);
  for (const unsigned jobs : {2U, 3U, 8U})
    EXPECT_EQ(taken(jobs, 60, UINT64_MAX), one) << jobs;
}

TEST(SideBySide, TakesNothingAfterTheLastOne) {
  const std::vector<std::uint64_t> expected = {0, 1, 4, 9, 16, 25};
  for (const unsigned jobs : {1U, 2U, 8U})
    EXPECT_EQ(taken(jobs, 1000, 25), expected) << jobs;
}

TEST(SideBySide, ThrowsWhatTheEarliestPieceThrewAfterAllBeforeIt) {
  for (const unsigned jobs : {1U, 4U}) {
    std::vector<std::uint64_t> values;
    const auto make = [] {
      return [](std::uint64_t n) -> std::unique_ptr<Piece> {
        if (n >= 5) throw std::runtime_error(std::to_string(n));
        return std::make_unique<Square>(n);
      };
    };
    const auto take = [&](Piece& piece) {
      values.push_back(static_cast<Square&>(piece).value);
      return true;
    };
    try {
      side_by_side(jobs, 100, make, take);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "5");
    }
    EXPECT_EQ(values, (std::vector<std::uint64_t>{0, 1, 4, 9, 16})) << jobs;
  }
}

}  // namespace
}  // namespace locklab
