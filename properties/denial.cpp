// Denial: one pass over what changes keys and authority, with a look at the holds concerned.
// SPDX-License-Identifier: Apache-2.0
#include "properties/denial.h"

#include <algorithm>

#include "properties/lanes.h"
#include "sim/contract.h"

namespace locklab {
namespace {

Moment moment_at(const Record& record) {
  return {record.at(), record.seq};
}

/// A script that deletes the key and sets it again is one step: there is nothing between.
bool is_set_again(const History& history, const Record& record) {
  if (record.has(event_flags::kOverwritten)) return true;
  if (record.seq == history.records().size()) return false;
  const Record& next = history.at(record.seq + 1);
  return next.kind == EventKind::key_set && next.actor == record.actor && next.t == record.t &&
         next.lock == record.lock;
}

}  // namespace

void Denial::judge(const History& history, const Lanes& lanes, std::span<HoldLane> holds) {
  history_ = &history;
  lanes_ = &lanes;
  holds_ = holds;
  clear();
  for (const std::uint32_t seq : lanes.key_events())
    take(history.at(seq));
}

void Denial::clear() {
  const std::span<const ActorInfo> actors = history_->actors;
  const auto is_server = [](const ActorInfo& actor) { return actor.kind == ActorKind::node; };
  const auto first = std::find_if(actors.begin(), actors.end(), is_server);
  const auto end = std::find_if_not(first, actors.end(), is_server);  // They are numbered in a row.
  first_node_ = static_cast<std::size_t>(first - actors.begin());
  locks_ = lanes_->lock_count();
  quorum_ = history_->facts.quorum;
  const auto nodes = static_cast<std::size_t>(end - first);
  statuses_.assign(nodes, {});
  // Independent nodes all answer; of a primary and replicas, those that act as primary.
  cells_.assign(nodes * locks_, {0, false, quorum_ > 1});
  promoted_ = 0;
  contenders_.clear();
  held_.clear();
}

void Denial::take(const Record& record) {
  if (!is_node(record.actor)) return rediscover(record);
  switch (record.kind) {
    case EventKind::key_set:
      return set(record);
    case EventKind::key_deleted:
      return remove(record);
    case EventKind::key_lost:
      if (!lanes_->is_lock(record.lock)) return;
      cell_of(record).expired = true;
      return look(lanes_->lock_index(record.lock), record);
    case EventKind::key_ttl:
      if (lanes_->is_lock(record.lock)) cell_of(record).expired = false;
      return;
    case EventKind::promoted:
      return promote(record);
    case EventKind::demoted:
      return act(record, false);
    case EventKind::resynced:
      return resync(record);
    case EventKind::killed:
      status(record.actor).dead = true;
      status(record.actor).paused = false;
      return;
    case EventKind::restarted:
      status(record.actor).dead = false;
      for (Cell& cell : cells_of(record.actor)) {
        if (record.arg == 1) cell.set = 0;
      }
      return look_at_all(record);
    case EventKind::paused:
      status(record.actor).paused = true;
      return;
    case EventKind::resumed:
      status(record.actor).paused = false;
      return look_at_all(record);
    default:
      return;
  }
}

void Denial::set(const Record& record) {
  if (!lanes_->is_lock(record.lock)) return;
  Cell& cell = cell_of(record);
  cell.set = record.seq;
  cell.expired = false;
  if (!record.has(event_flags::kReplica) && !cell.acts) {
    cell.acts = true;
    status(record.actor).original = promoted_ == 0;
  }
  HoldLane* const hold = find(record.hold_id());
  if (hold != nullptr && hold->granted && hold->effective.seq == record.seq) {
    held_.push_back(static_cast<std::uint32_t>(hold - holds_.data()));
  }
  look(lanes_->lock_index(record.lock), record);
}

void Denial::remove(const Record& record) {
  if (!lanes_->is_lock(record.lock)) return;
  cell_of(record).set = 0;
  if (!is_set_again(*history_, record)) look(lanes_->lock_index(record.lock), record);
}

void Denial::resync(const Record& record) {
  const auto source = static_cast<std::size_t>(record.arg);
  if (!is_node(source)) return;
  for (std::size_t lock = 0; lock < locks_; ++lock) {
    Cell& cell = cells_of(record.actor)[lock];
    const Cell& from = cells_of(source)[lock];
    cell.set = from.set;
    cell.expired = from.expired;
  }
  look_at_all(record);
}

void Denial::act(const Record& record, bool acts) {
  for (Cell& cell : cells_of(record.actor))
    cell.acts = acts;
  look_at_all(record);
}

void Denial::promote(const Record& record) {
  if (promoted_ == 0) find_contenders(record.seq);
  promoted_ = record.actor;
  act(record, true);
}

void Denial::find_contenders(std::uint32_t seq) {
  for (const HoldLane& hold : holds_) {
    const ActorId process = hold.hold.process();
    if (!hold.by_probe && contender(process) == nullptr) contenders_.push_back({process, 0, false});
  }
  for (const Record& record : history_->records().first(seq)) {
    const bool ended = record.kind == EventKind::killed;
    if (!ended && record.kind != EventKind::fiber_began) continue;
    if (Contender* const other = contender(record.who())) other->dead = ended;
  }
}

Denial::Contender* Denial::contender(ActorId process) {
  for (Contender& contender : contenders_) {
    if (contender.process == process) return &contender;
  }
  return nullptr;
}

/// What happens to a client: only after a promotion does it matter whom it would ask.
void Denial::rediscover(const Record& record) {
  Contender* const other = contender(record.who());
  if (other == nullptr) return;
  if (record.kind == EventKind::killed) other->dead = true;
  if (record.kind != EventKind::rediscovered) return;
  other->dead = false;
  other->primary = static_cast<std::uint16_t>(record.arg);
}

void Denial::look_at_all(const Record& record) {
  for (std::size_t lock = 0; lock < locks_; ++lock)
    look(lock, record);
}

void Denial::look(std::size_t lock, const Record& record) {
  std::erase_if(held_, [&](std::uint32_t index) {
    HoldLane& hold = holds_[index];
    if (hold.lock_index != lock) return false;
    const bool answered = hold.acquired.seq < record.seq;
    if (answered && hold.lost.known()) return true;
    if (!is_lost(hold)) {
      hold.lost = {};  // Votes that came in while others went out.
    } else if (!hold.lost.known()) {
      hold.lost = moment_at(record);
    }
    return answered && hold.lost.known();
  });
}

bool Denial::is_lost(const HoldLane& hold) const {
  std::uint32_t without = 0;
  for (std::size_t node = 0; node < statuses_.size(); ++node) {
    if (!can_answer(node, hold.lock_index) || !may_be_asked(node, hold.hold.process())) continue;
    const Cell& key = cell(node, hold.lock_index);
    if (is_free(key) || !is_stored_by(key, hold)) ++without;
  }
  if (without < quorum_) return false;
  return quorum_ == 1 || most_votes_of_another(hold) >= quorum_;
}

std::uint32_t Denial::most_votes_of_another(const HoldLane& hold) const {
  const auto votes_of = [&](const Record* other) {
    std::uint32_t votes = 0;
    for (std::size_t node = 0; node < statuses_.size(); ++node) {
      if (!can_answer(node, hold.lock_index)) continue;
      const Cell& key = cell(node, hold.lock_index);
      const bool its = other != nullptr && key.set != 0 && history_->at(key.set).arg == other->arg;
      if (is_free(key) || its) ++votes;
    }
    return votes;
  };
  std::uint32_t most = votes_of(nullptr);
  for (std::size_t node = 0; node < statuses_.size(); ++node) {
    const Cell& key = cell(node, hold.lock_index);
    if (is_free(key) || is_stored_by(key, hold)) continue;
    most = std::max(most, votes_of(&history_->at(key.set)));
  }
  return most;
}

bool Denial::can_answer(std::size_t node, std::size_t lock) const {
  return !statuses_[node].dead && !statuses_[node].paused && cell(node, lock).acts;
}

bool Denial::may_be_asked(std::size_t node, ActorId holder) const {
  const std::size_t actor = first_node_ + node;
  if (promoted_ == 0 || actor == promoted_) return true;
  return std::any_of(contenders_.begin(), contenders_.end(), [&](const Contender& other) {
    if (other.process == holder || other.dead) return false;
    return other.primary == 0 ? statuses_[node].original : other.primary == actor;
  });
}

bool Denial::is_stored_by(const Cell& cell, const HoldLane& hold) const {
  const Record& set = history_->at(cell.set);
  if (set.hold == hold.hold.value) return true;
  // A renewal that stores the key anew names its own operation, which is no hold's.
  return set.nonce != 0 && set.nonce == hold.nonce &&
         set.hold_id().process() == hold.hold.process() && find(set.hold_id()) == nullptr;
}

std::span<Denial::Cell> Denial::cells_of(std::size_t actor) {
  return std::span(cells_).subspan((actor - first_node_) * locks_, locks_);
}

Denial::Cell& Denial::cell_of(const Record& record) {
  return cells_of(record.actor)[lanes_->lock_index(record.lock)];
}

HoldLane* Denial::find(HoldId hold) const {
  const HoldLane* const lane = lanes_->find(hold);
  return lane == nullptr ? nullptr : &holds_[static_cast<std::size_t>(lane - holds_.data())];
}

}  // namespace locklab
