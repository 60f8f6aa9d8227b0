// node-kill: a server ends, its process or its system; it comes back empty or not at all.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sim/faults/fault.h"

namespace locklab {
namespace {

constexpr std::uint16_t kWays = 4;  // Its process or its system, with a restart or without.

void read_second(Strike& strike, std::uint16_t second, const TimingConstants&) {
  const std::uint16_t way = std::min<std::uint16_t>(second, kWays - 1);
  strike.restarts = way % 2 == 0;
  strike.dies = way < 2 ? NodeDeath::process : NodeDeath::os;
}

void begin(Stage& stage, ActiveFault& fault) {
  const Strike& s = fault.strike;
  const EndKind end = s.dies == NodeDeath::os ? EndKind::host_loss : EndKind::kill;
  stage.node(s.target)->kill(end, s.restarts ? s.length : Duration::forever());
}

}  // namespace

FaultSpec node_kill() {
  return {FaultKind::node_kill, TargetSort::node, {kWays, read_second}, false, begin, nullptr};
}

}  // namespace locklab
