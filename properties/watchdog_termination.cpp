// watchdog-termination: who renews a hold stops when the hold, or its worker, does (WT).
// SPDX-License-Identifier: Apache-2.0
//
// A renewal that has begun is in flight and may end as it likes; none may begin later. Records do
// not say which fiber works, so that a worker is only said to be gone when nobody can be it: its
// section is left or was never entered, nobody asks for the release from here on, and every live
// fiber of its process was started on behalf of this hold, or there is only the one that renews.
#include <algorithm>

#include "properties/describe.h"
#include "properties/property.h"

namespace locklab {
namespace {

/// A fiber that began. Numbers of fibers grow without bound, those alive do too where they leak.
struct Fiber {
  std::uint16_t process = 0;
  bool lives = false;
  std::uint32_t started_for = 0;  // HoldId; 0: nobody's.
  std::int64_t number = 0;
};

/// A hold that was renewed and is over, or whose worker is gone.
struct Leak {
  const HoldLane* hold = nullptr;
  std::uint32_t ended = 0;  // The record since which nobody holds or works.
  std::uint32_t shown = 0;  // The renewal that began later; for a doubt, the last record.
  bool over = false;
};

class Watch {
 public:
  Watch(const History& history, const Lanes& lanes)
      : history_(history),
        lanes_(lanes),
        fibers_(lanes.scratch<Fiber>(static_cast<std::size_t>(
            std::count_if(history.records().begin(), history.records().end(),
                          [](const Record& r) { return r.kind == EventKind::fiber_began; })))) {}

  void follow() {
    for (const Record& record : history_.records())
      take(record);
    for (const HoldLane& hold : lanes_.holds()) {
      if (hold.renewed.known()) close(hold);
    }
  }
  /// The first renewal that should not have begun.
  const Leak& violation() const { return violation_; }
  /// A fiber that may still begin one when the history ends.
  const Leak& doubt() const { return doubt_; }
  /// Renewed holds that came to an end.
  std::uint32_t ended() const { return ended_; }

 private:
  void take(const Record& record) {
    switch (record.kind) {
      case EventKind::fiber_began:
        fibers_[begun_++] = {record.actor, true, record.hold, record.arg};
        return;
      case EventKind::fiber_ended:
        return end(record);
      case EventKind::panicked:
        return record.result == 1 ? end(record) : end_all(record.actor);
      case EventKind::killed:
        return end_all(record.actor);
      case EventKind::op_begin:
        if (static_cast<Operation>(record.arg) == Operation::renew) renew(record);
        return;
      default:
        return;
    }
  }

  void end(const Record& record) {
    if (Fiber* const fiber = find(record)) fiber->lives = false;
  }
  void end_all(std::uint16_t process) {
    for (Fiber& fiber : begun()) {
      if (fiber.process == process) fiber.lives = false;
    }
  }

  void renew(const Record& record) {
    const HoldLane& hold = *lanes_.find(record.hold_id());
    if (violation_.hold != nullptr) return;
    if (hold.over.known() && hold.over.seq < record.seq) {
      violation_ = {&hold, hold.over.seq, record.seq, true};
    } else if (is_worker_gone(hold, record.seq)) {
      violation_ = {&hold, last_end(hold, record.seq), record.seq, false};
    }
  }

  bool is_worker_gone(const HoldLane& hold, std::uint32_t seq) const {
    const bool left = hold.left.known() && hold.left.seq < seq;
    if (!left && hold.worked.known()) return false;
    const bool asks_later = hold.release_begun.known() &&
                            (hold.release_begun.seq > seq || hold.release_returned.known());
    if (asks_later) return false;
    const Alive alive = alive_of(hold);
    if (alive.all == 0) return false;
    return alive.children == alive.all || (left && alive.all == 1);
  }

