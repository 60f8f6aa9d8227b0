// no-orphan-key: a key without expiry has somebody who will delete it or give it one (ORPHAN).
// SPDX-License-Identifier: Apache-2.0
//
// Judged per creating attempt. The violation is the first record after which all of this is true:
// the key is on an authority without an expiry; its hold is abandoned (HoldLane::abandoned); and
// each command that the hold ever sent to a server has been applied or answered, so that no EXPIRE
// or DEL is under way. A command that timed out or whose connection broke may still arrive (a cut
// holds bytes, a paused node its queue): until it does, nothing is claimed. If it never does, a
// state that repeats settles the matter, since bytes in flight are part of it; else it is unknown.
#include <algorithm>

#include "properties/describe.h"
#include "properties/property.h"

namespace locklab {
namespace {

/// A key on one node.
struct Key {
  std::uint32_t set = 0;      // seq of its key_set; 0: there is no key.
  std::uint32_t creator = 0;  // HoldId.
  std::uint32_t open = 0;     // Since this record on an authority and without expiry; 0: it is not.
  bool unlimited = false;
  bool on_authority = false;
  bool node_died = false;  // On an authority until then.
  bool outlived = false;   // Was on an authority after its hold had been abandoned.
};

/// A key that nobody looks after.
struct Orphan {
  Verdict verdict = Verdict::holds;
  Key key;
  std::uint32_t node = 0;
  const HoldLane* hold = nullptr;
  std::uint32_t seq = 0;  // From here on; for unknown the last record.
};

/// A node's step is one instant: its `applied` comes first, what it changed follows.
bool step_goes_on(const History& history, const Record& record) {
  if (record.seq == history.records().size()) return false;
  const Record& next = history.at(record.seq + 1);
  return next.actor == record.actor && next.t == record.t &&
         (next.kind == EventKind::key_set || next.kind == EventKind::key_deleted ||
          next.kind == EventKind::key_ttl || next.kind == EventKind::key_value);
}

/// The first record from `start` on, before `end`, at which no command of the hold is under way; 0:
/// none. Replies and applications are counted, not matched: the greater of the two is never more
/// than the commands that are settled.
std::uint32_t first_settled(const History& history, HoldId hold, std::uint32_t start,
                            std::uint32_t end) {
  std::uint32_t sent = 0;
  std::uint32_t applied = 0;
  std::uint32_t replied = 0;
  for (const Record& record : history.records()) {
    if (record.seq >= end) break;
    if (record.hold == hold.value && !record.has(event_flags::kResource)) {
      if (record.kind == EventKind::sent) ++sent;
      if (record.kind == EventKind::applied && !record.has(event_flags::kReplica)) ++applied;
      if (record.kind == EventKind::replied) ++replied;
    }
    const bool settled = sent <= std::max(applied, replied);
    if (record.seq >= start && settled && !step_goes_on(history, record)) return record.seq;
  }
  return 0;
}

/// The record that says that the state repeats, or nullptr.
const Record* repetition(const History& history, const Lanes& lanes) {
  for (const std::uint32_t seq : lanes.ending()) {
    const Record& record = history.at(seq);
    if (record.kind == EventKind::probe_blocked) return &record;
    if (record.kind == EventKind::run_end &&
        static_cast<EndReason>(record.arg) == EndReason::repeats) {
      return &record;
    }
  }
  return nullptr;
}

/// Follows the keys of locks on all nodes through the history.
class Keys {
 public:
  Keys(const History& history, const Lanes& lanes)
      : history_(history),
        lanes_(lanes),
        keys_(lanes.scratch<Key>(history.actors.size() * lanes.lock_count())),
        past_end_(static_cast<std::uint32_t>(history.records().size()) + 1) {}

  void follow() {
    for (const std::uint32_t seq : lanes_.key_events())
      take(history_.at(seq));
    for (Key& key : keys_)
      remove(key, past_end_);
  }
  const Orphan& worst() const { return worst_; }
  /// Keys that were on an authority after their hold was abandoned, with or without expiry.
  std::uint32_t outlived() const { return outlived_; }

 private:
  void take(const Record& record) {
    switch (record.kind) {
      case EventKind::key_set:
        if (lanes_.is_lock(record.lock)) set(record);
        break;
      case EventKind::key_deleted:
        if (lanes_.is_lock(record.lock)) remove(key_of(record), record.seq);
        break;
      case EventKind::key_ttl:
        if (lanes_.is_lock(record.lock)) limit(key_of(record), record);
        break;
      case EventKind::promoted:
        promote(record);
        break;
      case EventKind::demoted:
        for (Key& key : keys_of(record.actor))
          move(key, false, record.seq);
        break;
      case EventKind::killed:
        stop(record);
        break;
      case EventKind::resynced:
        copy(record);
        break;
      case EventKind::restarted:
        start(record);
        break;
      default:
        break;
    }
  }

  void set(const Record& record) {
    Key& key = key_of(record);
    remove(key, record.seq);
    key.set = record.seq;
    key.creator = record.hold;
    key.unlimited = record.result == -1;
    move(key, !record.has(event_flags::kReplica) && !is_superseded(record.actor), record.seq);
  }

  void remove(Key& key, std::uint32_t seq) {
    if (key.set == 0) return;
    move(key, false, seq);
    key = {};
  }

  /// Nobody can ask a dead node; what it still has shows when it comes back.
  void stop(const Record& record) {
    for (Key& key : keys_of(record.actor)) {
      const bool died = key.on_authority;
      move(key, false, record.seq);
      key.node_died = died;
    }
  }

  void start(const Record& record) {
    for (Key& key : keys_of(record.actor)) {
      if (record.arg == 1) remove(key, record.seq);
      if (key.node_died) move(key, !is_superseded(record.actor), record.seq);
    }
  }

