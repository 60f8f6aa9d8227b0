// cut: a link holds every byte, both ways or one; they arrive after it has healed.
// SPDX-License-Identifier: Apache-2.0
#include "sim/faults/fault.h"

namespace locklab {
namespace {

void read_second(Strike& strike, std::uint16_t second, const TimingConstants&) {
  strike.direction = static_cast<CutDirection>(second < 2 ? second : 2);
}

void begin(Stage& stage, ActiveFault& fault) {
  const Strike& s = fault.strike;
  const Instant until = stage.world->now() + s.length;
  if (s.direction != CutDirection::from_peer) {
    fault.disturbance[0] = stage.network->disturb({s.target, s.peer, true, Duration(), until});
  }
  if (s.direction != CutDirection::to_peer) {
    fault.disturbance[1] = stage.network->disturb({s.peer, s.target, true, Duration(), until});
  }
}

void end(Stage& stage, ActiveFault& fault) {
  for (const std::uint32_t disturbance : fault.disturbance) {
    if (disturbance != UINT32_MAX) stage.network->heal(disturbance);
  }
}

}  // namespace

FaultSpec cut() {
  return {FaultKind::cut, TargetSort::server_link, {3, read_second}, true, begin, end};
}

}  // namespace locklab
