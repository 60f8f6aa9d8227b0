// evict: a server drops one key, as maxmemory with an eviction policy does.
// SPDX-License-Identifier: Apache-2.0
#include "sim/faults/fault.h"

namespace locklab {
namespace {

constexpr unsigned kKeys = 8;  // Drawn among so many; a number beyond the last key means that.

void read_second(Strike& strike, std::uint16_t second, const TimingConstants&) {
  strike.key = second;
}

bool possible(const Stage& stage, const Strike& s) {
  if (stage.node(s.target)->paused()) return false;
  const redis::Keyspace& keys = stage.node(s.target)->database().keys;
  return s.key_name.empty() ? keys.size() > 0 : keys.find(s.key_name) != nullptr;
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
  return {FaultKind::evict, TargetSort::node, {kKeys, read_second}, false, begin,
          nullptr,          possible};
}

}  // namespace locklab
