// Coverage: where the faults of a search struck, what was at risk then, and what it never met.
// SPDX-License-Identifier: Apache-2.0
//
// Everything is a sum or a union over runs: the same for any number of jobs and of shards.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "properties/judge.h"
#include "scenarios/run.h"
#include "search/distinct.h"

namespace locklab {

/// A kind of fault that was applied at a label; Label::none: at a time that the story sets.
struct StruckPoint {
  Label label = Label::none;
  FaultKind kind = FaultKind::none;
  friend auto operator<=>(const StruckPoint&, const StruckPoint&) = default;
};

struct StruckRuns {
  std::uint64_t runs = 0;
  /// By property: how many of these runs put it to the test.
  std::vector<std::uint64_t> tested;
  friend bool operator==(const StruckRuns&, const StruckRuns&) = default;
};

struct Coverage {
  std::map<StruckPoint, StruckRuns> struck;
  /// Runs that came by while faults could strike.
  std::array<std::uint64_t, static_cast<std::size_t>(Label::count)> reached{};
  /// Runs in which the kind was drawn, also where it had nothing to act on.
  std::array<std::uint64_t, static_cast<std::size_t>(FaultKind::count)> drawn{};
  /// By their digests: runs of different choices that leave the same history count once.
  Distinct schedules;

  void add(const Execution& execution, std::span<const NamedFinding> findings);
  void add(const Coverage& other);
  friend bool operator==(const Coverage&, const Coverage&) = default;
};

/// Labels at which a fault of the scenario may strike, planned or drawn; bit per Label.
std::uint32_t open_labels(const Scenario& scenario);
/// Labels that `search.faults.at` names, and no run reached.
std::vector<Label> never_reached(const Coverage& coverage, const Scenario& scenario);
/// Kinds that may be drawn and were never applied.
std::vector<FaultKind> never_applied(const Coverage& coverage, const Scenario& scenario);

/// Open labels that were reached, those of them where a fault struck, and kinds that were applied.
struct CoverageSummary {
  std::uint64_t points_reached = 0;
  std::uint64_t points_struck = 0;
  std::uint64_t kinds_applied = 0;
  std::uint64_t kinds_possible = 0;
};
CoverageSummary summary_of(const Coverage& coverage, const Scenario& scenario);

}  // namespace locklab
