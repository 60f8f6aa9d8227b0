// Stored: looks further only at holds that no quorum has stored.
// SPDX-License-Identifier: Apache-2.0
#include "properties/stored.h"

#include <algorithm>

namespace locklab {
namespace {

/// Its acquire sent commands to more than one node.
bool asked_several(const History& history, const HoldLane& hold) {
  std::int64_t asked = 0;
  for (std::uint32_t seq = hold.requested.seq; seq < hold.acquired.seq; ++seq) {
    const Record& record = history.records()[seq];
    if (record.kind != EventKind::sent || record.hold != hold.hold.value) continue;
    const std::int64_t server = record.arg >> 32;
    if (history.actors[static_cast<std::size_t>(server)].kind != ActorKind::node) continue;
    if (asked != 0 && asked != server) return true;
    asked = server;
  }
  return false;
}

bool is_nested_in(const HoldLane& hold, const HoldLane& outer) {
  return outer.granted && outer.stored.known() && outer.nonce == hold.nonce &&
         outer.lock == hold.lock && outer.hold.process() == hold.hold.process() &&
         outer.acquired.precedes(hold.acquired) && hold.acquired.precedes(outer.over);
}

}  // namespace

bool is_stored(const History& history, const Lanes& lanes, const HoldLane& hold) {
  if (hold.effective.known()) return true;
  if (hold.stored.known()) return !asked_several(history, hold);
  return std::any_of(lanes.holds().begin(), lanes.holds().end(),
                     [&hold](const HoldLane& outer) { return is_nested_in(hold, outer); });
}

}  // namespace locklab
