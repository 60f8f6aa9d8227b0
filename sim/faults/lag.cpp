// lag: a replica receives the primary's effects late.
// SPDX-License-Identifier: Apache-2.0
#include "sim/faults/fault.h"

namespace locklab {
namespace {

void read_second(Strike& strike, std::uint16_t second, const TimingConstants& timing) {
  strike.size = timing_constant(timing, second);
}

void begin(Stage& stage, ActiveFault& fault) {
  const Strike& s = fault.strike;
  const Instant until = stage.world->now() + s.length;
  // Without a delay the effects are held until the end.
  const bool held = s.size == Duration();
  fault.disturbance[0] = stage.network->disturb({s.peer, s.target, held, s.size, until});
}

void end(Stage& stage, ActiveFault& fault) {
  stage.network->heal(fault.disturbance[0]);
}

}  // namespace

FaultSpec lag() {
  return {
      FaultKind::lag, TargetSort::replica, {Bucket::constant_count, read_second}, true, begin, end};
}

}  // namespace locklab
