// Distinct: a vector that is sorted when it is full and when it is asked.
// SPDX-License-Identifier: Apache-2.0
#include "search/distinct.h"

#include <algorithm>

#include "sim/contract.h"

namespace locklab {
namespace {

// Twice as many as are kept: after each sorting there is room for at least kMost more.
constexpr std::size_t kRoom = 2 * Distinct::kMost;

}  // namespace

Distinct Distinct::too_many() {
  Distinct many;
  many.exact_ = false;
  return many;
}

void Distinct::add(std::uint64_t value) {
  if (!exact_) return;
  values_.push_back(value);
  settled_ = false;
  if (values_.size() == kRoom) settle();
}

void Distinct::add(const Distinct& other) {
  if (!other.exact_) *this = too_many();
  for (const std::uint64_t value : other.values_)
    add(value);
}

void Distinct::settle() {
  if (settled_) return;
  settled_ = true;
  std::sort(values_.begin(), values_.end());
  values_.erase(std::unique(values_.begin(), values_.end()), values_.end());
  if (values_.size() > kMost) *this = too_many();
}

std::span<const std::uint64_t> Distinct::sorted() const {
  SIM_ASSERT(settled_);
  return values_;
}

}  // namespace locklab
