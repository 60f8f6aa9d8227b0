// mix: the portable 64-bit hash behind every draw, table and witness.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/time.h"

namespace locklab {

/// Folded 128-bit product of two words (the step of Wang Yi's wyhash): the same on every compiler.
constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  const auto wide = static_cast<UInt128>(a ^ 0x9e3779b97f4a7c15ULL) * (b ^ 0xe7037ed1a0b428dbULL);
  return static_cast<std::uint64_t>(wide) ^ static_cast<std::uint64_t>(wide >> 64);
}

/// random in [0, bound) from 64 random bits, by multiply-shift; bound must be positive.
constexpr std::uint64_t below(std::uint64_t bound, std::uint64_t random) {
  return static_cast<std::uint64_t>(static_cast<UInt128>(random) * bound >> 64);
}

}  // namespace locklab
