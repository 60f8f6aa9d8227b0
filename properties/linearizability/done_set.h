// Done set: which operations are done, and the memo of which sets led to which states.
// SPDX-License-Identifier: Apache-2.0
//
// A set is kept as the words between the first with a gap and the last with an operation: what real
// time allows is never far from a prefix, so a long history costs little more than a short one.
// Operations with an unknown result leave gaps for ever and have words of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "properties/linearizability/model.h"
#include "properties/linearizability/operation.h"
#include "properties/linearizability/word_table.h"

namespace locklab::linearizability {

class DoneSet {
 public:
  explicit DoneSet(const History& history);

  void add(std::uint32_t operation);
  void remove(std::uint32_t operation);
  /// False: the search has been here, with this set and this state.
  bool remember(Model::State state);
  std::size_t bytes() const { return memo_.bytes(); }

 private:
  static constexpr unsigned kBits = 64;

  bool is_full(std::size_t word) const { return known_[word] == ~std::uint64_t{0}; }

  std::vector<std::uint32_t> rank_;  // Of each operation, among those like it.
  std::vector<bool> is_unknown_;
  std::vector<std::uint64_t> known_;    // With a word more than it needs, which is never full.
  std::vector<std::uint64_t> unknown_;  // Of operations with an unknown result.
  std::size_t first_ = 0;               // All words before it are full, and it is not.
  std::size_t end_ = 0;                 // All words from here on are empty, as far as is known.
  std::vector<std::uint64_t> key_;
  WordTable memo_;
};

}  // namespace locklab::linearizability
