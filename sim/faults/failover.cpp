// failover: a replica is promoted now; the old primary runs on unless another fault stops it.
// SPDX-License-Identifier: Apache-2.0
#include "sim/faults/fault.h"

namespace locklab {
namespace {

bool possible(const Stage& stage, const Strike&) {
  return stage.orchestrator != nullptr && stage.orchestrator->has_candidate();
}

void begin(Stage& stage, ActiveFault&) {
  stage.orchestrator->failover();
}

}  // namespace

FaultSpec failover() {
  return {FaultKind::failover, TargetSort::node, {}, false, begin, nullptr, possible};
}

}  // namespace locklab
