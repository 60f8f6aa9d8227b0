// Shrink, fewer: deviations are taken away, in runs, in pairs, or by one that does the work of two.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "search/shrink_parts.h"

namespace locklab::shrinking {
namespace {

/// All pairs are tried only below this: beyond it they would eat the budget.
constexpr std::size_t kPairsMost = 24;

bool is_free(const Deviation& deviation) {
  return part_of(deviation) == Part::free_dimension;
}

std::vector<Deviation> with_length(std::vector<Deviation> choices, const Address& address,
                                   std::uint16_t constant) {
  for (Deviation& deviation : choices) {
    if (deviation.address != address) continue;
    FaultValue fault = FaultValue::unpack(deviation.value);
    fault.length = Bucket{constant};
    fault.fine = 0;
    deviation = {address, fault.pack(), kAnyWitness};
  }
  return choices;
}

std::vector<Address> faults_of(const Best& best) {
  std::vector<Address> addresses;
  for (const std::size_t place : best.places_of(Part::fault))
    addresses.push_back(best.choices()[place].address);
  return addresses;
}

/// One of two faults, as long as any constant.
bool merge_pairs(Best& best) {
  const std::vector<std::size_t> faults = best.places_of(Part::fault);
  if (faults.size() < 2 || faults.size() > kPairsMost) return false;
  for (const std::size_t gone : faults) {
    for (const std::size_t kept : faults) {
      if (gone == kept) continue;
      const Address address = best.choices()[kept].address;
      const std::size_t one[] = {gone};
      if (best.attempt(with_length(best.without(one), address, Bucket::constant_count - 1)))
        return true;
    }
  }
  return false;
}

/// A round length may need no help by when somebody starts, polls or how long it works.
bool merge_free_dimensions(Best& best) {
  const std::vector<std::size_t> free = best.places_of(Part::free_dimension);
  if (free.empty()) return false;
  for (const Address& address : faults_of(best)) {
    for (std::uint16_t constant = 0; constant < Bucket::constant_count; ++constant) {
      if (best.attempt(with_length(best.without(free), address, constant))) return true;
    }
  }
  return false;
}

}  // namespace

bool truncate(Best& best) {
  bool any = false;
  std::size_t low = 0;
  std::size_t high = best.choices().size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    const auto begin = best.choices().begin();
    if (best.attempt({begin, begin + static_cast<std::ptrdiff_t>(middle)})) {
      any = true;
      high = std::min(middle, best.choices().size());
    } else {
      low = middle + 1;
    }
  }
  return any;
}

bool delete_runs_of(Best& best, Part part) {
  bool any = false;
  for (std::size_t length = best.places_of(part).size(); length > 0; length /= 2) {
    std::size_t end = best.places_of(part).size();
    while (end > 0) {
      const std::vector<std::size_t> places = best.places_of(part);
      end = std::min(end, places.size());
      if (end == 0) break;
      const std::size_t begin = end > length ? end - length : 0;
      if (best.attempt(best.without(std::span(places).subspan(begin, end - begin)))) any = true;
      end = begin;
    }
  }
  return any;
}

bool delete_pairs(Best& best) {
  for (std::size_t i = best.choices().size(); i-- > 1;) {
    for (std::size_t j = i; j-- > 0;) {
      const std::vector<Deviation>& choices = best.choices();
      if (size_of(choices).deviations > kPairsMost) return false;
      if (is_free(choices[i]) || is_free(choices[j])) continue;
      const std::size_t pair[] = {j, i};
      if (best.attempt(best.without(pair))) return true;
    }
  }
  return false;
}

bool merge(Best& best) {
  return merge_pairs(best) || merge_free_dimensions(best);
}

}  // namespace locklab::shrinking
