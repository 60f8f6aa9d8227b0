// SingleDeviation: one listing run, then one run for each entry of the list.
// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/single_deviation.h"

namespace locklab {

SingleDeviation::SingleDeviation(const Bound& bound, const PhaseCell& cell,
                                 std::span<const PathStep> steps)
    : source_(bound), steps_(steps) {
  source_.set_cell(cell);
}

ChoiceSource* SingleDeviation::next() {
  if (next_ == steps_.size()) return nullptr;
  source_.set_path(steps_.subspan(next_++, 1));
  return &source_;
}

bool SingleDeviation::seen(const Execution& execution) {
  if (execution.deviation_count() == 1) return true;
  ++impossible_;
  return false;
}

std::vector<PathStep> single_deviations(Runner& runner, const Scenario& scenario,
                                        const Bound& bound, const PhaseCell& cell) {
  std::vector<PathStep> steps;
  PathSource source(bound);
  source.set_cell(cell);
  source.list_into(&steps);
  runner.run(scenario, source);
  return steps;
}

}  // namespace locklab
