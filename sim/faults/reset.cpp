// reset: a connection breaks; of what had not arrived, a suffix is lost by choice.
// SPDX-License-Identifier: Apache-2.0
#include "sim/faults/fault.h"

namespace locklab {
namespace {

bool possible(const Stage& stage, const Strike& s) {
  const Connection& connection = stage.network->at(s.connection);
  const bool somebody_is_there = connection.client_open || connection.streams[0].length > 0;
  return somebody_is_there && !connection.broken;
}

void begin(Stage& stage, ActiveFault& fault) {
  stage.network->reset(fault.strike.connection);
}

}  // namespace

FaultSpec reset() {
  return {FaultKind::reset, TargetSort::connection, {}, false, begin, nullptr, possible};
}

}  // namespace locklab
