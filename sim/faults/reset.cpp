// reset: a connection breaks; of what had not arrived, a suffix is lost by choice.
// SPDX-License-Identifier: Apache-2.0
#include "sim/faults/fault.h"

namespace locklab {
namespace {

void begin(Stage& stage, ActiveFault& fault) {
  stage.network->reset(fault.strike.connection);
}

}  // namespace

FaultSpec reset() {
  return {FaultKind::reset, TargetSort::connection, {}, false, begin, nullptr};
}

}  // namespace locklab
