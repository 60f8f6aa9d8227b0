// The hash table, the heap of expiries and the recycling of entries.
// SPDX-License-Identifier: Apache-2.0
#include "sim/redis/keyspace.h"

#include <algorithm>
#include <utility>

#include <xxhash.h>

#include "sim/contract.h"

namespace locklab::redis {
namespace {

// Fixed, so that probing, and with it every cost, is the same in every run.
constexpr std::uint64_t kHashSeed = 0x6C6F636B6C6162ULL;
// Room for eight keys before the first growth: locks use a handful.
constexpr std::size_t kSlotsMin = 16;

std::uint64_t hash_of(std::string_view key) {
  return XXH3_64bits_withSeed(key.data(), key.size(), kHashSeed);
}

std::uint32_t tag_of(std::uint64_t hash) {
  return static_cast<std::uint32_t>(hash >> 32);
}

}  // namespace

std::string_view type_name(ValueType type) {
  static constexpr std::string_view kNames[] = {"string", "hash"};
  return kNames[static_cast<std::size_t>(type)];
}

Keyspace::Keyspace() : slots_(kSlotsMin) {}

/// The slot that holds the key, or the free slot where it would go.
std::size_t Keyspace::slot_of(std::string_view key, std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  while (slots_[slot].entry != 0) {
    if (slots_[slot].tag == tag_of(hash) && entries_[slots_[slot].entry - 1]->key_ == key) break;
    slot = (slot + 1) & mask;
  }
  return slot;
}

Entry* Keyspace::find(std::string_view key) {
  const std::size_t slot = slot_of(key, hash_of(key));
  return slots_[slot].entry == 0 ? nullptr : entries_[slots_[slot].entry - 1].get();
}

const Entry* Keyspace::find(std::string_view key) const {
  const std::size_t slot = slot_of(key, hash_of(key));
  return slots_[slot].entry == 0 ? nullptr : entries_[slots_[slot].entry - 1].get();
}

Entry& Keyspace::insert(std::string_view key) {
  if ((live_.size() + 1) * 2 > slots_.size()) grow();
  const std::uint64_t hash = hash_of(key);
  const std::size_t slot = slot_of(key, hash);
  SIM_ASSERT(slots_[slot].entry == 0);
  if (spare_.empty()) {
    spare_.push_back(static_cast<std::uint32_t>(entries_.size()));
    entries_.push_back(std::make_unique<Entry>());
  }
  const std::uint32_t index = spare_.back();
  spare_.pop_back();
  Entry& entry = *entries_[index];
  entry.key_ = key;
  entry.set_string({});
  entry.creator = 0;
  entry.expiry_ = kNoExpiry;
  entry.hash_ = hash;
  entry.age_ = next_age_++;
  entry.index_ = index;
  entry.live_place_ = static_cast<std::uint32_t>(live_.size());
  live_.push_back(index);
  slots_[slot] = {tag_of(hash), index + 1};
  return entry;
}

void Keyspace::grow() {
  slots_.assign(slots_.size() * 2, Slot());
  for (std::uint32_t index : live_) {
    const Entry& entry = *entries_[index];
    slots_[slot_of(entry.key_, entry.hash_)] = {tag_of(entry.hash_), index + 1};
  }
}

void Keyspace::erase(Entry& entry) {
  const std::size_t slot = slot_of(entry.key_, entry.hash_);
  SIM_ASSERT(slots_[slot].entry == entry.index_ + 1);
  free_slot(slot);
  remove_deadline(entry);
  const std::uint32_t last = live_.back();
  live_[entry.live_place_] = last;
  entries_[last]->live_place_ = entry.live_place_;
  live_.pop_back();
  entry.live_place_ = Entry::kNowhere;
  spare_.push_back(entry.index_);
}

/// Closes the gap by moving later members of the same probe sequence back (Knuth, 6.4, Algorithm
/// R).
void Keyspace::free_slot(std::size_t slot) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t gap = slot;
  for (std::size_t next = (gap + 1) & mask; slots_[next].entry != 0; next = (next + 1) & mask) {
    const std::size_t home = entries_[slots_[next].entry - 1]->hash_ & mask;
    if (((next - home) & mask) < ((next - gap) & mask)) continue;
    slots_[gap] = slots_[next];
    gap = next;
  }
  slots_[gap] = Slot();
}

