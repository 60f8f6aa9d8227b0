// honest-outcome: what acquire, renew and release report is true (CONT, both sides).
// SPDX-License-Identifier: Apache-2.0
//
// Success is judged at its effect, not when the client hears of it, and a loss by denial
// (properties/denial.h) makes it a lie. A validity is over at once if the client's own clock says
// so at the very instant of the answer; a pause or stall that struck on the way out excuses that,
// for the lock had looked before. Of several releases of one hold only the first is taken at its
// word when it says "not held".
#include "properties/describe.h"
#include "properties/property.h"
#include "properties/stored.h"

namespace locklab {
namespace {

enum class Lie : std::uint8_t { acquired, validity, renewed, released, not_held };

/// A report that is not true.
struct Report {
  Lie lie = Lie::acquired;
  const HoldLane* hold = nullptr;
  Moment at;                // The answer.
  std::uint32_t proof = 0;  // The record that it contradicts.
};

bool is_struck_on_return(const History& history, std::uint32_t begun, std::uint32_t returned) {
  for (std::uint32_t seq = begun + 1; seq < returned; ++seq) {
    const Record& record = history.at(seq);
    const bool on_return = record.label == Label::acq_return || record.label == Label::wd_result;
    if (record.kind == EventKind::fault_begin && on_return) return true;
  }
  return false;
}

/// The record at the same instant that shows that the validity which was returned is over; 0: none.
std::uint32_t over_at_once(const History& history, const Record& returned) {
  for (std::uint32_t seq = returned.seq + 1; seq <= history.records().size(); ++seq) {
    const Record& record = history.at(seq);
    if (record.t != returned.t) return 0;
    if (record.hold != returned.hold) continue;
    if (record.kind == EventKind::sent && record.has(event_flags::kResource)) return 0;
    if (record.kind == EventKind::claim_end && record.local >= returned.local) return seq;
    const bool too_late = record.kind == EventKind::section_leave &&
                          static_cast<LeaveReason>(record.arg) == LeaveReason::lease_over;
    if (too_late) return seq;
  }
  return 0;
}

bool is_own_deletion(const Record& record, const HoldLane& hold) {
  return record.kind == EventKind::key_deleted && record.hold_id() == hold.hold &&
         !record.has(event_flags::kByExpiry);
}

/// Its count in a hash that others have entered too.
bool is_own_count(const Record& record, const HoldLane& hold) {
  return record.kind == EventKind::key_value && record.hold_id() == hold.hold &&
         record.lock == hold.lock;
}

/// It was being released when it was lost: of a quorum, some had deleted it already; of a hash that
/// it shared, its count was taken down.
bool is_lost_in_release(const History& history, const HoldLane& hold) {
  if (!hold.release_begun.precedes(hold.lost)) return false;
  for (std::uint32_t seq = hold.lost.seq; seq > hold.release_begun.seq; --seq) {
    const Record& record = history.at(seq);
    if (is_own_deletion(record, hold) || is_own_count(record, hold)) return true;
  }
  return false;
}

/// The deletion with which its release had removed enough by itself; 0: it never did.
std::uint32_t own_removal(const History& history, const HoldLane& hold) {
  std::uint32_t removed = 0;
  for (std::uint32_t seq = hold.release_begun.seq; seq < hold.release_returned.seq; ++seq) {
    const Record& record = history.at(seq);
    if (!is_own_deletion(record, hold) || record.has(event_flags::kReplica)) continue;
    if (++removed == history.facts.quorum) return seq;
  }
  return 0;
}

class Reports {
 public:
  Reports(const History& history, const Lanes& lanes) : history_(history), lanes_(lanes) {}

  void judge() {
    for (const HoldLane& hold : lanes_.holds()) {
      if (hold.granted) judge_acquire(hold);
      if (hold.granted && names_a_nonce(hold)) judge_release(hold);
    }
    for (const std::uint32_t seq : lanes_.renewals()) {
      const Record& record = history_.at(seq);
      if (record.kind != EventKind::op_return) continue;
      if (static_cast<Outcome>(record.result) == Outcome::renewed) judge_renewal(record);
    }
  }
  const Report& first() const { return first_; }
  std::uint32_t judged() const { return judged_; }

 private:
  void judge_acquire(const HoldLane& hold) {
    if (!names_a_nonce(hold) && !hold.checked) return;
    ++judged_;
    if (names_a_nonce(hold) && !is_stored(history_, lanes_, hold)) {
      report({Lie::acquired, &hold, hold.acquired, hold.requested.seq});
    }
    const Record& returned = history_.at(hold.acquired.seq);
    if (hold.checked) judge_validity(hold, returned, hold.requested.seq);
  }

