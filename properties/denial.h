// Denial: from when on servers would grant a hold's lock to another, though nobody released it.
// SPDX-License-Identifier: Apache-2.0
//
// Kernel contract, "Three truths, four lanes": a hold is lost at the first instant at which some
// set of authorities that could answer would grant the lock to another. A server that is down or
// paused cannot answer: an unavailable gap is no loss.
//
// Primary and replicas: the node that was promoted last is the authority, and the hold is lost if
// it has no key of it. So is an older one that still takes itself for the primary, as long as some
// other client does so too. A quorum of independent nodes: a majority loses the hold whose members
// have no key, or all of one and the same other attempt; what is split among several others is
// granted to none of them.
//
// Until acquire returns a loss can be made good, by votes that come in while others go out; from
// then on it is for ever. A key is the hold's by its creator, not by its value, which a bad lock
// repeats. Once a node's clock has said that it is expired it stays so until it is renewed or set
// anew, also if that clock jumps back. A replica that loads a snapshot is taken to have what its
// source has then, so that a loss by promotion right after may be seen late, never too early.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/history.h"

namespace locklab {

struct HoldLane;
class Lanes;

/// Replays what the servers stored. Reuses its memory.
class Denial {
 public:
  /// Fills in `lost` of the granted holds that became effective.
  void judge(const History& history, const Lanes& lanes, std::span<HoldLane> holds);

 private:
  /// A key on one node.
  struct Cell {
    std::uint32_t set = 0;  // seq of its key_set; 0: there is none.
    bool expired = false;   // By its node's clock, deleted or not.
    bool acts = false;      // Its node answers for this lock: as primary, or as one of a quorum.
  };
  struct Status {
    bool dead = false;
    bool paused = false;
    bool original = false;  // Acted before anybody was promoted.
  };
  /// A client, and the node that it takes for the primary.
  struct Contender {
    ActorId process;
    std::uint16_t primary = 0;  // 0: the original one.
    bool dead = false;          // No record says whom it takes when it comes back.
  };

  void clear();
  void take(const Record& record);
  void set(const Record& record);
  void remove(const Record& record);
  void resync(const Record& record);
  void act(const Record& record, bool acts);
  void promote(const Record& record);
  void find_contenders(std::uint32_t seq);
  Contender* contender(ActorId process);
  void rediscover(const Record& record);
  void look_at_all(const Record& record);
  void look(std::size_t lock, const Record& record);
  bool is_lost(const HoldLane& hold) const;
  std::uint32_t most_votes_of_another(const HoldLane& hold) const;
  bool can_answer(std::size_t node, std::size_t lock) const;
  bool may_be_asked(std::size_t node, ActorId holder) const;
  bool is_free(const Cell& cell) const { return cell.set == 0 || cell.expired; }
  bool is_stored_by(const Cell& cell, const HoldLane& hold) const;

  bool is_node(std::size_t actor) const { return actor - first_node_ < statuses_.size(); }
  Status& status(std::size_t actor) { return statuses_[actor - first_node_]; }
  std::span<Cell> cells_of(std::size_t actor);
  Cell& cell_of(const Record& record);
  const Cell& cell(std::size_t node, std::size_t lock) const {
    return cells_[node * locks_ + lock];
  }
  HoldLane* find(HoldId hold) const;

  const History* history_ = nullptr;
  const Lanes* lanes_ = nullptr;
  std::span<HoldLane> holds_;
  std::size_t locks_ = 0;
  std::size_t first_node_ = 0;
  std::uint32_t quorum_ = 1;
  std::uint16_t promoted_ = 0;    // The node that was promoted last.
  std::vector<Status> statuses_;  // By node.
  std::vector<Cell> cells_;       // By node, then by lock.
  std::vector<Contender> contenders_;
  std::vector<std::uint32_t> held_;  // Effective, not known to be lost: indices in holds_.
};

}  // namespace locklab
