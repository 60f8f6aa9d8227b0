// kill: a process ends without a last act; bytes already written are delivered, then FIN.
// SPDX-License-Identifier: Apache-2.0
#include "sim/faults/fault.h"

namespace locklab {
namespace {

void read_second(Strike& strike, std::uint16_t second, const TimingConstants&) {
  strike.restarts = second != 0;  // 0: for good, the simplest story.
}

void begin(Stage& stage, ActiveFault& fault) {
  const Strike& s = fault.strike;
  stage.process(s.target)->kill(EndKind::kill, s.restarts ? s.length : Duration::forever());
}

}  // namespace

FaultSpec kill() {
  return {FaultKind::kill, TargetSort::process, {2, read_second}, false, begin, nullptr};
}

}  // namespace locklab
