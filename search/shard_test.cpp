// Shards: ranges that follow each other and are the whole, at every edge.
// SPDX-License-Identifier: Apache-2.0
#include "search/shard.h"

#include <gtest/gtest.h>

namespace locklab {
namespace {

TEST(Shard, PartsFollowEachOtherAndAreTheWhole) {
  for (const SeedRange whole : {SeedRange{1, 1000}, SeedRange{5, 5}, SeedRange{7, 9},
                                SeedRange{0, UINT64_MAX}, SeedRange{UINT64_MAX - 9, UINT64_MAX}}) {
    for (const std::uint64_t of : {1U, 2U, 3U, 7U, 4096U}) {
      std::uint64_t next = whole.first;
      std::uint64_t shortest = UINT64_MAX;
      std::uint64_t longest = 0;
      for (std::uint64_t number = 1; number <= of; ++number) {
        const std::optional<SeedRange> part = part_of(whole, {number, of});
        shortest = std::min(shortest, part ? part->last - part->first : 0);
        if (!part) continue;
        EXPECT_EQ(part->first, next);
        EXPECT_LE(part->first, part->last);
        longest = std::max(longest, part->last - part->first);
        next = part->last + 1;  // Of the last seed there is: 0.
      }
      EXPECT_EQ(next, whole.last + 1);
      EXPECT_LE(longest - shortest, 1U);
    }
  }
}

TEST(Shard, OfFewerSeedsThanShardsIsEmptyForSome) {
  EXPECT_EQ(part_of({4, 5}, {1, 3}), std::nullopt);
  EXPECT_EQ(part_of({4, 5}, {2, 3}), (SeedRange{4, 4}));
  EXPECT_EQ(part_of({4, 5}, {3, 3}), (SeedRange{5, 5}));
}

TEST(Shard, NamesGapsAndOverlaps) {
  EXPECT_EQ(misplaced({2, 3}, 2), "");
  EXPECT_EQ(misplaced({2, 3}, 3), "shard 2 is there twice");
  EXPECT_EQ(misplaced({3, 3}, 2), "shard 2 is missing");
  EXPECT_EQ(missing_after(2, 3), "shard 3 is missing");
  EXPECT_EQ(missing_after(3, 3), "");
}

}  // namespace
}  // namespace locklab
