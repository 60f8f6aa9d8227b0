// eventual-release: once faults have stopped, somebody gets the lock within the bound (DF).
// SPDX-License-Identifier: Apache-2.0
//
// Blocked is claimed only when the state repeats; a run that merely ends too early is unknown.
#include "properties/describe.h"
#include "properties/property.h"

namespace locklab {
namespace {

const char* reason_of(std::int64_t fact) {
  switch (static_cast<BlockingFact>(fact)) {
    case BlockingFact::orphan_key:
      return "a key without expiry is left whose creator is gone or does not know that it holds";
    case BlockingFact::live_watchdog:
      return "a watchdog renews for a worker that has ended";
    case BlockingFact::count_above_zero:
      return "a reentrant count has stayed above zero after its release, and nobody will take it "
             "down";
    case BlockingFact::no_quorum:
      return "too few nodes can answer";
    case BlockingFact::fence_lock_out:
      return "the lock is granted, but the resource refuses the fence of every grant to come";
    case BlockingFact::none:
    case BlockingFact::other:
      break;
  }
  return "nothing that is still to happen frees the lock";
}

const char* ending_of(std::int64_t reason) {
  switch (static_cast<EndReason>(reason)) {
    case EndReason::virtual_limit:
      return "the run reached its limit of virtual time";
    case EndReason::step_limit:
      return "the run reached its limit of steps";
    case EndReason::unsupported:
      return "the run was given up inside a foreign primitive";
    default:
      return "the run ended";
  }
}

/// What the records say of the last probe; nullptr: nothing.
struct Probe {
  const Record* begun = nullptr;
  const Record* acquired = nullptr;  // The first after `begun`.
  const Record* blocked = nullptr;
  const Record* ended = nullptr;
};

Probe read(const History& history, const Lanes& lanes) {
  Probe probe;
  for (const std::uint32_t seq : lanes.ending()) {
    const Record& record = history.at(seq);
    if (record.kind == EventKind::probe_begin) {
      probe = {};
      probe.begun = &record;
    } else if (record.kind == EventKind::probe_acquired) {
      if (probe.acquired == nullptr) probe.acquired = &record;
    } else if (record.kind == EventKind::probe_blocked) {
      if (probe.blocked == nullptr) probe.blocked = &record;
    } else {
      probe.ended = &record;
      // A run that ends because its state repeats is blocked, whether or not the fact was found.
      const bool repeats = static_cast<EndReason>(record.arg) == EndReason::repeats;
      if (repeats && probe.acquired == nullptr && probe.blocked == nullptr) probe.blocked = &record;
    }
  }
  return probe;
}

Finding unknown(const Record& record, std::string why) {
  Finding finding;
  finding.verdict = Verdict::unknown;
  finding.why = std::move(why);
  finding.witness = witness_of_seqs({record.seq});
  return finding;
}

std::string since(const Probe& probe) {
  return " after the faults stopped at " + to_string(probe.begun->at());
}

Finding blocked(const Probe& probe) {
  const bool named = probe.blocked->kind == EventKind::probe_blocked;
  Finding finding;
  finding.verdict = Verdict::violated;
  finding.why = "nobody can get the lock" + since(probe) + ": at " +
                to_string(probe.blocked->at()) + " the state repeats, and " +
                reason_of(named ? probe.blocked->arg : 0);
  finding.witness = witness_of_seqs({probe.begun->seq, probe.blocked->seq});
  return finding;
}

Finding cut_short(const Probe& probe) {
  const Record& last = probe.ended != nullptr ? *probe.ended : *probe.begun;
  const char* what = probe.ended != nullptr ? ending_of(probe.ended->arg) : "the history ends";
  return unknown(last, std::string(what) + " at " + to_string(last.at()) +
                           " before anybody got the lock" + since(probe));
}

Finding judge(const Probe& probe) {
  if (probe.blocked != nullptr) return blocked(probe);
  if (probe.acquired == nullptr) return cut_short(probe);
  const Duration bound = duration_from_bits(probe.begun->result);
  const Duration waited = probe.acquired->at() - probe.begun->at();
  if (waited <= bound) return {};
  return unknown(*probe.acquired, "nobody got the lock until " + to_string(waited) + since(probe) +
                                      ", past the bound of " + to_string(bound));
}

Finding check(const History& history, const Lanes& lanes) {
  const Probe probe = read(history, lanes);
  Finding finding;
  if (probe.begun == nullptr) {
    finding.verdict = Verdict::unknown;
    finding.why = "the run has no liveness probe";
    return finding;
  }
  finding = judge(probe);
  finding.exercised = 1;
  return finding;
}

}  // namespace

Property eventual_release() {
  return {
      "eventual-release",
      "Once faults have stopped and a quorum is healed, somebody gets the lock within the bound "
      "that follows from the configuration.",
      Severity::progress, check};
}

}  // namespace locklab
