// Failing part: bisection for the beginning, then blocks of units, from all to one at a time.
// SPDX-License-Identifier: Apache-2.0

#include "properties/linearizability/failing_part.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "properties/linearizability/checker.h"

namespace locklab::linearizability {
namespace {

class Reducer {
 public:
  Reducer(const Spec& spec, const Names& names, std::uint64_t check_steps, const Budget& budget)
      : spec_(spec), names_(names), budget_(budget), left_(budget.steps) {
    each_ = budget;
    each_.steps = check_steps;
  }

  Part shortest_beginning(const Part& whole) {
    std::vector<Position> ends;  // Only a return can make a history fail.
    for (Position i = 0; i < whole.history.events.size(); ++i) {
      if (whole.history.events[i].is_return) ends.push_back(i + 1);
    }
    std::size_t least = 0;
    std::size_t fails = ends.size() - 1;  // An end at which it is known to fail.
    while (least < fails) {
      const std::size_t middle = least + (fails - least) / 2;
      if (is_violated(beginning(whole, ends[middle]))) {
        fails = middle;
      } else {
        least = middle + 1;
      }
    }
    return beginning(whole, ends[fails]);
  }

  /// More gone allows more orders, so what could not go once cannot go later.
  Part fewest_units(Part part) {
    for (std::size_t block = units_of(part.history, spec_).size(); block > 0; block /= 2) {
      const std::vector<Unit> units = units_of(part.history, spec_);
      std::vector<bool> chosen(units.size());
      for (std::size_t begin = 0; begin < units.size() && !is_over(); begin += block)
        try_block(part, units, chosen, begin, std::min(begin + block, units.size()));
      part = reduced(part, units, chosen);
    }
    return part;
  }

  bool has_decided() const { return decided_; }

 private:
  void try_block(const Part& part, const std::vector<Unit>& units, std::vector<bool>& chosen,
                 std::size_t begin, std::size_t end) {
    std::vector<bool> more = chosen;
    std::fill(more.begin() + static_cast<std::ptrdiff_t>(begin),
              more.begin() + static_cast<std::ptrdiff_t>(end), true);
    if (is_violated(reduced(part, units, more))) chosen = std::move(more);
  }

  /// Without the unseen at once: a search suffers from each unknown result.
  Part reduced(const Part& part, const std::vector<Unit>& units,
               const std::vector<bool>& chosen) const {
    return without_unseen(without(part, units, chosen), spec_, names_);
  }

  bool is_over() {
    const bool over = left_ == 0 || (budget_.stop && budget_.stop());
    decided_ = decided_ && !over;
    return over;
  }

  bool is_violated(const Part& part) {
    if (is_over()) return false;
    const std::unique_ptr<Model> model = make_model(spec_, names_);
    Meter meter(each_);
    const Verdict verdict = check_object(part.history, *model, spec_, meter);
    left_ -= std::min(left_, meter.steps() + 1);
    decided_ = decided_ && verdict != Verdict::unknown;
    return verdict == Verdict::violated;
  }

  const Spec& spec_;
  const Names& names_;
  const Budget& budget_;
  Budget each_;
  std::uint64_t left_;
  bool decided_ = true;
};

}  // namespace

FailingPart failing_part(const History& object, const Spec& spec, const Names& names,
                         std::uint64_t check_steps, const Budget& budget) {
  Reducer reducer(spec, names, check_steps, budget);
  Part part{object, std::vector<std::uint32_t>(object.operations.size())};
  std::iota(part.origin.begin(), part.origin.end(), 0U);
  part = reducer.shortest_beginning(part);
  part = without_unseen(part, spec, names);
  part = reducer.fewest_units(std::move(part));
  return {std::move(part), reducer.has_decided()};
}

}  // namespace locklab::linearizability