  void limit(Key& key, const Record& record) {
    const bool unlimited = record.result == -1;
    if (key.set == 0 || key.unlimited == unlimited) return;
    close(key, record.seq);
    key.unlimited = unlimited;
    move(key, key.on_authority, record.seq);
  }

  /// With failover there is one authority: whom the last promotion named. A primary that it
  /// replaced keeps its keys, but nobody who looks for the lock will ask there.
  void promote(const Record& record) {
    sole_authority_ = record.actor;
    for (Key& key : keys_)
      move(key, node_of(key) == record.actor, record.seq);
  }

  void copy(const Record& record) {
    for (std::size_t lock = 0; lock < lanes_.lock_count(); ++lock) {
      Key& key = keys_of(record.actor)[lock];
      remove(key, record.seq);
      key = keys_of(static_cast<std::size_t>(record.arg))[lock];
      key.open = 0;
      key.on_authority = false;
      key.node_died = false;
      key.outlived = false;
    }
  }

  void move(Key& key, bool on_authority, std::uint32_t seq) {
    if (key.set == 0) return;
    if (key.on_authority && !on_authority) note_outlived(key, seq);
    key.on_authority = on_authority;
    const bool open = on_authority && key.unlimited;
    if (open && key.open == 0) key.open = seq;
    if (!open) close(key, seq);
  }

  bool is_superseded(std::uint32_t node) const {
    return sole_authority_ != 0 && sole_authority_ != node;
  }

  void note_outlived(Key& key, std::uint32_t seq) {
    const HoldLane* const hold = lanes_.find(HoldId{key.creator});
    if (key.outlived || hold == nullptr || !hold->abandoned.known()) return;
    if (hold->abandoned.seq >= seq) return;
    key.outlived = true;
    ++outlived_;
  }

  /// The key gets an expiry, disappears or leaves the authority: was it an orphan until then?
  void close(Key& key, std::uint32_t seq) {
    if (key.open != 0) judge(key, seq);
    key.open = 0;
  }

  void judge(const Key& key, std::uint32_t end) {
    const HoldLane* const hold = lanes_.find(HoldId{key.creator});
    if (hold == nullptr) return;
    const Record* const repeats = end == past_end_ ? repetition(history_, lanes_) : nullptr;
    if (!hold->abandoned.known()) {
      // An attempt that its operation has given up shows only in why nothing goes on.
      const bool named = repeats != nullptr && repeats->kind == EventKind::probe_blocked &&
                         static_cast<BlockingFact>(repeats->arg) == BlockingFact::orphan_key;
      if (named) report({Verdict::violated, key, node_of(key), hold, repeats->seq});
      return;
    }
    const std::uint32_t start = std::max(key.open, hold->abandoned.seq);
    if (start >= end) return;
    const std::uint32_t settled = first_settled(history_, hold->hold, start, end);
    if (settled != 0) {
      report({Verdict::violated, key, node_of(key), hold, settled});
    } else if (repeats != nullptr) {
      report({Verdict::violated, key, node_of(key), hold, repeats->seq});
    } else if (end == past_end_) {
      report({Verdict::unknown, key, node_of(key), hold, past_end_ - 1});
    }
  }

  void report(const Orphan& orphan) {
    if (orphan.verdict < worst_.verdict) return;
    if (orphan.verdict == worst_.verdict && orphan.seq >= worst_.seq) return;
    worst_ = orphan;
  }

  std::span<Key> keys_of(std::size_t node) {
    return keys_.subspan(node * lanes_.lock_count(), lanes_.lock_count());
  }
  Key& key_of(const Record& record) {
    return keys_of(record.actor)[lanes_.lock_index(record.lock)];
  }
  std::uint32_t node_of(const Key& key) const {
    return static_cast<std::uint32_t>(static_cast<std::size_t>(&key - keys_.data()) /
                                      lanes_.lock_count());
  }

  const History& history_;
  const Lanes& lanes_;
  std::span<Key> keys_;  // By node, then by lock.
  std::uint32_t past_end_;
  std::uint32_t sole_authority_ = 0;
  std::uint32_t outlived_ = 0;
  Orphan worst_;
};

std::string describe(const History& history, const Orphan& orphan) {
  const HoldLane& hold = *orphan.hold;
  const std::string who = process_of(history, hold);
  std::string why = lock_of(history, hold) + " on " + history.actors[orphan.node].name +
                    " has no expiry from " + to_string(history.at(orphan.key.open).at());
  if (!hold.abandoned.known()) {
    return why + ", and the attempt of " + who + " that created it is over";
  }
  why += ", and " + who + ", which created it, has nothing to do with it since " +
         to_string(hold.abandoned.at);
  if (orphan.verdict == Verdict::unknown) return why + "; a command of its may still arrive";
  return why + ": nobody will delete it";
}

Finding check(const History& history, const Lanes& lanes) {
  Keys keys(history, lanes);
  keys.follow();
  const Orphan& orphan = keys.worst();
  Finding finding;
  if (orphan.verdict != Verdict::holds) {
    finding.verdict = orphan.verdict;
    finding.why = describe(history, orphan);
    finding.witness =
        witness_of_seqs({orphan.key.set, orphan.key.open, orphan.hold->abandoned.seq, orphan.seq});
  }
  finding.exercised = keys.outlived();
  return finding;
}

}  // namespace

Property no_orphan_key() {
  return {"no-orphan-key",
          "A key without expiry always has somebody who works for the attempt that created it: in "
          "flight, inside, or with a command under way.",
          Severity::cause, check};
}

}  // namespace locklab
