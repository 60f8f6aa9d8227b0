// Shard: one of several parts of a work, and whether some of them are the whole.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>

namespace locklab {

/// Part `number` of `of`, counted from 1. Whose work is numbered says which numbers are whose: the
/// units of a certificate go round, the seeds of a search are cut into ranges.
struct Shard {
  std::uint64_t number = 1;
  std::uint64_t of = 1;
  friend auto operator<=>(const Shard&, const Shard&) = default;
};

constexpr std::uint64_t kShardsMost = 4096;

/// Both ends included.
struct SeedRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  friend bool operator==(const SeedRange&, const SeedRange&) = default;
};
/// The shards' ranges follow each other and differ by at most one seed in length. nullopt: there
/// are fewer seeds than shards, and none is left for this one.
std::optional<SeedRange> part_of(const SeedRange& whole, const Shard& shard);

/// "shard 3", for messages.
std::string name_of(const Shard& shard);
/// What is wrong with finding this shard at that place, counted from 1, of those sorted by their
/// numbers: "shard 2 is there twice", "shard 2 is missing"; "" if nothing is.
std::string misplaced(const Shard& shard, std::uint64_t place);
/// "shard 3 is missing" if only so many are there; "" if that is all.
std::string missing_after(std::uint64_t count, std::uint64_t of);

}  // namespace locklab
