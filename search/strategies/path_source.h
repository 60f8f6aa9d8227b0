// PathSource: repeats a path of deviations by position, and lists what else could have been chosen.
// SPDX-License-Identifier: Apache-2.0
//
// A run is deterministic, so that the nth draw of a run is the same choice in every run that agrees
// with it before: a number is enough to find it again, and comparing one costs next to nothing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/strategies/bound.h"
#include "sim/choice.h"

namespace locklab {

/// One deviation by its position.
struct PathStep {
  std::uint32_t draw = 0;  // Which draw of the run, from 0, free dimensions not counted.
  bool fault = false;
  std::uint64_t value = 0;
  friend bool operator==(const PathStep&, const PathStep&) = default;
};

class PathSource : public ChoiceSource {
 public:
  explicit PathSource(const Bound& bound) : bound_(bound) {}

  /// In the order in which they are met.
  void set_path(std::span<const PathStep> path) { path_.assign(path.begin(), path.end()); }
  void set_cell(const PhaseCell& cell) { cell_ = cell; }
  /// During the next runs appends to `out` each alternative that is met after the path's last step
  /// and may be taken within the bound, in the order in which they are met. nullptr: lists nothing.
  void list_into(std::vector<PathStep>* out);

  void begin() override;
  std::uint64_t draw(const Address& address, std::uint64_t bound, Witness witness) override;
  std::uint64_t draw_fault(const Address& address, const FaultMenu& menu) override;

 private:
  std::uint64_t phase(const Address& address, std::uint64_t bound);
  /// Counts the draw. true: it is the path's, and `value` what it takes.
  bool on_path(std::uint64_t& value);
  void list(std::uint32_t draw, bool fault);

  Bound bound_;
  PhaseCell cell_;
  std::vector<PathStep> path_;
  std::vector<PathStep>* out_ = nullptr;
  bool lists_faults_ = false;
  bool lists_orders_ = false;
  std::uint32_t draws_ = 0;
  std::size_t met_ = 0;           // Steps of the path that have been met.
  std::vector<ActorId> clients_;  // In the order of their first draws.
  std::vector<std::uint64_t> values_;
};

}  // namespace locklab
