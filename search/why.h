// Why: what a failing run needs in order to fail, how much of it, and when it is too late.
// SPDX-License-Identifier: Apache-2.0
//
// Four questions to one run. Which of its deviations are needed: each is taken away, and each gets
// other values. How much is needed: lengths and sizes of faults are bisected, in the time that the
// run itself recorded. When it is decided: the run is rewound to each of its decisions and chance
// decides again. And what is the nearest run that does not fail: one deviation smaller, or gone.
//
// Source of the second: Hypothesis, its explain phase; of the third: rewinding to moments and
// forking, as Antithesis describes it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "search/explore.h"
#include "search/signature.h"

namespace locklab {

struct WhyOptions {
  /// Runs from each point to which the run is rewound; seeds 1 to `forks`, the same at each.
  std::uint32_t forks = 200;
  /// Other values tried for each deviation; all of them if there are no more.
  std::uint32_t values = 50;
  /// Called after every run: how many so far, and about how many there will be.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
  std::function<bool()> cancelled;
};

/// The run as it was up to a decision, and seeded from there.
struct Rewind {
  std::uint64_t answers = 0;    // Choices that are kept.
  std::uint32_t first = 0;      // Records that follow from them and not from fewer: first..last,
  std::uint32_t last = 0;       // by seq. Both 0: nothing is kept.
  std::uint32_t violated = 0;   // Of WhyOptions::forks.
  std::optional<Deviation> by;  // The deviation among the choices that are new here.
};

/// Which amount of a fault is bisected.
enum class Amount : std::uint8_t { length, size };
std::string_view name_of(Amount amount);

/// From where on an amount does it. Amounts are those that the run records of the fault.
struct Threshold {
  Amount amount = Amount::length;
  Duration least;                    // It fails with this one
  std::optional<Duration> below;     // and not with this one; nullopt: with any.
  std::optional<Duration> too_much;  // The least greater one that does not fail either.
  bool exact = false;                // `least` and `below` are at most a millisecond apart.
};

/// What one choice of the run has to do with the failure.
struct Role {
  Deviation deviation;
  bool needed = false;  // Without it the property is not violated.
  std::uint32_t values_tried = 0;
  std::uint32_t values_failing = 0;
  std::vector<Threshold> thresholds;  // Of a fault that is needed and that lasts or has a size.
};

/// A run in which the property holds, one deviation away.
struct NearestPass {
  std::size_t role = 0;            // Which.
  bool dropped = false;            // It is gone; else it has a smaller value.
  std::optional<Duration> length;  // Of a fault with a smaller one, as the run records it.
  std::optional<Duration> size;
  std::vector<Deviation> choices;  // As the run met them.
  std::uint64_t digest = 0;
};

struct Explanation {
  bool reproduced = false;  // The choices given violate the property; else the rest says nothing.
  std::string_view property;
  std::vector<Deviation> choices;
  std::uint64_t digest = 0;
  Signature signature;
  Finding finding;
  std::vector<Role> roles;  // One for each choice, in the order in which they were met.
  /// The first keeps nothing, the last all that came before the failure was complete. Once each
  /// fork fails, some that follow are left out.
  std::vector<Rewind> rewinds;
  std::uint32_t forks = 0;
  /// The rewind by which the failure becomes more likely than by any other; nullopt: by none.
  std::optional<std::size_t> cause;
  /// The first from which on each fork fails.
  std::optional<std::size_t> no_return;
  std::optional<NearestPass> nearest;
  std::uint32_t executions = 0;
  bool complete = false;  // false: cancelled; what was found until then stands.
};

/// `choices` as a run has recorded them, best shrunk; `property` is violated in it.
Explanation explain(const Scenario& scenario, std::span<const Deviation> choices,
                    std::string_view property, const WhyOptions& options = {},
                    const Laboratory& laboratory = {});

}  // namespace locklab
