// node-kill: a server's process ends and comes back empty, or not at all.
// SPDX-License-Identifier: Apache-2.0
#include "sim/faults/fault.h"

namespace locklab {
namespace {

void read_second(Strike& strike, std::uint16_t second, const TimingConstants&) {
  strike.restarts = second == 0;
}

void begin(Stage& stage, ActiveFault& fault) {
  const Strike& s = fault.strike;
  stage.node(s.target)->kill(EndKind::kill, s.restarts ? s.length : Duration::forever());
}

}  // namespace

FaultSpec node_kill() {
  return {FaultKind::node_kill, TargetSort::node, {2, read_second}, false, begin, nullptr};
}

}  // namespace locklab
