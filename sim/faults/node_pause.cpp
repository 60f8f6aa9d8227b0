// node-pause: a server stops for a while; queued requests run when it wakes.
// SPDX-License-Identifier: Apache-2.0
#include "sim/faults/fault.h"

namespace locklab {
namespace {

void begin(Stage& stage, ActiveFault& fault) {
  stage.node(fault.strike.target)->pause(fault.strike.length);
}

}  // namespace

FaultSpec node_pause() {
  return {FaultKind::node_pause, TargetSort::node, {}, false, begin, nullptr};
}

}  // namespace locklab