  /// The last end of a fiber that could have been the worker, or the end of the section.
  std::uint32_t last_end(const HoldLane& hold, std::uint32_t before) const {
    for (std::uint32_t seq = before - 1; seq > 0; --seq) {
      const Record& record = history_.at(seq);
      if (record.who() != hold.hold.process()) continue;
      if (record.kind != EventKind::fiber_ended && record.kind != EventKind::panicked) continue;
      const Fiber* const fiber = find(record);
      if (fiber == nullptr || fiber->started_for != hold.hold.value) return seq;
    }
    return hold.left.known() ? hold.left.seq : hold.renewed.seq;
  }

  void close(const HoldLane& hold) {
    const auto last = static_cast<std::uint32_t>(history_.records().size());
    const bool gone = is_worker_gone(hold, last + 1);
    if (!hold.over.known() && !hold.abandoned.known() && !gone) return;
    ++ended_;
    // A run ends with the probe's release: what it started is cut off.
    if (doubt_.hold != nullptr || hold.by_probe) return;
    if (alive_of(hold).children == 0) return;
    if (hold.over.known()) {
      doubt_ = {&hold, hold.over.seq, last, true};
    } else if (gone) {
      doubt_ = {&hold, last_end(hold, last + 1), last, false};
    }
  }

  /// The live fibers of a hold's process, and those of them that were started for it.
  struct Alive {
    std::uint32_t all = 0;
    std::uint32_t children = 0;
  };
  Alive alive_of(const HoldLane& hold) const {
    Alive alive;
    for (const Fiber& fiber : begun()) {
      if (!fiber.lives || fiber.process != hold.hold.process().value) continue;
      ++alive.all;
      if (fiber.started_for == hold.hold.value) ++alive.children;
    }
    return alive;
  }

  std::span<Fiber> begun() const { return fibers_.first(begun_); }
  /// The one that a record speaks of; nullptr: it never began.
  Fiber* find(const Record& record) const {
    for (std::size_t i = begun_; i > 0; --i) {
      Fiber& fiber = fibers_[i - 1];
      if (fiber.process == record.actor && fiber.number == record.arg) return &fiber;
    }
    return nullptr;
  }

  const History& history_;
  const Lanes& lanes_;
  std::span<Fiber> fibers_;  // In the order in which they began.
  std::size_t begun_ = 0;
  Leak violation_;
  Leak doubt_;
  std::uint32_t ended_ = 0;
};

Finding describe(const History& history, const Leak& leak, Verdict verdict) {
  const HoldLane& hold = *leak.hold;
  const std::string who = process_of(history, hold);
  const std::string since = to_string(history.at(leak.ended).at());
  Finding finding;
  finding.verdict = verdict;
  if (verdict == Verdict::violated) {
    finding.why = who + " began to renew " + lock_of(history, hold) + " at " +
                  to_string(history.at(leak.shown).at());
  } else {
    finding.why = "a fiber that " + who + " started for " + lock_of(history, hold) +
                  " is alive when the run ends at " + to_string(history.at(leak.shown).at()) +
                  " and may renew it";
  }
  if (!leak.over) {
    finding.why += ", although the worker is gone since " + since;
  } else if (hold.granted) {
    finding.why += ", although its release had returned at " + since;
  } else {
    finding.why += ", although it was not granted, at " + since;
  }
  finding.witness = witness_of_seqs({leak.ended, leak.shown});
  return finding;
}

Finding check(const History& history, const Lanes& lanes) {
  if (lanes.renewals().empty()) return {};
  Watch watch(history, lanes);
  watch.follow();
  Finding finding;
  if (watch.violation().hold != nullptr) {
    finding = describe(history, watch.violation(), Verdict::violated);
  } else if (watch.doubt().hold != nullptr) {
    finding = describe(history, watch.doubt(), Verdict::unknown);
  }
  finding.exercised = watch.ended();
  return finding;
}

}  // namespace

Property watchdog_termination() {
  return {"watchdog-termination",
          "No renewal of a hold begins after its release has returned, after its acquire has "
          "returned without it, or after its worker is gone.",
          Severity::cause, check};
}

}  // namespace locklab
