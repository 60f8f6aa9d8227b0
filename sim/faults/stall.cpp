// stall: one fiber is not scheduled for a while; the others of its process run on.
// SPDX-License-Identifier: Apache-2.0
#include "sim/faults/fault.h"

namespace locklab {
namespace {

void begin(Stage& stage, ActiveFault& fault) {
  stage.process(fault.strike.target)->stall(fault.strike.fiber, fault.strike.length);
}

}  // namespace

FaultSpec stall() {
  return {FaultKind::stall, TargetSort::process, {}, false, begin, nullptr, fiber_lives};
}

}  // namespace locklab
