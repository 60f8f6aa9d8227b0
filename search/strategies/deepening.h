// Deepening: every set of exactly so many deviations, depth first; one level after the other.
// SPDX-License-Identifier: Apache-2.0
//
// A set is extended only by what its own run meets after its last deviation, so that each is met
// once, in the order in which its deviations strike. Taking the levels in turn (Korf, "Depth-First
// Iterative-Deepening", Artificial Intelligence 27, 1985) finds a violation with the fewest
// deviations first, and costs little more than the last level. Bounding the number of deviations
// from a fixed scheduler: Emmi, Qadeer, Rakamaric, "Delay-Bounded Scheduling", POPL 2011; for
// faults and delays together: Musuvathi, Qadeer, "Iterative Context Bounding", PLDI 2007.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/strategies/path_source.h"
#include "search/strategies/strategy.h"

namespace locklab {

class Deepening : public Strategy {
 public:
  explicit Deepening(const Bound& bound) : source_(bound) {}

  /// Starts anew: all sets of exactly `level` deviations of the cell that begin with the path.
  /// Keeps its memory. The path must not be longer than the level.
  void begin(const PhaseCell& cell, std::span<const PathStep> path, std::uint32_t level);

  ChoiceSource* next() override;
  bool seen(const Execution& execution) override;

  /// What next() has proposed is one of that level, and no way to one.
  bool at_level() const { return path_.size() == level_; }
  /// In place of seen(), for one of that level that is not run.
  void pass() { leave(); }

  /// Sets of that level whose last fault the world dropped.
  std::uint64_t impossible() const { return impossible_; }

 private:
  /// Alternatives after the set that the frame stands for.
  struct Frame {
    std::vector<PathStep> alternatives;
    std::size_t next = 0;
  };
  /// The path's last step and what was beneath it are done.
  void leave();

  PathSource source_;
  std::vector<PathStep> path_;
  std::size_t level_ = 0;
  std::size_t root_ = 0;  // Steps that begin() gave.
  std::vector<Frame> frames_;
  std::size_t open_ = 0;  // Frames in use: one for each set on the way from the root to here.
  bool begun_ = false;
  bool over_ = true;
  std::uint64_t impossible_ = 0;
};

}  // namespace locklab
