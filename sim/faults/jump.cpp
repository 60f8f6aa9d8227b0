// jump: a host's wall clock steps; its monotonic clock does not.
// SPDX-License-Identifier: Apache-2.0
#include "sim/faults/fault.h"

namespace locklab {
namespace {

// The drawn length is the size of the step: "just past a pending expiry" is what matters.
void read_second(Strike& strike, std::uint16_t second, const TimingConstants&) {
  strike.size = second == 0 ? strike.length : -strike.length;
}

void begin(Stage& stage, ActiveFault& fault) {
  const HostId id = stage.world->actor(fault.strike.target).host();
  Host& host = stage.world->host(id);
  host.wall.jump(stage.world->now(), fault.strike.size);
  stage.world->clock_changed(id);
}

}  // namespace

FaultSpec jump() {
  return {FaultKind::jump, TargetSort::host, {2, read_second}, false, begin, nullptr};
}

}  // namespace locklab