void Keyspace::clear() {
  // By index, so that the next keys meet the same buffers whatever the order of past deletions was.
  std::fill(slots_.begin(), slots_.end(), Slot());
  spare_.clear();
  for (std::size_t i = entries_.size(); i > 0; --i) {
    Entry& entry = *entries_[i - 1];
    entry.live_place_ = Entry::kNowhere;
    entry.deadline_place_ = Entry::kNowhere;
    spare_.push_back(static_cast<std::uint32_t>(i - 1));
  }
  live_.clear();
  deadlines_.clear();
  next_age_ = 0;
}

std::vector<const Entry*> Keyspace::sorted() const {
  std::vector<const Entry*> result;
  sorted(result);
  return result;
}

void Keyspace::sorted(std::vector<const Entry*>& into) const {
  into.clear();
  for (std::uint32_t index : live_)
    into.push_back(entries_[index].get());
  std::sort(into.begin(), into.end(),
            [](const Entry* a, const Entry* b) { return a->key() < b->key(); });
}

// --- Expiries: a binary heap whose entries know their place ------------------------------------

bool Keyspace::earlier(std::uint32_t a, std::uint32_t b) const {
  const Entry& first = *entries_[a];
  const Entry& second = *entries_[b];
  return std::pair(first.expiry_, first.age_) < std::pair(second.expiry_, second.age_);
}

void Keyspace::move_deadline(std::uint32_t place, std::uint32_t entry) {
  deadlines_[place] = entry;
  entries_[entry]->deadline_place_ = place;
}

void Keyspace::sift_up(std::uint32_t place) {
  const std::uint32_t entry = deadlines_[place];
  while (place > 0 && earlier(entry, deadlines_[(place - 1) / 2])) {
    move_deadline(place, deadlines_[(place - 1) / 2]);
    place = (place - 1) / 2;
  }
  move_deadline(place, entry);
}

void Keyspace::sift_down(std::uint32_t place) {
  const std::uint32_t entry = deadlines_[place];
  const auto size = static_cast<std::uint32_t>(deadlines_.size());
  for (std::uint32_t child = 2 * place + 1; child < size; child = 2 * place + 1) {
    if (child + 1 < size && earlier(deadlines_[child + 1], deadlines_[child])) ++child;
    if (!earlier(deadlines_[child], entry)) break;
    move_deadline(place, deadlines_[child]);
    place = child;
  }
  move_deadline(place, entry);
}

void Keyspace::remove_deadline(Entry& entry) {
  const std::uint32_t place = std::exchange(entry.deadline_place_, Entry::kNowhere);
  if (place == Entry::kNowhere) return;
  const std::uint32_t last = deadlines_.back();
  deadlines_.pop_back();
  if (last == entry.index_) return;
  move_deadline(place, last);
  sift_up(place);
  sift_down(entries_[last]->deadline_place_);
}

void Keyspace::set_expiry(Entry& entry, UnixMs when) {
  remove_deadline(entry);
  entry.expiry_ = when;
  if (when == kNoExpiry) return;
  entry.deadline_place_ = static_cast<std::uint32_t>(deadlines_.size());
  deadlines_.push_back(entry.index_);
  sift_up(entry.deadline_place_);
}

Entry* Keyspace::first_deadline() {
  return deadlines_.empty() ? nullptr : entries_[deadlines_.front()].get();
}

std::optional<UnixMs> Keyspace::next_expiry(UnixMs from) const {
  // Below an entry that has not expired nothing is earlier: only expired ones need to be opened.
  // The walk keeps no stack: it goes to the left child of an expired entry, else to the next
  // subtree.
  std::optional<UnixMs> best;
  std::size_t place = 0;
  const std::size_t size = deadlines_.size();
  while (true) {
    if (place < size) {
      const UnixMs when = entries_[deadlines_[place]]->expiry_;
      if (when < from) {
        place = 2 * place + 1;
        continue;
      }
      if (!best || when < *best) best = when;
    }
    while (place > 0 && place % 2 == 0)
      place = (place - 1) / 2;
    if (place == 0) return best;
    ++place;
  }
}

}  // namespace locklab::redis
