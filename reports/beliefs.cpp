// Beliefs: read from the lanes; pauses and ends from the records.
// SPDX-License-Identifier: Apache-2.0
#include "reports/beliefs.h"

namespace locklab {
namespace {

bool covers(const Moment& begin, const Moment& end, std::uint32_t seq) {
  return begin.known() && seq >= begin.seq && (!end.known() || seq < end.seq);
}

}  // namespace

Beliefs::Beliefs(const RunView& run) : run_(run), changes_(run.history->actors.size()) {
  for (const Record& record : run.history->records()) {
    if (record.actor >= changes_.size()) continue;
    std::vector<Change>& changes = changes_[record.actor];
    switch (record.kind) {
      case EventKind::paused:
      case EventKind::killed:
        changes.push_back({record.seq, Instant::never(), true});
        break;
      case EventKind::stalled:
        if (!stalls_program(*run.history, record)) break;
        changes.push_back({record.seq, record.at() + duration_from_bits(record.result), true});
        break;
      case EventKind::resumed:
      case EventKind::restarted:
        changes.push_back({record.seq, Instant::never(), false});
        break;
      default:
        break;
    }
  }
}

Belief Beliefs::of(ActorId process, std::uint32_t seq) const {
  Belief belief;
  for (const HoldLane& lane : run_.lanes->holds()) {
    if (!lane.granted || lane.hold.process() != process) continue;
    belief.claims = belief.claims || covers(lane.acquired, lane.claimed_end, seq);
    belief.inside = belief.inside || covers(lane.acquired, lane.occupied_end, seq);
  }
  if (process.value >= changes_.size()) return belief;
  const Instant now = run_.history->at(seq).at();
  for (const Change& change : changes_[process.value]) {
    if (change.seq > seq) break;
    belief.stopped = change.stops && now < change.until;
  }
  return belief;
}

bool stalls_program(const History& history, const Record& stalled) {
  for (std::uint32_t seq = stalled.seq; seq > 1; --seq) {
    const Record& record = history.at(seq - 1);
    const bool begins = record.kind == EventKind::fiber_began && record.actor == stalled.actor &&
                        record.arg == stalled.arg;
    if (begins) return record.hold == 0;
  }
  return true;
}

}  // namespace locklab
