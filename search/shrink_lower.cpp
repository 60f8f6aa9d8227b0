// Shrink, less: weaker kinds of fault, nearer targets, rounder and lower values.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "search/shrink_parts.h"

namespace locklab::shrinking {
namespace {

/// The smallest value that fails, if failing is monotone in it; else some smaller one.
template <class Set>
bool bisect(std::uint64_t low, std::uint64_t high, Set set) {
  bool any = false;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (set(middle)) {
      any = true;
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return any;
}

bool lower_value(Best& best, const Address& address) {
  const Deviation* const deviation = best.find(address);
  if (deviation == nullptr || deviation->value <= 1) return false;
  return bisect(1, deviation->value,
                [&](std::uint64_t value) { return best.attempt_value(address, value); });
}

/// Tries 0, 1, … below the field's value, the simplest first.
template <class Field>
bool lower_field(Best& best, const Address& address, std::uint64_t below, Field field) {
  for (std::uint64_t value = 0; value < below; ++value) {
    const Deviation* const deviation = best.find(address);
    if (deviation == nullptr) return true;
    FaultValue fault = FaultValue::unpack(deviation->value);
    if (!field(fault, value)) continue;
    if (best.attempt_value(address, fault.pack())) return true;
  }
  return false;
}

/// A shorter constant; beside a deadline, a constant at all, then before it rather than after.
bool lower_length(Best& best, const Address& address, Bucket length) {
  const std::uint64_t constants = std::min<std::uint64_t>(length.bits, Bucket::constant_count);
  if (lower_field(best, address, constants, [](FaultValue& fault, std::uint64_t value) {
        fault.length = Bucket{static_cast<std::uint16_t>(value)};
        return true;
      })) {
    return true;
  }
  if (!length.is_deadline() || length.side() == Bucket::Side::before) return false;
  return lower_field(best, address, 1, [&](FaultValue& fault, std::uint64_t) {
    fault.length =
        Bucket::at(length.deadline(), length.owner(), length.ordinal(), Bucket::Side::before);
    return true;
  });
}

bool lower_fault(Best& best, const Address& address) {
  const auto now = [&] {
    const Deviation* const deviation = best.find(address);
    return FaultValue::unpack(deviation == nullptr ? 0 : deviation->value);
  };
  const FaultKinds allowed = best.allowed();
  // Whom a number names differs by kind, and a weaker one may have to last longer: a pause does
  // what a freeze does once the work is in front of it.
  bool any = lower_field(best, address, 4 * static_cast<std::uint64_t>(now().kind),
                         [&](FaultValue& fault, std::uint64_t value) {
                           fault.kind = static_cast<FaultKind>(value / 4);
                           if ((value & 1U) == 0) fault.target = 0;
                           if ((value & 2U) != 0) fault.length = Bucket{Bucket::constant_count - 1};
                           return fault.kind != FaultKind::none && allowed.has(fault.kind);
                         });
  any |= lower_field(best, address, now().target, [](FaultValue& fault, std::uint64_t value) {
    fault.target = static_cast<std::uint8_t>(value);
    return true;
  });
  any |= lower_length(best, address, now().length);
  any |= lower_field(best, address, now().second, [](FaultValue& fault, std::uint64_t value) {
    fault.second = static_cast<std::uint16_t>(value);
    return true;
  });
  any |= bisect(0, now().fine, [&](std::uint64_t value) {
    FaultValue fault = now();
    fault.fine = static_cast<std::uint8_t>(value);
    return fault.kind != FaultKind::none && best.attempt_value(address, fault.pack());
  });
  return any;
}

}  // namespace

bool lower_all(Best& best, Part part) {
  std::vector<Address> addresses;
  for (const std::size_t place : best.places_of(part))
    addresses.push_back(best.choices()[place].address);
  bool any = false;
  for (const Address& address : addresses) {
    any |= part == Part::fault ? lower_fault(best, address) : lower_value(best, address);
  }
  return any;
}

}  // namespace locklab::shrinking
