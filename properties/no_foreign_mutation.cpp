// no-foreign-mutation: nobody deletes, overwrites or renews a key that another hold created (NWD).
// SPDX-License-Identifier: Apache-2.0
#include "properties/describe.h"
#include "properties/property.h"

namespace locklab {
namespace {

/// Deletions and expiry changes that a hold caused where clients are answered. What expires, and
/// what a flush or an eviction removes, has no hold or says so.
bool is_mutation(const Record& record, const Lanes& lanes) {
  if (record.kind != EventKind::key_deleted && record.kind != EventKind::key_ttl) return false;
  if (record.has(event_flags::kReplica) || record.has(event_flags::kByExpiry)) return false;
  return record.hold != 0 && lanes.is_lock(record.lock);
}

/// The key_set that created what the record found, or nullptr if the history does not show it.
const Record* creation_of(const Record& record, const History& history, const Lanes& lanes) {
  const Record* creation = nullptr;
  for (const std::uint32_t seq : lanes.key_events()) {
    if (seq >= record.seq) break;
    const Record& set = history.at(seq);
    if (set.kind == EventKind::key_set && set.lock == record.lock && set.arg == record.arg) {
      creation = &set;
    }
  }
  return creation;
}

std::string describe(const History& history, const Record& record, HoldId creator) {
  const auto name = [&history](HoldId hold) {
    return history.actors[hold.process().value].name + " (hold " + std::to_string(hold.number()) +
           ")";
  };
  const char* what = record.kind == EventKind::key_ttl       ? " changed the expiry of "
                     : record.has(event_flags::kOverwritten) ? " overwrote "
                                                             : " deleted ";
  return name(record.hold_id()) + what + std::string(history.text(record.lock)) + " on " +
         history.actors[record.actor].name + " at " + to_string(record.at()) + ", a key that " +
         name(creator) + " had created";
}

Finding check(const History& history, const Lanes& lanes) {
  Finding finding;
  for (const std::uint32_t seq : lanes.key_events()) {
    const Record& record = history.at(seq);
    if (!is_mutation(record, lanes)) continue;
    ++finding.exercised;
    if (finding.verdict == Verdict::violated) continue;
    HoldId creator = Span{static_cast<std::uint64_t>(record.arg)}.hold();
    if (creator == record.hold_id()) continue;
    // A renewal that stores the key anew leaves its own span there, which names no acquire.
    const Record* const creation = creation_of(record, history, lanes);
    if (creation != nullptr) creator = creation->hold_id();
    if (creator == record.hold_id() || !creator) continue;
    finding.verdict = Verdict::violated;
    finding.why = describe(history, record, creator);
    finding.witness = witness_of_seqs({creation == nullptr ? 0 : creation->seq, seq});
  }
  return finding;
}

}  // namespace

Property no_foreign_mutation() {
  return {"no-foreign-mutation",
          "Nobody deletes, overwrites or changes the expiry of a key that another hold created.",
          Severity::cause, check};
}

}  // namespace locklab
