// reentrancy-balance: what a server counts for an identity is how often it is inside (RB).
// SPDX-License-Identifier: Apache-2.0
//
// An identity is the nonce that acquire returned: of one call chain, or of all that a bad lock
// takes for one. Its depth is what its clients were told: answers that granted, less releases. The
// two are compared at each answer, while no other operation of that client is under way; an answer
// that is unknown ends the comparison until the key begins anew. A key that expires, is deleted by
// others or lies behind a change of authority takes its counts with it: that is a loss, and
// lease-safety's. Without a count on the server what remains is that no inner release may free the
// key. Source: Redisson 3, RedissonLock, whose script deletes the hash exactly when its count
// reaches zero.
#include <algorithm>
#include <array>

#include "properties/describe.h"
#include "properties/property.h"

namespace locklab {
namespace {

constexpr std::size_t kIdentitiesMost = 4;  // With a count in one key; more are not followed.

struct Count {
  std::uint32_t identity = 0;  // TextId; 0: a free place.
  std::int64_t value = 0;
  std::uint32_t seq = 0;  // Its last change.
};

/// The key of one lock, on the authority that set it last.
struct Cell {
  std::array<Count, kIdentitiesMost> counts;
  std::uint32_t begun = 0;   // seq of its key_set; 0: there is none.
  std::uint64_t doubts = 0;  // Clients that do not know what became of an operation, a bit each.
  std::uint32_t identity = 0;
  std::uint16_t node = 0;
};

struct Depth {
  std::uint32_t begun = 0;  // Of the key in which it is counted.
  std::int64_t times = 0;
  std::int64_t leaving = 0;  // Of these, what a release is under way for.
};

enum class Fault : std::uint8_t { none, below_zero, freed, unequal };

struct Imbalance {
  Fault fault = Fault::none;
  const HoldLane* hold = nullptr;
  std::uint32_t change = 0;  // The last change of the count.
  std::uint32_t shown = 0;
  std::int64_t count = 0;
  std::int64_t depth = 0;
};

/// What one checker keeps, in one piece of scratch memory.
struct Board {
  Cell cell;
  Depth depth;
  std::uint32_t under_way = 0;
};

class Balance {
 public:
  Balance(const History& history, const Lanes& lanes)
      : history_(history),
        lanes_(lanes),
        boards_(lanes.scratch<Board>(
            std::max({lanes.lock_count(), lanes.holds().size(), history.actors.size()}))) {}

  void follow() {
    for (const Record& record : history_.records()) {
      if (first_.fault != Fault::none) return;
      take(record);
    }
  }
  const Imbalance& first() const { return first_; }
  std::uint32_t compared() const { return compared_; }

 private:
  void take(const Record& record) {
    switch (record.kind) {
      case EventKind::key_set:
        if (is_authority(record)) begin(record);
        return;
      case EventKind::key_value:
        if (is_authority(record)) count(record);
        return;
      case EventKind::key_deleted:
        if (is_authority(record)) end(record);
        return;
      case EventKind::key_lost:
        if (is_authority(record)) cell_of(record) = {};
        return;
      case EventKind::promoted:
      case EventKind::demoted:
      case EventKind::resynced:
      case EventKind::restarted:
        for (std::size_t lock = 0; lock < lanes_.lock_count(); ++lock)
          boards_[lock].cell = {};
        return;
      case EventKind::killed:
        boards_[record.actor].under_way = 0;
        return;
      case EventKind::op_begin:
        if (changes_depth(record)) ask(record);
        return;
      case EventKind::op_return:
        if (changes_depth(record)) answer(record);
        return;
      default:
        return;
    }
  }

  void begin(const Record& record) {
    Cell& cell = cell_of(record);
    cell = {};
    cell.begun = record.seq;
    cell.node = record.actor;
    cell.identity = record.nonce;
  }

  void count(const Record& record) {
    Cell& cell = cell_of(record);
    if (cell.node != record.actor || record.has(event_flags::kText)) return;
    Count* const count = place_of(cell, record.nonce);
    if (count == nullptr) return;
    *count = {record.nonce, record.has(event_flags::kRemoved) ? 0 : record.result, record.seq};
    const HoldLane* const hold = lanes_.find(record.hold_id());
    if (count->value >= 0 || hold == nullptr) return;
    first_ = {Fault::below_zero, hold, record.seq, record.seq, count->value, 0};
  }

  void end(const Record& record) {
    Cell& cell = cell_of(record);
    if (cell.node != record.actor) return;
    const HoldLane* const hold = lanes_.find(record.hold_id());
    const bool by_itself =
        hold != nullptr && hold->granted && !record.has(event_flags::kByExpiry) &&
        !record.has(event_flags::kOverwritten) && (cell.doubts & bit_of(*hold)) == 0;
    if (by_itself) {
      const std::int64_t inside = depth_of(cell, *hold).times - depth_of(cell, *hold).leaving;
      if (inside > 0) first_ = {Fault::freed, hold, record.seq, record.seq, 0, inside};
    }
    cell = {};
  }

  void ask(const Record& record) {
    ++boards_[record.actor].under_way;
    const HoldLane* const hold = lanes_.find(record.hold_id());
    if (hold == nullptr) return;
    Depth& depth = depth_at(*hold);
    const auto operation = static_cast<Operation>(record.arg);
    if (operation == Operation::release) depth.leaving = depth.times;
    if (operation == Operation::nested_release) ++depth.leaving;
  }

