// Done set: a window over bits, and what else tells two sets apart.
// SPDX-License-Identifier: Apache-2.0

#include "properties/linearizability/done_set.h"

#include <algorithm>

namespace locklab::linearizability {
DoneSet::DoneSet(const History& history) {
  std::uint32_t known = 0;
  std::uint32_t unknown = 0;
  rank_.reserve(history.operations.size());
  is_unknown_.reserve(history.operations.size());
  for (const Operation& operation : history.operations) {
    is_unknown_.push_back(operation.is_unknown());
    rank_.push_back(operation.is_unknown() ? unknown++ : known++);
  }
  known_.resize(known / kBits + 1);
  unknown_.resize((unknown + kBits - 1) / kBits);
}

void DoneSet::add(std::uint32_t operation) {
  const std::uint32_t rank = rank_[operation];
  const std::size_t word = rank / kBits;
  (is_unknown_[operation] ? unknown_ : known_)[word] |= std::uint64_t{1} << rank % kBits;
  if (is_unknown_[operation]) return;
  while (is_full(first_) && first_ + 1 < known_.size())
    ++first_;
  end_ = std::max(end_, word + 1);
}

void DoneSet::remove(std::uint32_t operation) {
  const std::uint32_t rank = rank_[operation];
  const std::size_t word = rank / kBits;
  (is_unknown_[operation] ? unknown_ : known_)[word] &= ~(std::uint64_t{1} << rank % kBits);
  if (is_unknown_[operation]) return;
  first_ = std::min(first_, word);
  while (end_ > 0 && known_[end_ - 1] == 0)
    --end_;
}

bool DoneSet::remember(Model::State state) {
  key_.clear();
  key_.push_back(state);
  key_.push_back(first_);
  key_.insert(key_.end(), unknown_.begin(), unknown_.end());
  for (std::size_t i = first_; i < end_; ++i)
    key_.push_back(known_[i]);
  return memo_.insert(key_).is_new;
}

}  // namespace locklab::linearizability
