// node-kill: a server ends, its process or its system; it comes back empty or not at all.
// SPDX-License-Identifier: Apache-2.0
#include "sim/faults/fault.h"

namespace locklab {
namespace {

void read_second(Strike& strike, std::uint16_t second, const TimingConstants&) {
  strike.restarts = second % 2 == 0;
  strike.dies = second < 2 ? NodeDeath::process : NodeDeath::os;
}

void begin(Stage& stage, ActiveFault& fault) {
  const Strike& s = fault.strike;
  const EndKind end = s.dies == NodeDeath::os ? EndKind::host_loss : EndKind::kill;
  stage.node(s.target)->kill(end, s.restarts ? s.length : Duration::forever());
}

}  // namespace

FaultSpec node_kill() {
  return {FaultKind::node_kill, TargetSort::node, {4, read_second}, false, begin, nullptr};
}

}  // namespace locklab
