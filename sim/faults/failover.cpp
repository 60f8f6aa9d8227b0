// failover: a replica is promoted now; the old primary runs on unless another fault stops it.
// SPDX-License-Identifier: Apache-2.0
#include "sim/faults/fault.h"

namespace locklab {
namespace {

void begin(Stage& stage, ActiveFault&) {
  if (stage.orchestrator != nullptr) stage.orchestrator->failover();
}

}  // namespace

FaultSpec failover() {
  return {FaultKind::failover, TargetSort::node, nullptr, false, begin, nullptr};
}

}  // namespace locklab
