// Enumeration: finds its place by counting on from the latest number, which is nearly always near.
// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/enumeration.h"

#include <numeric>

#include "search/strategies/deepening.h"
#include "search/strategies/single_deviation.h"

namespace locklab {
namespace {

constexpr std::uint64_t kCells =
    64;  // A finer grid would hide the deviations behind its calm runs.

/// Two faults and two orders, three of them together: enough not to end.
Bound bound_for(const Scenario& scenario, std::uint32_t deviations) {
  Bound bound;
  bound.deviations = deviations;
  bound.orders = 2;
  const std::uint64_t cells = cell_count(bound.phases, scenario.client_count());
  if (cells == 0 || cells > kCells) bound.phases.start = 1;
  return bound;
}

/// Of two neighbours in it, none are neighbours in the list: about the golden ratio apart.
std::size_t stride_of(std::size_t count) {
  std::size_t stride = count - count * 382 / 1000;
  while (std::gcd(stride, count) != 1)
    ++stride;
  return stride;
}

class Enumerating : public Proposer {
 public:
  Enumerating(const Scenario& scenario, const Laboratory& laboratory, std::uint32_t deviations)
      : scenario_(scenario),
        runner_(laboratory.find, laboratory.scripts),
        bound_(bound_for(scenario, deviations)),
        cells_(cell_count(bound_.phases, scenario.client_count())) {}

 protected:
  PhaseCell cell(std::uint64_t number) const {
    return {bound_.phases, scenario_.client_count(), number};
  }

  const Scenario& scenario_;
  Runner runner_;
  Bound bound_;
  std::uint64_t cells_;
};

class SinglesProposer : public Enumerating {
 public:
  SinglesProposer(const Scenario& scenario, const Laboratory& laboratory)
      : Enumerating(scenario, laboratory, 1), source_(bound_) {}

  ChoiceSource* at(std::uint64_t number) override {
    const std::uint64_t index = number == 0 ? 0 : number - 1;
    if (index < cells_) return propose(index, {});
    if (!listed_ || index - cells_ < before_) list(0, 0);
    while (index - cells_ - before_ >= steps_.size()) {
      if (cell_ + 1 == cells_) return nullptr;
      list(cell_ + 1, before_ + steps_.size());
    }
    const std::size_t place = (index - cells_ - before_) * stride_ % steps_.size();
    return propose(cell_, std::span(steps_).subspan(place, 1));
  }

 private:
  ChoiceSource* propose(std::uint64_t cell_number, std::span<const PathStep> path) {
    source_.set_cell(cell(cell_number));
    source_.set_path(path);
    return &source_;
  }

  void list(std::uint64_t cell_number, std::uint64_t before) {
    steps_ = single_deviations(runner_, scenario_, bound_, cell(cell_number));
    stride_ = stride_of(steps_.size());
    cell_ = cell_number;
    before_ = before;
    listed_ = true;
  }

  PathSource source_;
  bool listed_ = false;
  std::uint64_t cell_ = 0;
  std::uint64_t before_ = 0;  // Singles deviations of the cells before.
  std::vector<PathStep> steps_;
  std::size_t stride_ = 1;
};

class DeepeningProposer : public Enumerating {
 public:
  DeepeningProposer(const Scenario& scenario, const Laboratory& laboratory)
      : Enumerating(scenario, laboratory, 3), deepening_(bound_) {
    restart();
  }

  ChoiceSource* at(std::uint64_t number) override {
    const std::uint64_t index = number == 0 ? 0 : number - 1;
    if (index < next_) restart();
    while (level_ <= bound_.deviations) {
      ChoiceSource* const source = deepening_.next();
      if (source == nullptr) {
        begin_next_cell();
      } else if (!deepening_.at_level()) {
        deepening_.seen(runner_.run(scenario_, *source));
      } else {
        deepening_.pass();
        if (next_++ == index) return source;
      }
    }
    return nullptr;
  }

 private:
  void restart() {
    next_ = level_ = cell_ = 0;
    deepening_.begin(cell(0), {}, 0);
  }
  void begin_next_cell() {
    cell_ = (cell_ + 1) % cells_;
    if (cell_ == 0) ++level_;
    deepening_.begin(cell(cell_), {}, static_cast<std::uint32_t>(level_));
  }

  Deepening deepening_;
  std::uint64_t next_ = 0;  // Index of what deepening_ proposes next.
  std::uint64_t level_ = 0;
  std::uint64_t cell_ = 0;
};

}  // namespace

Singles::Singles(const Scenario& scenario, const Laboratory& laboratory)
    : scenario_(scenario), laboratory_(laboratory) {}

std::unique_ptr<Proposer> Singles::proposer() const {
  return std::make_unique<SinglesProposer>(scenario_, laboratory_);
}

IterativeDeepening::IterativeDeepening(const Scenario& scenario, const Laboratory& laboratory)
    : scenario_(scenario), laboratory_(laboratory) {}

std::unique_ptr<Proposer> IterativeDeepening::proposer() const {
  return std::make_unique<DeepeningProposer>(scenario_, laboratory_);
}

}  // namespace locklab