  void answer(const Record& record) {
    std::uint32_t& under_way = boards_[record.actor].under_way;
    if (under_way > 0) --under_way;
    const HoldLane* const hold = lanes_.find(record.hold_id());
    if (hold == nullptr || !lanes_.is_lock(record.lock)) return;
    Cell& cell = cell_of(record);
    const auto outcome = static_cast<Outcome>(record.result);
    if (outcome == Outcome::unknown) cell.doubts |= bit_of(*hold);
    if (!hold->granted) return;
    change_depth(cell, *hold, static_cast<Operation>(record.arg), outcome);
    if (under_way == 0 && (cell.doubts & bit_of(*hold)) == 0) compare(cell, *hold, record);
  }

  void change_depth(const Cell& cell, const HoldLane& hold, Operation operation, Outcome outcome) {
    Depth& depth = depth_at(hold);
    if (operation == Operation::acquire && outcome == Outcome::acquired) {
      const bool counted = find(cell, hold.nonce) != nullptr || cell.identity == hold.nonce;
      depth = {counted ? cell.begun : 0, 1, 0};
    } else if (operation == Operation::nested_acquire && outcome == Outcome::acquired) {
      ++depth.times;
      if (find(cell, hold.nonce) == nullptr) ++compared_;  // Judged by its release.
    } else if (operation == Operation::nested_release && outcome != Outcome::unknown) {
      --depth.leaving;
      if (outcome == Outcome::released) --depth.times;
    } else if (operation == Operation::release && outcome != Outcome::unknown) {
      depth.times = 0;
      depth.leaving = 0;
    }
  }

  void compare(const Cell& cell, const HoldLane& hold, const Record& record) {
    if (cell.begun == 0 || depth_at(hold).begun != cell.begun) return;
    const Count* const count = find(cell, hold.nonce);
    if (count == nullptr) return;
    ++compared_;
    const std::int64_t depth = depth_of(cell, hold).times;
    if (count->value == depth) return;
    first_ = {Fault::unequal, &hold, count->seq, record.seq, count->value, depth};
  }

  /// How often its identity is inside by what the clients were told, of this key.
  Depth depth_of(const Cell& cell, const HoldLane& hold) const {
    Depth sum;
    for (std::size_t i = 0; i < lanes_.holds().size(); ++i) {
      const HoldLane& other = lanes_.holds()[i];
      if (other.nonce != hold.nonce || other.lock != hold.lock || !other.granted) continue;
      if (boards_[i].depth.begun != cell.begun) continue;
      sum.times += boards_[i].depth.times;
      sum.leaving += boards_[i].depth.leaving;
    }
    return sum;
  }

  static bool changes_depth(const Record& record) {
    const auto operation = static_cast<Operation>(record.arg);
    return operation == Operation::acquire || operation == Operation::release ||
           operation == Operation::nested_acquire || operation == Operation::nested_release;
  }
  bool is_authority(const Record& record) const {
    return !record.has(event_flags::kReplica) && lanes_.is_lock(record.lock);
  }
  static std::uint64_t bit_of(const HoldLane& hold) {
    return std::uint64_t{1} << (hold.hold.process().value % 64);
  }
  static const Count* find(const Cell& cell, std::uint32_t identity) {
    const auto* const found =
        std::find_if(cell.counts.begin(), cell.counts.end(),
                     [&](const Count& count) { return count.identity == identity; });
    return found == cell.counts.end() || found->seq == 0 ? nullptr : found;
  }
  static Count* place_of(Cell& cell, std::uint32_t identity) {
    for (Count& count : cell.counts) {
      if (count.seq == 0 || count.identity == identity) return &count;
    }
    return nullptr;
  }
  Cell& cell_of(const Record& record) { return boards_[lanes_.lock_index(record.lock)].cell; }
  Depth& depth_at(const HoldLane& hold) {
    return boards_[static_cast<std::size_t>(&hold - lanes_.holds().data())].depth;
  }

  const History& history_;
  const Lanes& lanes_;
  std::span<Board> boards_;  // Cells by lock, depths by hold, operations under way by actor.
  Imbalance first_;
  std::uint32_t compared_ = 0;
};

std::string times(std::int64_t count) {
  return count == 1 ? "once" : std::to_string(count) + " times";
}

Finding describe(const History& history, const Imbalance& imbalance) {
  const HoldLane& hold = *imbalance.hold;
  const std::string who = process_of(history, hold);
  const std::string lock = lock_of(history, hold);
  const std::string at = " at " + to_string(history.at(imbalance.shown).at());
  Finding finding;
  finding.verdict = Verdict::violated;
  switch (imbalance.fault) {
    case Fault::below_zero:
      finding.why = who + " took its count in " + lock + " below zero, to " +
                    std::to_string(imbalance.count) + "," + at;
      break;
    case Fault::freed:
      finding.why =
          who + " freed " + lock + at + ", and was still inside " + times(imbalance.depth);
      break;
    default:
      finding.why = lock + " counts " + std::to_string(imbalance.count) + " for " + who +
                    ", which" + at + " holds it " + times(imbalance.depth);
  }
  finding.witness = witness_of_seqs({hold.acquired.seq, imbalance.change, imbalance.shown});
  return finding;
}

Finding check(const History& history, const Lanes& lanes) {
  if (!lanes.counts_entries() || history.facts.quorum > 1) return {};
  Balance balance(history, lanes);
  balance.follow();
  Finding finding;
  if (balance.first().fault != Fault::none) finding = describe(history, balance.first());
  finding.exercised = balance.compared();
  return finding;
}

}  // namespace

Property reentrancy_balance() {
  return {"reentrancy-balance",
          "What a server counts for an identity is how often it was granted the lock and has not "
          "released it; only its last release frees the key.",
          Severity::cause, check};
}

}  // namespace locklab
