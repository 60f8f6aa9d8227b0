// pause: a process stops as in a garbage collection; its clocks run on, its messages queue.
// SPDX-License-Identifier: Apache-2.0
#include "sim/faults/fault.h"

namespace locklab {
namespace {

void begin(Stage& stage, ActiveFault& fault) {
  const Strike& s = fault.strike;
  if (s.whole_host) {
    pause_host(stage, stage.world->actor(s.target).host(), s.length);
  } else {
    stage.process(s.target)->pause(s.length);
  }
}

}  // namespace

FaultSpec pause() {
  return {FaultKind::pause, TargetSort::process, {}, false, begin, nullptr};
}

}  // namespace locklab
