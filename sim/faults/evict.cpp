// evict: a server drops one key, as maxmemory with an eviction policy does.
// SPDX-License-Identifier: Apache-2.0
#include "sim/faults/fault.h"

namespace locklab {
namespace {

void read_second(Strike& strike, std::uint16_t second, const TimingConstants&) {
  strike.key = second;
}

void begin(Stage& stage, ActiveFault& fault) {
  const Strike& s = fault.strike;
  if (s.key_name.empty()) {
    stage.node(s.target)->evict(s.key);
  } else {
    stage.node(s.target)->evict(s.key_name);
  }
}

}  // namespace

FaultSpec evict() {
  return {FaultKind::evict, TargetSort::node, read_second, false, begin, nullptr};
}

}  // namespace locklab
