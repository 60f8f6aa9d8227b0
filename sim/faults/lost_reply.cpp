// lost-reply: the command is applied, then its connection breaks before the reply has left.
// SPDX-License-Identifier: Apache-2.0
#include "sim/faults/fault.h"

namespace locklab {
namespace {

void begin(Stage& stage, ActiveFault& fault) {
  stage.network->at(fault.strike.connection).lose_next_reply = true;
}

}  // namespace

FaultSpec lost_reply() {
  return {FaultKind::lost_reply, TargetSort::connection, {}, false, begin, nullptr};
}

}  // namespace locklab
