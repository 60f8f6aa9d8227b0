// Deepening: a stack of lists instead of a recursion, so that each run can be asked for.
// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/deepening.h"

#include "sim/contract.h"

namespace locklab {

void Deepening::begin(const PhaseCell& cell, std::span<const PathStep> path, std::uint32_t level) {
  SIM_ASSERT(path.size() <= level);
  source_.set_cell(cell);
  path_.assign(path.begin(), path.end());
  level_ = level;
  root_ = path.size();
  open_ = 0;
  begun_ = false;
  over_ = false;
  impossible_ = 0;
}

void Deepening::leave() {
  over_ = path_.size() == root_;
  if (!over_) path_.pop_back();
}

ChoiceSource* Deepening::next() {
  // The set that was run last is in path_; begun_ is false before the first.
  while (begun_ && !over_) {
    Frame& frame = frames_[open_ - 1];
    if (frame.next < frame.alternatives.size()) {
      path_.push_back(frame.alternatives[frame.next++]);
      break;
    }
    --open_;
    leave();
  }
  if (over_) return nullptr;
  begun_ = true;
  source_.set_path(path_);
  if (at_level()) {
    source_.list_into(nullptr);
    return &source_;
  }
  if (open_ == frames_.size()) frames_.emplace_back();
  Frame& frame = frames_[open_++];
  frame.alternatives.clear();
  frame.next = 0;
  source_.list_into(&frame.alternatives);
  return &source_;
}

bool Deepening::seen(const Execution& execution) {
  const bool possible = execution.deviation_count() == path_.size();
  if (at_level()) {
    if (!possible) ++impossible_;
    leave();
    return possible;
  }
  if (!possible) {
    // Its run is that of the set without the dropped fault, which is extended elsewhere.
    --open_;
    leave();
  }
  return false;
}

}  // namespace locklab
