// Compare: one schedule under two scenarios: how well it fits, and where the two runs part.
// SPDX-License-Identifier: Apache-2.0
//
// Choices are named by what caused them, so that the deviations of a run under one lock, or one
// setting, can be taken to another. Kernel contract, "Choices"; the table of double ownership and
// harm is of "Three truths, four lanes": one can be had without the other.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "search/explore.h"

namespace locklab {

/// A schedule of another scenario, as far as it can be had in this one.
struct Fit {
  /// What to replay: all of them; of those that found something else, the witness is left open.
  std::vector<Deviation> choices;
  std::uint32_t met = 0;          // Their place came, and leaned on the same.
  std::uint32_t changed = 0;      // Their place came and leaned on something else.
  std::vector<Deviation> missed;  // Their place did not come, or nothing could strike there.
  std::uint32_t all() const { return met + changed + static_cast<std::uint32_t>(missed.size()); }
};

/// How the schedule of another scenario fits into this one.
Fit fit(const Scenario& scenario, std::span<const Deviation> choices,
        const Laboratory& laboratory = {});

/// The sequence number of the first event that is not the same in both: when, who, what, for whom
/// and with which amounts; actors and texts by their names. Where one history ends before they
/// differ, one more than its length. 0: they are equal.
std::uint32_t first_difference(const History& a, const History& b);

/// Runs by whether two programs were inside at once, and whether the resource took harm.
struct Quadrants {
  std::uint64_t runs = 0;
  /// [double ownership][harm]
  std::array<std::array<std::uint64_t, 2>, 2> count{};
  std::uint64_t unknown = 0;  // Runs that could not be judged; in none of the four.
};

/// Runs of the seeds first..last, both included. Harm is serializable-effects, violated.
/// `cancelled`: asked after each run.
Quadrants quadrants(const Scenario& scenario, std::uint64_t first, std::uint64_t last,
                    const std::function<bool()>& cancelled = {}, const Laboratory& laboratory = {});

}  // namespace locklab
