// Signature: looks for the event by which somebody lost a lock without knowing.
// SPDX-License-Identifier: Apache-2.0
#include "search/signature.h"

#include <algorithm>
#include <vector>

#include "sim/choice.h"

namespace locklab {
namespace {

/// Whose hold a record of the server lane is about: for keys, the hold that created what is there.
HoldId subject_of(const Record& record) {
  switch (record.kind) {
    case EventKind::key_deleted:
    case EventKind::key_ttl:
    case EventKind::key_lost:
    case EventKind::key_value:
    case EventKind::key_set:
      return Span{static_cast<std::uint64_t>(record.arg)}.hold();
    default:
      return record.hold_id();
  }
}

std::vector<HoldId> holds_of(const History& history, const Finding& finding) {
  std::vector<HoldId> holds;
  for (const std::uint32_t seq : finding.witness) {
    const HoldId hold = subject_of(history.at(seq));
    if (hold && std::find(holds.begin(), holds.end(), hold) == holds.end()) holds.push_back(hold);
  }
  return holds;
}

/// The record takes a lock from a hold that has it, other than by that hold's own will.
bool takes_away(const Record& record, const Lanes& lanes, std::span<const HoldId> holds) {
  if (record.has(event_flags::kReplica)) return false;
  switch (record.kind) {
    case EventKind::promoted:
      return record.arg > 0;
    case EventKind::resynced:
      return true;
    case EventKind::restarted:
      return record.arg != 0;
    case EventKind::key_lost:
    case EventKind::key_deleted: {
      const HoldId owner = subject_of(record);
      if (std::find(holds.begin(), holds.end(), owner) == holds.end()) return false;
      const HoldLane* const lane = lanes.find(owner);
      const bool held = lane != nullptr && lane->granted && lane->requested.seq < record.seq;
      const bool given_up =
          held && lane->release_begun.known() && lane->release_begun.seq < record.seq;
      return held && !given_up && (record.kind == EventKind::key_lost || record.hold_id() != owner);
    }
    default:
      return false;
  }
}

std::int64_t detail_of(const Record& record) {
  if (record.kind == EventKind::probe_blocked) return record.arg;
  if (record.kind == EventKind::resource_op) return record.arg & 0xff;
  return 0;
}

}  // namespace

Signature signature_of(const History& history, const Lanes& lanes, const NamedFinding& finding) {
  Signature signature;
  signature.property = finding.property->name;
  const std::vector<std::uint32_t>& witness = finding.finding.witness;
  if (witness.empty()) return signature;
  const std::vector<HoldId> holds = holds_of(history, finding.finding);
  const std::uint32_t last = witness.back();
  for (const Record& record : history.records().first(last)) {
    if (record.kind == EventKind::fault_begin) {
      const auto kind = FaultValue::unpack(static_cast<std::uint64_t>(record.arg)).kind;
      signature.faults = signature.faults.with(kind);
    }
    if (signature.first_wrong == EventKind::none && takes_away(record, lanes, holds)) {
      signature.first_wrong = record.kind;
    }
  }
  if (signature.first_wrong == EventKind::none) {
    const Record& record = history.at(last);
    signature.first_wrong = record.kind;
    signature.detail = detail_of(record);
  }
  return signature;
}

std::string to_string(const Signature& signature) {
  std::string text(signature.property);
  text += ", first " + std::string(name_of(signature.first_wrong));
  for (std::size_t k = 1; k < static_cast<std::size_t>(FaultKind::count); ++k) {
    const auto kind = static_cast<FaultKind>(k);
    if (!signature.faults.has(kind)) continue;
    text += text.find(", under ") == std::string::npos ? ", under " : " and ";
    text += name_of(kind);
  }
  return text;
}

}  // namespace locklab
