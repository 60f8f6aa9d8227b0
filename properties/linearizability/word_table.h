// Word table: sequences of 64-bit words, each kept once and known by a number.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace locklab::linearizability {

class WordTable {
 public:
  struct Found {
    std::uint32_t id;  // 0, 1, … in the order of insertion.
    bool is_new;
  };

  Found insert(std::span<const std::uint64_t> words) { return insert(words, hash_of(words)); }
  /// Words are compared and never only their hash: a collision costs time and no verdict.
  Found insert(std::span<const std::uint64_t> words, std::uint64_t hash);

  /// Valid until the next insertion.
  std::span<const std::uint64_t> at(std::uint32_t id) const;
  std::size_t size() const { return begins_.size(); }
  /// What it has asked of the allocator, about.
  std::size_t bytes() const;

  static std::uint64_t hash_of(std::span<const std::uint64_t> words);

 private:
  struct Slot {
    std::uint32_t tag = 0;    // The upper half of the hash.
    std::uint32_t place = 0;  // The number + 1; 0: free.
  };

  void grow();

  std::vector<std::uint64_t> words_;
  std::vector<std::size_t> begins_;
  std::vector<Slot> slots_;  // A power of two, or none; at most half full.
};

}  // namespace locklab::linearizability
