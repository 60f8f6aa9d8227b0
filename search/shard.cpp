// Shard: ranges by exact division, and the two things that can be wrong with a set of parts.
// SPDX-License-Identifier: Apache-2.0
#include "search/shard.h"

#include "sim/contract.h"
#include "sim/time.h"

namespace locklab {
namespace {

std::string missing(std::uint64_t number) {
  return name_of(Shard{number, number}) + " is missing";
}

}  // namespace

std::optional<SeedRange> part_of(const SeedRange& whole, const Shard& shard) {
  SIM_ASSERT(whole.first <= whole.last);
  SIM_ASSERT(shard.number >= 1 && shard.number <= shard.of);
  const UInt128 seeds = UInt128{whole.last} - whole.first + 1;  // 2^64 of them are possible.
  const UInt128 begin = seeds * (shard.number - 1) / shard.of;
  const UInt128 end = seeds * shard.number / shard.of;
  if (begin == end) return std::nullopt;
  return SeedRange{whole.first + static_cast<std::uint64_t>(begin),
                   whole.first + static_cast<std::uint64_t>(end - 1)};
}

std::string name_of(const Shard& shard) {
  return "shard " + std::to_string(shard.number);
}

std::string misplaced(const Shard& shard, std::uint64_t place) {
  if (shard.number < place) return name_of(shard) + " is there twice";
  return shard.number > place ? missing(place) : "";
}

std::string missing_after(std::uint64_t count, std::uint64_t of) {
  return count < of ? missing(count + 1) : "";
}

}  // namespace locklab
