// Bound: how deep it goes, and its grid of free dimensions.
// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/bound.h"

#include <algorithm>

#include "sim/contract.h"

namespace locklab {

std::uint32_t deepest_level(const Bound& bound) {
  const std::uint64_t all = std::uint64_t{bound.faults} + bound.orders;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(bound.deviations, all));
}

PhaseCell::PhaseCell(const PhasePoints& points, std::uint32_t clients, std::uint64_t number)
    : points_(points) {
  const auto digit = [&number](std::uint32_t base) {
    const auto low = static_cast<std::uint32_t>(number % base);
    number /= base;
    return low;
  };
  for (std::uint32_t client = 0; client < clients; ++client)
    starts_.push_back(digit(points.start));
  poll_ = digit(points.poll);
  work_ = digit(points.work);
  SIM_ASSERT(number == 0);
}

std::uint64_t PhaseCell::value(ChoiceKind kind, std::size_t client, std::uint64_t bound) const {
  if (client >= starts_.size()) return 0;
  switch (kind) {
    case ChoiceKind::start_phase:
      return bound * starts_[client] / points_.start;
    case ChoiceKind::poll_phase:
      return bound * poll_ / points_.poll;
    default:
      return bound * work_ / points_.work;
  }
}

std::uint64_t cell_count(const PhasePoints& points, std::uint32_t clients) {
  std::uint64_t cells = 1;
  const auto multiply = [&cells](std::uint32_t by) {
    cells = by > kCellsMost || cells * by > kCellsMost ? 0 : cells * by;
  };
  for (std::uint32_t client = 0; client < clients; ++client)
    multiply(points.start);
  multiply(points.poll);
  multiply(points.work);
  return cells;
}

}  // namespace locklab
