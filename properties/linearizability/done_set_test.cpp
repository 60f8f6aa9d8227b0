// Tests of the done set and its table: what is remembered is the set and the state, in full.
// SPDX-License-Identifier: Apache-2.0

#include "properties/linearizability/done_set.h"

#include <array>
#include <vector>

#include <gtest/gtest.h>

namespace locklab::linearizability::testing {
namespace {

History history(std::uint32_t known, std::uint32_t unknown) {
  std::vector<Operation> operations(known + unknown);
  for (std::uint32_t i = 0; i < operations.size(); ++i) {
    operations[i].invoked = i;
    operations[i].returned = i < known ? known + unknown + i : kNever;
    operations[i].result = i < known ? Result::ok : Result::unknown;
  }
  return history_of(operations);
}

TEST(DoneSet, TellsSetsAndStatesApart) {
  DoneSet done(history(130, 2));
  EXPECT_TRUE(done.remember(0));
  EXPECT_FALSE(done.remember(0));
  EXPECT_TRUE(done.remember(1));

  done.add(130);
  EXPECT_TRUE(done.remember(0));
  done.remove(130);
  EXPECT_FALSE(done.remember(0));
  done.add(131);
  EXPECT_TRUE(done.remember(0));
}

TEST(DoneSet, OneWordIsNotAnother) {
  DoneSet done(history(130, 0));
  done.add(0);
  EXPECT_TRUE(done.remember(0));
  for (std::uint32_t i = 1; i <= 64; ++i)
    done.add(i);
  EXPECT_TRUE(done.remember(0));  // The first of the second word, as before of the first.
  for (std::uint32_t i = 64; i > 0; --i)
    done.remove(i);
  EXPECT_FALSE(done.remember(0));
  done.add(129);
  EXPECT_TRUE(done.remember(0));
  done.remove(129);
  EXPECT_FALSE(done.remember(0));
}

TEST(DoneSet, RemembersALongPrefixInAFewWords) {
  constexpr std::uint32_t kLong = 10'000;
  DoneSet done(history(kLong, 0));
  for (std::uint32_t i = 0; i < kLong; ++i) {
    done.add(i);
    EXPECT_TRUE(done.remember(0));
  }
  // Whole sets would be 78 words each on average.
  EXPECT_LT(done.bytes(), std::size_t{16} * sizeof(std::uint64_t) * kLong);
}

TEST(WordTable, SameHashIsNotSameWords) {
  WordTable table;
  constexpr std::uint64_t kHash = 7;
  const std::array<std::uint64_t, 2> words = {1, 2};
  for (std::size_t count = 0; count <= words.size(); ++count) {
    const std::span<const std::uint64_t> some(words.data(), count);
    EXPECT_TRUE(table.insert(some, kHash).is_new);
    EXPECT_FALSE(table.insert(some, kHash).is_new);
    EXPECT_EQ(table.at(static_cast<std::uint32_t>(count)).size(), count);
  }
}

TEST(WordTable, NumbersStayWhenItGrows) {
  WordTable table;
  for (const bool is_new : {true, false}) {
    for (std::uint64_t i = 0; i < 1000; ++i) {
      const WordTable::Found found = table.insert({&i, 1});
      EXPECT_EQ(found.id, i);
      EXPECT_EQ(found.is_new, is_new);
    }
  }
  EXPECT_EQ(table.size(), 1000U);
  EXPECT_EQ(table.at(999)[0], 999U);
  // Each has its word, where it begins, and two slots of which it fills one.
  EXPECT_GE(table.bytes(), 1000 * 4 * sizeof(std::uint64_t));
}

}  // namespace
}  // namespace locklab::linearizability::testing
