// Shrink: from a failing run to a small set of deviations that fails in the same way.
// SPDX-License-Identifier: Apache-2.0
//
// Deletes deviations, lowers values, lets one fault do the work of two, and moves faults to the
// first point at which they do the same, until nothing more can be done; a candidate counts only if
// its run shows the same property violated by the same first cause (search/signature.h). Kernel
// contract, "Faults" (the order of kinds) and "Choices" (replay of a set).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "search/explore.h"
#include "search/signature.h"

namespace locklab {

struct ShrinkProgress {
  std::uint32_t executions = 0;
  std::uint32_t budget = 0;
  std::uint32_t deviations = 0;  // Left, free dimensions not counted.
};

struct ShrinkOptions {
  std::uint32_t budget = 2000;  // Executions.
  /// Called after every execution; asked after every execution.
  std::function<void(const ShrinkProgress&)> progress;
  std::function<bool()> cancelled;
};

struct ShrinkResult {
  /// The choices given fail at all; else the rest says nothing.
  bool reproduced = false;
  /// The smallest set found, in the order in which they are met.
  std::vector<Deviation> choices;
  std::uint64_t digest = 0;
  Signature signature;
  Finding finding;
  std::uint32_t deviations_before = 0;
  std::uint32_t deviations_after = 0;
  std::uint32_t executions = 0;
  /// No single step of any pass makes it smaller. false: budget or cancellation came first.
  bool minimal = false;
  /// Two more runs gave the same digest and the same failure.
  bool verified = false;
};

/// `choices` as a run has recorded them; `property` is violated in it. Shrinking the result again
/// returns it unchanged if it is minimal.
ShrinkResult shrink(const Scenario& scenario, std::span<const Deviation> choices,
                    std::string_view property, const ShrinkOptions& options = {},
                    const Laboratory& laboratory = {});

/// What "smaller" means: fewer deviations, weaker faults, fewer free dimensions, smaller values; in
/// this order. A round length is worth more than a short one that needs a start at the right time.
struct Size {
  std::uint64_t deviations = 0;
  std::uint64_t fault_kinds = 0;
  std::uint64_t targets = 0;
  std::uint64_t free_dimensions = 0;
  std::uint64_t lengths = 0;
  std::uint64_t seconds = 0;
  std::uint64_t fines = 0;
  std::uint64_t values = 0;
  std::uint64_t free_values = 0;
  friend auto operator<=>(const Size&, const Size&) = default;
};
Size size_of(std::span<const Deviation> choices);

}  // namespace locklab
