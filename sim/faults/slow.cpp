// slow: a link adds to the delay of every message for a while.
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
  fault.disturbance[0] = stage.network->disturb({s.target, s.peer, false, s.size, until});
  fault.disturbance[1] = stage.network->disturb({s.peer, s.target, false, s.size, until});
}

void end(Stage& stage, ActiveFault& fault) {
  for (const std::uint32_t disturbance : fault.disturbance)
    stage.network->heal(disturbance);
}

}  // namespace

FaultSpec slow() {
  return {FaultKind::slow,
          TargetSort::server_link,
          {Bucket::constant_count, read_second},
          true,
          begin,
          end};
}

}  // namespace locklab
