// no-lost-update: every append builds on the state that its hold last saw of that object (NLU).
// SPDX-License-Identifier: Apache-2.0
#include "properties/describe.h"
#include "properties/property.h"

namespace locklab {
namespace {

/// What one hold knows of one object: its version as of the last read, or after the own append that
/// followed. `seen` is that operation's seq, 0 before any.
struct Knowledge {
  std::int64_t version = 0;
  std::uint32_t seen = 0;
  std::uint32_t sequence = 0;  // The hold's number of that operation.
};

/// The last accepted append to the object before `record`: whose update is lost.
const Record* overwritten(const History& history, const Lanes& lanes, const Record& record) {
  const Record* last = nullptr;
  for (const Effect& effect : lanes.effects()) {
    if (effect.seq >= record.seq) break;
    const Record& other = history.at(effect.seq);
    if (other.arg == record.arg) last = &other;
  }
  return last;
}

/// What `record` is a second copy of: the same operation of the same hold, done before.
const Record* original(const History& history, const Lanes& lanes, const Record& record) {
  for (const Effect& effect : lanes.effects()) {
    const Record& other = history.at(effect.seq);
    if (other.seq >= record.seq) break;
    const bool same = other.hold == record.hold && other.arg == record.arg &&
                      other.nonce == record.nonce && record.nonce != 0;
    if (same) return &other;
  }
  return nullptr;
}

std::string why_twice(const History& history, const Lanes& lanes, const Record& first,
                      const Record& record) {
  return "the append of " + process_of(history, *lanes.find(record.hold_id())) + " to object " +
         std::to_string(record.arg >> 8) + " at " + to_string(first.at()) + ", on top of version " +
         std::to_string(first.result) + ", was accepted a second time at " +
         to_string(record.at()) + ", on top of version " + std::to_string(record.result);
}

std::string why_lost(const History& history, const Lanes& lanes, const Knowledge& knowledge,
                     const Record& record, const Record* lost) {
  const HoldLane& mine = *lanes.find(record.hold_id());
  std::string why = process_of(history, mine) + " appended to object " +
                    std::to_string(record.arg >> 8) + " at " + to_string(record.at()) +
                    " on top of version " + std::to_string(record.result) + ", but knew version " +
                    std::to_string(knowledge.version) + " of " +
                    to_string(history.at(knowledge.seen).at());
  if (lost == nullptr) return why;
  const HoldLane& theirs = *lanes.find(lost->hold_id());
  return why + (lost->hold == record.hold
                    ? ": its own append of " + to_string(lost->at()) + " is lost"
                    : ": the append of " + names_of(history, mine, theirs).second + " at " +
                          to_string(lost->at()) + " is lost");
}

void describe(const History& history, const Lanes& lanes, const Knowledge& knowledge,
              const Record& record, Finding& finding) {
  const Record* const first = original(history, lanes, record);
  const Record* const lost = overwritten(history, lanes, record);
  finding.verdict = Verdict::violated;
  finding.why = first != nullptr ? why_twice(history, lanes, *first, record)
                                 : why_lost(history, lanes, knowledge, record, lost);
  finding.witness = witness_of_seqs({knowledge.seen, lost == nullptr ? 0 : lost->seq, record.seq});
}

Finding check(const History& history, const Lanes& lanes) {
  Finding finding;
  const std::span<Knowledge> known =
      lanes.scratch<Knowledge>(lanes.holds().size() * Lanes::kObjects);
  for (const Effect& effect : lanes.effects()) {
    const Record& record = history.at(effect.seq);
    const auto object = static_cast<std::size_t>(record.arg >> 8);
    Knowledge& mine = known[effect.lane * Lanes::kObjects + object];
    // A duplicate, or an operation that a later one of its hold has overtaken on the way.
    const bool late = record.nonce != 0 && record.nonce <= mine.sequence;
    if (static_cast<ResourceOp>(record.arg & 0xff) == ResourceOp::read) {
      if (!late) mine = {record.result, record.seq, record.nonce};
      continue;
    }
    if (mine.seen == 0) continue;  // A blind append replaces nothing that it has read.
    ++finding.exercised;
    if (finding.verdict != Verdict::violated && (late || record.result != mine.version)) {
      describe(history, lanes, mine, record, finding);
    }
    if (!late) mine = {record.result + 1, record.seq, record.nonce};
  }
  return finding;
}

}  // namespace

Property no_lost_update() {
  return {"no-lost-update",
          "Every accepted append of a hold is made at the version of the object that the hold last "
          "read, or left behind itself.",
          Severity::harm, check};
}

}  // namespace locklab
