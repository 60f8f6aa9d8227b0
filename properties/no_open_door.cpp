// no-open-door: nobody works without a hold that some server has stored.
// SPDX-License-Identifier: Apache-2.0
//
// The usual way in is a lock that fails open: the server cannot be reached, and the answer is yes.
#include "properties/describe.h"
#include "properties/property.h"
#include "properties/stored.h"

namespace locklab {
namespace {

enum class Fault : std::uint8_t { none, not_granted, not_stored, released };

struct Entry {
  const HoldLane* hold = nullptr;
  Fault fault = Fault::none;
  Moment at;
};

Entry judge(const History& history, const Lanes& lanes, const HoldLane& hold) {
  if (!hold.acquired.precedes(hold.worked)) return {&hold, Fault::not_granted, hold.worked};
  if (names_a_nonce(hold) && !is_stored(history, lanes, hold)) {
    return {&hold, Fault::not_stored, hold.worked};
  }
  if (hold.worked_late.known()) return {&hold, Fault::released, hold.worked_late};
  return {};
}

Finding describe(const History& history, const Entry& entry) {
  const HoldLane& hold = *entry.hold;
  Finding finding;
  finding.verdict = Verdict::violated;
  finding.why = process_of(history, hold) + " worked under " + lock_of(history, hold) + " at " +
                to_string(entry.at.at);
  switch (entry.fault) {
    case Fault::released:
      finding.why += ", after it had asked for its release at " + to_string(hold.release_begun.at);
      finding.witness = witness_of_seqs({hold.release_begun.seq, entry.at.seq});
      break;
    case Fault::not_stored:
      finding.why += ", granted at " + to_string(hold.acquired.at) +
                     ", but no server that answers for it had stored it";
      finding.witness = witness_of_seqs({hold.acquired.seq, entry.at.seq});
      break;
    default:
      finding.why += " without having been granted it";
      finding.witness = witness_of_seqs({hold.requested.seq, entry.at.seq});
  }
  return finding;
}

Finding check(const History& history, const Lanes& lanes) {
  Entry first;
  std::uint32_t exercised = 0;
  for (const HoldLane& hold : lanes.holds()) {
    if (!hold.worked.known()) continue;
    if (!hold.by_probe) ++exercised;
    const Entry entry = judge(history, lanes, hold);
    if (entry.fault != Fault::none && entry.at.precedes(first.at)) first = entry;
  }
  Finding finding;
  if (first.fault != Fault::none) finding = describe(history, first);
  finding.exercised = exercised;
  return finding;
}

}  // namespace

Property no_open_door() {
  return {"no-open-door",
          "Whoever enters a section or sends a guarded effect has been granted the lock, some "
          "authority has stored the grant, and its release has not been requested yet.",
          Severity::cause, check};
}

}  // namespace locklab
