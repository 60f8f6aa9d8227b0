// panic: a fiber's stack unwinds and its destructors may still send; recovered, the process lives.
// SPDX-License-Identifier: Apache-2.0
#include "sim/faults/fault.h"

namespace locklab {
namespace {

void read_second(Strike& strike, std::uint16_t second, const TimingConstants&) {
  strike.recovered = second == 0;
}

void begin(Stage& stage, ActiveFault& fault) {
  stage.process(fault.strike.target)->panic(fault.strike.fiber, fault.strike.recovered);
}

}  // namespace

FaultSpec panic() {
  return {FaultKind::panic, TargetSort::process, {2, read_second}, false, begin,
          nullptr,          fiber_lives};
}

}  // namespace locklab
