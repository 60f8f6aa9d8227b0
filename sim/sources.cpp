// Choice sources: zeros, draws by address, and replay.
// SPDX-License-Identifier: Apache-2.0
#include "sim/sources.h"

#include <algorithm>

#include "sim/mix.h"

namespace locklab {
namespace {

constexpr std::uint32_t kAlways = 65536;

std::uint64_t hash_of(const Address& address) {
  return mix(address.span, address.place);
}

}  // namespace

SwarmKnobs SwarmKnobs::of_seed(std::uint64_t seed) {
  SwarmKnobs knobs;
  for (std::size_t kind = 0; kind < knobs.rate.size(); ++kind) {
    const std::uint64_t random = mix(seed, 0x6b6e6f62 + kind);
    // One run in five is dense, one in five has the kind off, the rest are log-uniform: bugs that
    // need many delays and bugs that need nearly none are both within reach.
    const std::uint64_t shape = below(5, random);
    const auto halvings = static_cast<std::uint32_t>(1 + below(9, mix(random, 1)));
    knobs.rate[kind] = shape == 0 ? kAlways : shape == 1 ? 0 : kAlways >> halvings;
  }
  // Faults are never off: a search without its faults is the calm search, and that one is cheap.
  auto& fault_rate = knobs.rate[static_cast<std::size_t>(ChoiceKind::fault_at_label)];
  fault_rate = kAlways >> (1 + below(7, mix(seed, 0x6661756c74)));
  const std::uint64_t mask = mix(seed, 0x6b696e6473);
  knobs.kinds.bits = below(2, mix(seed, 0x616c6c)) == 0 ? ~0U : static_cast<std::uint32_t>(mask);
  return knobs;
}

SeededSource::SeededSource(std::uint64_t seed) : seed_(seed), knobs_(SwarmKnobs::of_seed(seed)) {}

void SeededSource::reseed(std::uint64_t seed) {
  *this = SeededSource(seed);
}

std::uint64_t SeededSource::random(const Address& address) const {
  return mix(mix(seed_, address.span), address.place);
}

bool SeededSource::deviates(ChoiceKind kind, std::uint64_t random) const {
  return below(kAlways, random) < knobs_.rate[static_cast<std::size_t>(kind)];
}

std::uint64_t SeededSource::draw(const Address& address, std::uint64_t bound, Witness) {
  const std::uint64_t r = random(address);
  if (is_free_dimension(address.kind())) return below(bound, r);
  if (!deviates(address.kind(), r)) return 0;
  return 1 + below(bound - 1, mix(r, 2));
}

std::uint64_t SeededSource::draw_fault(const Address& address, const FaultMenu& menu) {
  const std::uint64_t r = random(address);
  if (!deviates(ChoiceKind::fault_at_label, r)) return 0;

  FaultKinds kinds{menu.allowed().bits & knobs_.kinds.bits};
  if (kinds.empty()) kinds = menu.allowed();
  std::array<FaultKind, static_cast<std::size_t>(FaultKind::count)> list{};
  std::size_t count = 0;
  for (std::size_t k = 1; k < list.size(); ++k) {
    const auto kind = static_cast<FaultKind>(k);
    if (kinds.has(kind)) list[count++] = kind;
  }
  if (count == 0) return 0;

  FaultValue value;
  value.kind = list[below(count, mix(r, 3))];
  if (below(2, mix(r, 4)) == 0) {
    value.target = static_cast<std::uint8_t>(below(menu.target_count(value.kind), mix(r, 5)));
  }
  const std::span<const PendingDeadline> deadlines = menu.deadlines();
  if (deadlines.empty() || below(2, mix(r, 6)) == 0) {
    value.length =
        Bucket::constant(static_cast<Bucket::Constant>(below(Bucket::constant_count, mix(r, 7))));
  } else {
    const PendingDeadline& deadline = deadlines[below(deadlines.size(), mix(r, 8))];
    const auto side = static_cast<Bucket::Side>(below(2, mix(r, 9)));
    value.length = Bucket::at(deadline.kind, deadline.owner, deadline.ordinal, side);
  }
  if (below(4, mix(r, 10)) == 0) value.fine = static_cast<std::uint8_t>(below(64, mix(r, 11)));
  value.second = static_cast<std::uint16_t>(below(menu.second_count(value.kind), mix(r, 12)));
  return value.pack();
}

void ReplaySource::load(std::span<const Deviation> deviations) {
  deviations_.assign(deviations.begin(), deviations.end());
  std::sort(deviations_.begin(), deviations_.end());
  filter_ = 0;
  for (const Deviation& d : deviations_)
    filter_ |= 1ULL << (hash_of(d.address) & 63);
}

void ReplaySource::begin() {
  met_.assign(deviations_.size(), 0);
  aligned_ = 0;
}

const Deviation* ReplaySource::find(const Address& address) const {
  if ((filter_ >> (hash_of(address) & 63) & 1) == 0) return nullptr;
  const auto it = std::lower_bound(
      deviations_.begin(), deviations_.end(), address,
      [](const Deviation& deviation, const Address& key) { return deviation.address < key; });
  return it == deviations_.end() || it->address != address ? nullptr : &*it;
}

std::uint64_t ReplaySource::take(const Deviation& deviation, Witness witness) {
  if (deviation.witness != kAnyWitness && deviation.witness != witness) return 0;
  met_[static_cast<std::size_t>(&deviation - deviations_.data())] = 1;
  ++aligned_;
  return deviation.value;
}

std::uint64_t ReplaySource::draw(const Address& address, std::uint64_t, Witness witness) {
  const Deviation* const deviation = find(address);
  return deviation == nullptr ? 0 : take(*deviation, witness);
}

std::uint64_t ReplaySource::draw_fault(const Address& address, const FaultMenu& menu) {
  const Deviation* const deviation = find(address);
  return deviation == nullptr ? 0 : take(*deviation, menu.witness_of_value(deviation->value));
}

std::vector<Deviation> ReplaySource::missed() const {
  std::vector<Deviation> result;
  for (std::size_t i = 0; i < deviations_.size(); ++i) {
    if (met_[i] == 0) result.push_back(deviations_[i]);
  }
  return result;
}

}  // namespace locklab
