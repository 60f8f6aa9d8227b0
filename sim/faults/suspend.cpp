// suspend: a machine sleeps; its monotonic clock stops, its wall clock runs on.
// SPDX-License-Identifier: Apache-2.0
#include "sim/faults/fault.h"

namespace locklab {
namespace {

void begin(Stage& stage, ActiveFault& fault) {
  const HostId id = stage.world->actor(fault.strike.target).host();
  Host& host = stage.world->host(id);
  if (host.monotonic_stops++ == 0) host.monotonic.stop(stage.world->now());
  stage.world->clock_changed(id);
  pause_host(stage, id, fault.strike.length);
}

void end(Stage& stage, ActiveFault& fault) {
  const HostId id = stage.world->actor(fault.strike.target).host();
  Host& host = stage.world->host(id);
  if (--host.monotonic_stops == 0) host.monotonic.start(stage.world->now());
  stage.world->clock_changed(id);
}

}  // namespace

FaultSpec suspend() {
  return {FaultKind::suspend, TargetSort::host, {}, true, begin, end};
}

}  // namespace locklab
