// Lanes: one pass over the records, a switch on the kind, and a short finish per hold.
// SPDX-License-Identifier: Apache-2.0
#include "properties/lanes.h"

#include <algorithm>

#include "sim/contract.h"

namespace locklab {
namespace {

Moment moment_of(const Record& record) {
  return {record.at(), record.seq};
}

const Moment& earlier(const Moment& a, const Moment& b) {
  return b.precedes(a) ? b : a;
}

/// The bit of a node in a set of 64: more than any scenario has.
std::uint64_t bit_of(std::uint16_t node) {
  return std::uint64_t{1} << (node & 63U);
}

/// A fiber of any process; its number, which is never used again, is below 2^48.
std::uint64_t fiber_of(const Record& record) {
  return std::uint64_t{record.actor} << 48 | static_cast<std::uint64_t>(record.arg);
}
bool is_of(std::uint64_t fiber, ActorId process) {
  return fiber >> 48 == process.value;
}

}  // namespace

void Lanes::read(const History& history) {
  clear();
  const std::uint32_t quorum = history.facts.quorum;
  for (const Record& record : history.records())
    take(record, quorum);
  if (!history.records().empty()) end_ = history.records().back().at();
  finish();
  denial_.judge(history, *this, holds_);
}

void Lanes::clear() {
  holds_.clear();
  progress_.clear();
  if (slots_.empty()) slots_.resize(64);
  std::fill(slots_.begin(), slots_.end(), 0U);
  by_acquired_.clear();
  by_grant_.clear();
  effects_.clear();
  key_events_.clear();
  renewals_.clear();
  ending_.clear();
  locks_.clear();
  fibers_.clear();
  end_ = Instant::origin();
  counts_entries_ = false;
}

void Lanes::take(const Record& record, std::uint32_t quorum) {
  switch (record.kind) {
    case EventKind::op_begin:
      return begin_operation(record);
    case EventKind::op_return:
      return return_operation(record);
    case EventKind::section_enter:
    case EventKind::section_leave:
      return enter_or_leave(record);
    case EventKind::claim_end:
    case EventKind::told_lost:
      return end_claim(record);
    case EventKind::sent:
      return note_sent(record);
    case EventKind::resource_op:
      return accept_effect(record);
    case EventKind::key_value:
      counts_entries_ |= is_lock(record.lock);
      return join(record);
    case EventKind::key_set:
      vote(record, quorum);
      [[fallthrough]];
    case EventKind::key_deleted:
    case EventKind::key_ttl:
    case EventKind::key_lost:
    case EventKind::paused:
    case EventKind::resumed:
    case EventKind::rediscovered:
    case EventKind::promoted:
    case EventKind::demoted:
    case EventKind::resynced:
    case EventKind::restarted:
      key_events_.push_back(record.seq);
      return;
    case EventKind::killed:
      key_events_.push_back(record.seq);
      return end_process(record.who(), moment_of(record));
    case EventKind::panicked:
      if (record.result == 0) return end_process(record.who(), moment_of(record));
      return end_fiber(record);
    case EventKind::fiber_began:
      fibers_.push_back(fiber_of(record));
      return;
    case EventKind::fiber_ended:
      return end_fiber(record);
    case EventKind::probe_begin:
    case EventKind::probe_acquired:
    case EventKind::probe_blocked:
    case EventKind::run_end:
      ending_.push_back(record.seq);
      return;
    default:
      return;
  }
}

void Lanes::begin_operation(const Record& record) {
  const auto operation = static_cast<Operation>(record.arg);
  if (operation == Operation::section || operation == Operation::probe || record.hold == 0) return;
  const std::uint32_t index = lane_of(record.hold_id(), record.lock);
  HoldLane& lane = holds_[index];
  if (operation == Operation::nested_acquire) counts_entries_ = true;
  if (!progress_[index].dead) lane.abandoned = {};
  if (operation == Operation::renew) {
    lane.renewed = earlier(lane.renewed, moment_of(record));
    renewals_.push_back(record.seq);
  }
  if (operation == Operation::acquire && !lane.requested.known()) {
    lane.requested = moment_of(record);
    lane.by_probe = record.has(event_flags::kProbe);
  }
  if (operation == Operation::release) {
    lane.release_begun = earlier(lane.release_begun, moment_of(record));
    if (lane.granted) lane.claimed_end = earlier(lane.claimed_end, moment_of(record));
  }
}

void Lanes::return_operation(const Record& record) {
  const auto operation = static_cast<Operation>(record.arg);
  if (operation == Operation::section || operation == Operation::probe || record.hold == 0) return;
  const std::uint32_t index = lane_of(record.hold_id(), record.lock);
  HoldLane& lane = holds_[index];
  Progress& progress = progress_[index];
  const auto outcome = static_cast<Outcome>(record.result);
  if (operation == Operation::acquire) {
    progress.done = outcome != Outcome::acquired;
    if (outcome == Outcome::acquired && !lane.granted) {
      lane.granted = true;
      lane.checked = record.has(event_flags::kChecked);
      lane.nonce = record.nonce;
      lane.fence = record.fence;
      lane.acquired = moment_of(record);
      by_acquired_.push_back(index);
    }
  } else if (operation == Operation::release) {
    progress.done = true;
    lane.release_returned = moment_of(record);
    lane.release_outcome = outcome;
  }
  if (operation == Operation::renew) {
    renewals_.push_back(record.seq);
  } else if (progress.done) {
    lane.over = earlier(lane.over, moment_of(record));
  }
  if (progress.done && !lane.abandoned.known()) lane.abandoned = moment_of(record);
}

void Lanes::enter_or_leave(const Record& record) {
  const std::uint32_t index = lane_of(record.hold_id(), record.lock);
  Progress& progress = progress_[index];
  if (record.kind == EventKind::section_enter) {
    progress.entered = true;
    note_work(index, record);
    if (!progress.dead) progress.left = {};
  } else {
    progress.left = earlier(progress.left, moment_of(record));
  }
}

void Lanes::end_claim(const Record& record) {
  HoldLane& lane = holds_[lane_of(record.hold_id(), record.lock)];
  if (lane.granted) lane.claimed_end = earlier(lane.claimed_end, moment_of(record));
}

void Lanes::note_sent(const Record& record) {
  if (!record.has(event_flags::kResource)) return;
  const std::uint32_t index = lane_of(record.hold_id(), record.lock);
  progress_[index].last_sent = moment_of(record);
  note_work(index, record);
}

void Lanes::note_work(std::uint32_t index, const Record& record) {
  HoldLane& lane = holds_[index];
  lane.worked = earlier(lane.worked, moment_of(record));
  if (lane.release_begun.known()) lane.worked_late = earlier(lane.worked_late, moment_of(record));
}

void Lanes::vote(const Record& record, std::uint32_t quorum) {
  if (record.has(event_flags::kReplica) || record.hold == 0 || !is_lock(record.lock)) return;
  const std::size_t slot = slot_of(record.hold_id());
  if (slots_[slot] == 0) return;
  const std::uint32_t index = slots_[slot] - 1;
  HoldLane& lane = holds_[index];
  if (lane.granted || lane.lock != record.lock) return;
  Progress& progress = progress_[index];
  const std::uint16_t attempt = Span{static_cast<std::uint64_t>(record.arg)}.attempt();
  // A late command of an attempt that was given up does not count for the present one.
  if (attempt < progress.attempt) return;
  if (attempt > progress.attempt) {
    progress.attempt = attempt;
    progress.voters = 0;
    progress.votes = 0;
    lane.effective = {};
    lane.stored = {};
  }
  if ((progress.voters & bit_of(record.actor)) != 0) return;
  progress.voters |= bit_of(record.actor);
  if (progress.votes == 0) lane.stored = moment_of(record);
  if (++progress.votes == quorum) lane.effective = moment_of(record);
}

/// A count that it raised in a hash, or a field of its own: stored, by whomever the key was made.
void Lanes::join(const Record& record) {
  if (record.has(event_flags::kReplica) || record.has(event_flags::kRemoved)) return;
  if (record.hold == 0 || !is_lock(record.lock)) return;
  const std::size_t slot = slot_of(record.hold_id());
  if (slots_[slot] == 0) return;
  HoldLane& lane = holds_[slots_[slot] - 1];
  if (lane.granted || lane.lock != record.lock) return;
  lane.stored = earlier(lane.stored, moment_of(record));
}

void Lanes::accept_effect(const Record& record) {
  const std::uint32_t index = lane_of(record.hold_id(), record.lock);
  HoldLane& lane = holds_[index];
  // A history without the record that it was sent: it was sent by now.
  if (!lane.worked.known()) lane.worked = moment_of(record);
  if (record.has(event_flags::kRejected)) return;
  SIM_ASSERT(static_cast<std::uint64_t>(record.arg) >> 8 < kObjects);
  const auto position = static_cast<std::uint32_t>(effects_.size());
  if (lane.effect_count == 0) lane.first_effect = position;
  lane.last_effect = position;
  ++lane.effect_count;
  effects_.push_back({record.seq, index});
}

void Lanes::end_fiber(const Record& record) {
  // It is told twice of one that panicked: only the first time counts.
  if (std::erase(fibers_, fiber_of(record)) == 0) return;
  const auto lives_on = [&](std::uint64_t fiber) { return is_of(fiber, record.who()); };
  if (std::any_of(fibers_.begin(), fibers_.end(), lives_on)) return;
  for (HoldLane& lane : holds_) {
    if (lane.hold.process() == record.who()) {
      lane.abandoned = earlier(lane.abandoned, moment_of(record));
    }
  }
}

void Lanes::end_process(ActorId process, Moment when) {
  std::erase_if(fibers_, [process](std::uint64_t fiber) { return is_of(fiber, process); });
  for (std::size_t i = 0; i < holds_.size(); ++i) {
    HoldLane& lane = holds_[i];
    if (lane.hold.process() != process) continue;
    progress_[i].dead = true;
    progress_[i].left = earlier(progress_[i].left, when);
    lane.claimed_end = earlier(lane.claimed_end, when);
    lane.abandoned = earlier(lane.abandoned, when);
  }
}

void Lanes::finish() {
  for (std::size_t i = 0; i < holds_.size(); ++i)
    holds_[i].left = progress_[i].left;
  for (const std::uint32_t index : by_acquired_) {
    HoldLane& lane = holds_[index];
    const Progress& progress = progress_[index];
    lane.occupied_end = progress.left;
    if (!progress.entered) lane.occupied_end = earlier(lane.occupied_end, lane.claimed_end);
    if (progress.last_sent.precedes(lane.occupied_end)) lane.occupied_end = progress.last_sent;
  }
  sort_grants();
}

void Lanes::sort_grants() {
  by_grant_.assign(by_acquired_.begin(), by_acquired_.end());
  // Most runs have one lock whose answers come in grant order: nothing to sort.
  const auto sort = [](std::vector<std::uint32_t>& order, const auto& before) {
    if (!std::is_sorted(order.begin(), order.end(), before)) {
      std::sort(order.begin(), order.end(), before);
    }
  };
  sort(by_acquired_, [this](std::uint32_t a, std::uint32_t b) {
    const HoldLane& x = holds_[a];
    const HoldLane& y = holds_[b];
    if (x.lock_index != y.lock_index) return x.lock_index < y.lock_index;
    return x.acquired.seq < y.acquired.seq;
  });
  sort(by_grant_, [this](std::uint32_t a, std::uint32_t b) {
    const HoldLane& x = holds_[a];
    const HoldLane& y = holds_[b];
    if (x.lock_index != y.lock_index) return x.lock_index < y.lock_index;
    return x.grant().seq < y.grant().seq;
  });
}

const HoldLane* Lanes::find(HoldId hold) const {
  if (slots_.empty()) return nullptr;
  const std::uint32_t entry = slots_[slot_of(hold)];
  return entry == 0 ? nullptr : &holds_[entry - 1];
}

std::size_t Lanes::lock_index(std::uint16_t key) const {
  return static_cast<std::size_t>(std::find(locks_.begin(), locks_.end(), key) - locks_.begin());
}

std::uint32_t Lanes::lane_of(HoldId hold, std::uint16_t lock) {
  // Records of one hold come in runs.
  if (last_lane_ < holds_.size() && holds_[last_lane_].hold == hold) return last_lane_;
  const std::size_t slot = slot_of(hold);
  if (slots_[slot] != 0) return last_lane_ = slots_[slot] - 1;
  const auto index = static_cast<std::uint32_t>(holds_.size());
  slots_[slot] = index + 1;
  HoldLane& lane = holds_.emplace_back();
  progress_.emplace_back();
  lane.hold = hold;
  lane.lock = lock;
  lane.lock_index = static_cast<std::uint16_t>(lock_index(lock));
  if (lane.lock_index == locks_.size()) locks_.push_back(lock);
  if (holds_.size() * 2 > slots_.size()) grow_slots();
  return last_lane_ = index;
}

std::size_t Lanes::slot_of(HoldId hold) const {
  // Fibonacci hashing: neighbours in (process, operation) fall apart. Only equality is ever asked.
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = (hold.value * 0x9E3779B97F4A7C15ULL >> 32) & mask;
  while (slots_[slot] != 0 && holds_[slots_[slot] - 1].hold != hold)
    slot = (slot + 1) & mask;
  return slot;
}

void Lanes::grow_slots() {
  slots_.assign(slots_.size() * 2, 0U);
  for (std::uint32_t index = 0; index < holds_.size(); ++index) {
    slots_[slot_of(holds_[index].hold)] = index + 1;
  }
}

}  // namespace locklab
