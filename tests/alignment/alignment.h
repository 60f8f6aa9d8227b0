// Alignment: how many deviations of a failing run stay in place when one of them is taken away.
// SPDX-License-Identifier: Apache-2.0
//
// Kernel contract, "Choices": a deviation is aligned if its address is met with its witness; of a
// fault, that it strikes, too. What the shrinker is worth depends on it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "scenarios/run.h"

namespace locklab::testing {

struct Share {
  std::uint64_t kept = 0;
  std::uint64_t all = 0;
  /// In tenths of a percent, rounded down; 1000 when there is nothing.
  std::uint64_t permille() const { return all == 0 ? 1000 : kept * 1000 / all; }
};

struct Alignment {
  std::uint64_t runs = 0;
  Share total;
  std::array<Share, static_cast<std::size_t>(ChoiceKind::count)> by_kind{};
  void add(const Alignment& other);
};

/// Deletes one random deviation from each of the first `runs` failing runs that have at least five,
/// of the seeds from 1 to `seeds`.
Alignment measure_alignment(const Scenario& scenario, std::uint64_t runs, std::uint64_t seeds);

/// Stories and locks that retry, poll, and branch on timing; each with every fault at every label.
std::vector<Scenario> alignment_scenarios();

}  // namespace locklab::testing
