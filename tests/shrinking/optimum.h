// Optimum: the fewest deviations that fail in a given way, found by trying all smaller sets.
// SPDX-License-Identifier: Apache-2.0
//
// Knows nothing of the shrinker's passes: it asks a run what it could have been told at each of its
// points, and tells it every one of those things.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "search/shrink.h"

namespace locklab::testing {

struct Optimum {
  /// The fewest deviations that fail in the same way; nullopt: too many sets to try.
  std::optional<std::uint32_t> deviations;
  std::uint64_t tried = 0;  // Runs.
};

/// Tries each set of fewer deviations than `shrunk` has: at each point that a run meets each kind
/// of fault with each target, length and size that the menu offers there, and each value of every
/// other choice, with the free dimensions at rest, and as they are in `shrunk` and in `found`. Of
/// lengths those without fine steps.
Optimum optimum_below(const Scenario& scenario, std::string_view property,
                      const ShrinkResult& shrunk, std::span<const Deviation> found,
                      std::uint64_t most_runs);

/// One failing run, shrunk, and how that compares.
struct Measured {
  std::uint32_t before = 0;  // Deviations.
  std::uint32_t after = 0;
  std::optional<std::uint32_t> optimum;
  std::uint32_t executions = 0;
  bool idempotent = false;  // Shrinking the result changes nothing.
  std::vector<Deviation> choices;
};
Measured measure(const Scenario& scenario, std::string_view property,
                 std::span<const Deviation> found, std::uint64_t most_runs);

}  // namespace locklab::testing
