// Word table: open addressing over an arena of words.
// SPDX-License-Identifier: Apache-2.0

#include "properties/linearizability/word_table.h"

#include <algorithm>

#include "sim/contract.h"
#include "sim/mix.h"

namespace locklab::linearizability {
namespace {

constexpr std::size_t kFirstSlots = 64;  // The memo of a short history needs no second allocation.

std::uint32_t tag_of(std::uint64_t hash) {
  return static_cast<std::uint32_t>(hash >> 32);
}

}  // namespace

std::uint64_t WordTable::hash_of(std::span<const std::uint64_t> words) {
  std::uint64_t hash = words.size();
  for (const std::uint64_t word : words)
    hash = mix(hash, word);
  return hash;
}

WordTable::Found WordTable::insert(std::span<const std::uint64_t> words, std::uint64_t hash) {
  if (2 * (begins_.size() + 1) > slots_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  std::size_t i = tag_of(hash) & mask;
  for (; slots_[i].place != 0; i = (i + 1) & mask) {
    if (slots_[i].tag != tag_of(hash)) continue;
    const std::span<const std::uint64_t> kept = at(slots_[i].place - 1);
    if (std::equal(kept.begin(), kept.end(), words.begin(), words.end()))
      return {slots_[i].place - 1, false};
  }
  SIM_ASSERT(begins_.size() < UINT32_MAX - 1);
  begins_.push_back(words_.size());
  words_.insert(words_.end(), words.begin(), words.end());
  slots_[i] = {tag_of(hash), static_cast<std::uint32_t>(begins_.size())};
  return {slots_[i].place - 1, true};
}

std::span<const std::uint64_t> WordTable::at(std::uint32_t id) const {
  SIM_ASSERT(id < begins_.size());
  const std::size_t begin = begins_[id];
  const std::size_t end = id + 1 < begins_.size() ? begins_[id + 1] : words_.size();
  return {words_.data() + begin, end - begin};
}

std::size_t WordTable::bytes() const {
  return words_.capacity() * sizeof(std::uint64_t) + begins_.capacity() * sizeof(std::size_t) +
         slots_.capacity() * sizeof(Slot);
}

void WordTable::grow() {
  const std::size_t size = std::max(kFirstSlots, 2 * slots_.size());
  std::vector<Slot> old(size);
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.place == 0) continue;
    std::size_t i = slot.tag & (size - 1);
    while (slots_[i].place != 0)
      i = (i + 1) & (size - 1);
    slots_[i] = slot;
  }
}

}  // namespace locklab::linearizability
