// Strategy: proposes schedules of one scenario, one after another.
// SPDX-License-Identifier: Apache-2.0
//
//   while (ChoiceSource* source = strategy.next())
//     if (strategy.seen(runner.run(scenario, *source))) judge it;
#pragma once

#include "scenarios/run.h"
#include "sim/choice.h"

namespace locklab {

class Strategy {
 public:
  Strategy() = default;
  Strategy(const Strategy&) = delete;
  Strategy& operator=(const Strategy&) = delete;
  virtual ~Strategy() = default;

  /// → what the next run draws from, valid until the next call; nullptr: there is none left.
  virtual ChoiceSource* next() = 0;
  /// That run has been made. true: it is one of the schedules that the strategy is about; false: it
  /// only served to find others, or could not be made as proposed.
  virtual bool seen(const Execution& execution) = 0;
};

}  // namespace locklab
