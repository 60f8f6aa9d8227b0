// flush: somebody runs FLUSHALL on a server.
// SPDX-License-Identifier: Apache-2.0
#include "sim/faults/fault.h"

namespace locklab {
namespace {

void begin(Stage& stage, ActiveFault& fault) {
  stage.node(fault.strike.target)->flush();
}

}  // namespace

FaultSpec flush() {
  return {FaultKind::flush, TargetSort::node, {}, false, begin, nullptr};
}

}  // namespace locklab
