// lease-safety: while a client claims its hold, the servers would grant it to nobody else (LS).
// SPDX-License-Identifier: Apache-2.0
//
// Judged by denial (properties/denial.h) against the claimed lane. Who stores no nonce of its own,
// or names none, claims nothing of the servers and is not put to this test.
#include <algorithm>

#include "properties/describe.h"
#include "properties/property.h"
#include "properties/stored.h"

namespace locklab {
namespace {

/// Claimed and lost at once, from here on.
Moment gap_begins(const HoldLane& hold) {
  return hold.lost.precedes(hold.acquired) ? hold.acquired : hold.lost;
}

/// What took the lock away: "its key expired on redis-1".
std::string cause_of(const History& history, const HoldLane& hold, const Record& record) {
  const std::string node = history.actors[record.actor].name;
  const auto caller = [&] { return history.actors[record.hold_id().process().value].name; };
  switch (record.kind) {
    case EventKind::key_lost:
      return "its key expired on " + node;
    case EventKind::key_deleted:
      if (record.has(event_flags::kByExpiry)) return "its key had expired on " + node;
      return record.hold == 0 ? "its key was removed from " + node
                              : caller() + " deleted its key on " + node;
    case EventKind::promoted:
      return node + " was promoted without its key";
    case EventKind::restarted:
      return node + " came back without its key";
    case EventKind::resumed:
      return node + " answered again, without its key";
    case EventKind::key_set:
      if (record.hold_id() == hold.hold) return node + " stored it, and another server had not";
      return node + " stored " + caller() + "'s key";
    default:
      return node + " had no key of its";
  }
}

Finding describe(const History& history, const Lanes& lanes, const HoldLane& hold) {
  const Moment from = gap_begins(hold);
  const Record& cause = history.at(hold.lost.seq);
  const Instant until = std::min(hold.claimed_end.at, lanes.end());
  Finding finding;
  finding.verdict = Verdict::violated;
  finding.why = process_of(history, hold) + " claimed " + lock_of(history, hold) + " for " +
                to_string(until - from.at) + " from " + to_string(from.at) +
                " while another could have had it: " + cause_of(history, hold, cause) + " at " +
                to_string(cause.at());
  finding.witness = witness_of_seqs({hold.acquired.seq, hold.lost.seq, hold.claimed_end.seq});
  return finding;
}

Finding check(const History& history, const Lanes& lanes) {
  const HoldLane* first = nullptr;
  std::uint32_t exercised = 0;
  for (const std::uint32_t index : lanes.by_acquired()) {
    const HoldLane& hold = lanes.holds()[index];
    if (!names_a_nonce(hold) || !hold.effective.known()) continue;
    if (!hold.by_probe) ++exercised;
    if (!hold.lost.known() || gap_begins(hold).at >= hold.claimed_end.at) continue;
    if (first == nullptr || gap_begins(hold).precedes(gap_begins(*first))) first = &hold;
  }
  Finding finding;
  if (first != nullptr) finding = describe(history, lanes, *first);
  finding.exercised = exercised;
  return finding;
}

}  // namespace

Property lease_safety() {
  return {"lease-safety",
          "While a client holds by its own rule, no set of servers that could answer would grant "
          "the lock to another.",
          Severity::cause, check};
}

}  // namespace locklab
