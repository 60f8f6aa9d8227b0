// Slots: a small number for each operation under way, so that a set of them is a few words.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "properties/linearizability/operation.h"

namespace locklab::linearizability {

inline constexpr std::uint32_t kNoOperation = UINT32_MAX;

/// Which slot each operation of a history takes from its invocation to its return.
struct Slots {
  static constexpr std::uint32_t kNone = UINT32_MAX;

  explicit Slots(const History& history);

  std::vector<std::uint32_t> of;    // By operation; kNone: a read that nobody heard of.
  std::vector<std::uint32_t> twin;  // Invoked before it, alike, both unknown; or kNoOperation.
  std::size_t count = 0;
};

/// A set of slots.
template <std::size_t Words>
struct SlotSet {
  static constexpr unsigned kBits = 64;

  std::array<std::uint64_t, Words> words{};

  bool has(std::size_t slot) const { return (words[slot / kBits] >> slot % kBits & 1U) != 0; }
  void add(std::size_t slot) { words[slot / kBits] |= std::uint64_t{1} << slot % kBits; }
  void remove(std::size_t slot) { words[slot / kBits] &= ~(std::uint64_t{1} << slot % kBits); }
  SlotSet without(const SlotSet& other) const {
    SlotSet set;
    for (std::size_t i = 0; i < Words; ++i)
      set.words[i] = words[i] & ~other.words[i];
    return set;
  }
  /// Words * kBits: none.
  std::size_t first() const {
    for (std::size_t i = 0; i < Words; ++i) {
      if (words[i] != 0) return i * kBits + static_cast<std::size_t>(std::countr_zero(words[i]));
    }
    return Words * kBits;
  }
};

}  // namespace locklab::linearizability
