// cancel: a wait of a living fiber ends; its destructors act as usual.
// SPDX-License-Identifier: Apache-2.0
#include "sim/faults/fault.h"

namespace locklab {
namespace {

void begin(Stage& stage, ActiveFault& fault) {
  stage.process(fault.strike.target)->cancel(fault.strike.fiber);
}

}  // namespace

FaultSpec cancel() {
  return {FaultKind::cancel, TargetSort::process, {}, false, begin, nullptr, fiber_lives};
}

}  // namespace locklab