  void judge_validity(const HoldLane& hold, const Record& returned, std::uint32_t begun) {
    const std::uint32_t over = over_at_once(history_, returned);
    if (over == 0 || is_struck_on_return(history_, begun, returned.seq)) return;
    report({Lie::validity, &hold, {returned.at(), returned.seq}, over});
  }

  void judge_renewal(const Record& returned) {
    const HoldLane& hold = *lanes_.find(returned.hold_id());
    ++judged_;
    const bool lost = hold.lost.known() && hold.lost.seq < returned.seq;
    if (!lost && !returned.has(event_flags::kChecked)) return;
    if (first_.hold != nullptr && first_.at.seq < returned.seq) return;
    const std::uint32_t begun = begin_of(returned);
    if (lost && hold.lost.seq < effect_of(returned, begun)) {
      report({Lie::renewed, &hold, {returned.at(), returned.seq}, hold.lost.seq});
    } else if (returned.has(event_flags::kChecked)) {
      judge_validity(hold, returned, begun);
    }
  }

  void judge_release(const HoldLane& hold) {
    if (hold.release_outcome == Outcome::released) {
      ++judged_;
      const bool lost = hold.lost.precedes(hold.release_returned);
      if (lost && !is_lost_in_release(history_, hold)) {
        report({Lie::released, &hold, hold.release_returned, hold.lost.seq});
      }
    } else if (hold.release_outcome == Outcome::not_held) {
      ++judged_;
      const bool first = hold.over.seq == hold.release_returned.seq;
      const bool held = hold.lost.known() && is_lost_in_release(history_, hold);
      const std::uint32_t removal = first && held ? own_removal(history_, hold) : 0;
      if (removal != 0) report({Lie::not_held, &hold, hold.release_returned, removal});
    }
  }

  std::uint32_t begin_of(const Record& returned) const {
    for (std::uint32_t seq = returned.seq - 1; seq > 0; --seq) {
      const Record& record = history_.at(seq);
      const bool begins = record.kind == EventKind::op_begin && record.arg == returned.arg;
      if (begins && record.hold == returned.hold) return seq;
    }
    return 0;
  }

  /// The first key that the renewal prolonged; the answer if there is none.
  std::uint32_t effect_of(const Record& returned, std::uint32_t begun) const {
    for (std::uint32_t seq = begun + 1; seq < returned.seq; ++seq) {
      const Record& record = history_.at(seq);
      const bool its = record.lock == returned.lock && record.hold == returned.hold;
      if (record.kind == EventKind::key_ttl && its && !record.has(event_flags::kReplica)) {
        return seq;
      }
    }
    return returned.seq;
  }

  void report(const Report& lie) {
    if (first_.hold == nullptr || lie.at.precedes(first_.at)) first_ = lie;
  }

  const History& history_;
  const Lanes& lanes_;
  Report first_;
  std::uint32_t judged_ = 0;
};

Finding describe(const History& history, const Report& report) {
  const HoldLane& hold = *report.hold;
  const std::string lock = lock_of(history, hold);
  const std::string at = to_string(report.at.at);
  const std::string then = report.proof == 0 ? "" : to_string(history.at(report.proof).at());
  Finding finding;
  finding.verdict = Verdict::violated;
  finding.why = process_of(history, hold) + " was told at " + at + " that ";
  switch (report.lie) {
    case Lie::acquired:
      finding.why += "it holds " + lock + ", but no server that answers for it had stored it";
      break;
    case Lie::validity:
      finding.why += "it holds " + lock + ", with a validity that was already over";
      break;
    case Lie::renewed:
      finding.why += lock + " is renewed, but had lost it at " + then;
      break;
    case Lie::released:
      finding.why += "it held " + lock + " until the release, but had lost it at " + then;
      break;
    case Lie::not_held:
      finding.why += "it did not hold " + lock + ", which its own release had deleted at " + then;
      break;
  }
  finding.witness = witness_of_seqs({report.proof, report.at.seq});
  return finding;
}

Finding check(const History& history, const Lanes& lanes) {
  Reports reports(history, lanes);
  reports.judge();
  Finding finding;
  if (reports.first().hold != nullptr) finding = describe(history, reports.first());
  finding.exercised = reports.judged();
  return finding;
}

}  // namespace

Property honest_outcome() {
  return {"honest-outcome",
          "A reported success is true at its effect, a returned validity is not over yet, and "
          "\"not held\" is not said of a hold that its own release removed.",
          Severity::cause, check};
}

}  // namespace locklab
