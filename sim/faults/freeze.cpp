// freeze: a virtual machine stops; both clocks stand, so that a deadline check passes on waking.
// SPDX-License-Identifier: Apache-2.0
#include "sim/faults/fault.h"

namespace locklab {
namespace {

void begin(Stage& stage, ActiveFault& fault) {
  const HostId id = stage.world->actor(fault.strike.target).host();
  Host& host = stage.world->host(id);
  if (host.monotonic_stops++ == 0) host.monotonic.stop(stage.world->now());
  if (host.wall_stops++ == 0) host.wall.stop(stage.world->now());
  stage.world->clock_changed(id);
  pause_host(stage, id, fault.strike.length);
}

void end(Stage& stage, ActiveFault& fault) {
  const HostId id = stage.world->actor(fault.strike.target).host();
  Host& host = stage.world->host(id);
  if (--host.monotonic_stops == 0) host.monotonic.start(stage.world->now());
  if (--host.wall_stops == 0) host.wall.start(stage.world->now());
  stage.world->clock_changed(id);
}

}  // namespace

FaultSpec freeze() {
  return {FaultKind::freeze, TargetSort::host, {}, true, begin, end};
}

}  // namespace locklab
