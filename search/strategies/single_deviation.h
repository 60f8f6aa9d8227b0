// SingleDeviation: the calm run with one thing changed, for every single thing.
// SPDX-License-Identifier: Apache-2.0
//
// Most failures of distributed systems need few events: Yuan et al., "Simple Testing Can Prevent
// Most Critical Failures", OSDI 2014, found that three or fewer suffice for 98 % of 198 failures
// and one for a quarter. Trying each single one costs a thousand runs or so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/strategies/path_source.h"
#include "search/strategies/strategy.h"

namespace locklab {

/// Proposes a run for each of the steps: what a calm run of the same cell has listed, or a part.
class SingleDeviation : public Strategy {
 public:
  /// The steps must outlive it.
  SingleDeviation(const Bound& bound, const PhaseCell& cell, std::span<const PathStep> steps);

  ChoiceSource* next() override;
  bool seen(const Execution& execution) override;

  /// Faults that the world dropped: nothing of the sort is possible there.
  std::uint64_t impossible() const { return impossible_; }

 private:
  PathSource source_;
  std::span<const PathStep> steps_;
  std::size_t next_ = 0;
  std::uint64_t impossible_ = 0;
};

/// Every single deviation of the cell's calm run that the bound allows, in the order in which it
/// could be taken.
std::vector<PathStep> single_deviations(Runner& runner, const Scenario& scenario,
                                        const Bound& bound, const PhaseCell& cell);

}  // namespace locklab
