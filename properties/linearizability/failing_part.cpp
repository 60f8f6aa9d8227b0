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

  Part fewest_units(const Part& part) {
    const std::vector<Unit> units = units_of(part.history, spec_);
    std::vector<bool> chosen(units.size());
    for (std::size_t block = units.size(); block > 0; block /= 2) {
      for (std::size_t begin = 0; begin < units.size(); begin += block)
        try_block(part, units, chosen, begin, std::min(begin + block, units.size()));
    }
    return without(part, units, chosen);
  }

  bool has_decided() const { return decided_; }

 private:
  void try_block(const Part& part, const std::vector<Unit>& units, std::vector<bool>& chosen,
                 std::size_t begin, std::size_t end) {
    std::vector<bool> more = chosen;
    std::fill(more.begin() + static_cast<std::ptrdiff_t>(begin),
              more.begin() + static_cast<std::ptrdiff_t>(end), true);
    if (more != chosen && is_violated(without(part, units, more))) chosen = std::move(more);
  }

  bool is_violated(const Part& part) {
    if (left_ == 0 || (budget_.stop && budget_.stop())) {
      decided_ = false;
      return false;
    }
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
  part = reducer.fewest_units(part);
  part = without_unseen(part, spec, names);
  return {std::move(part), reducer.has_decided()};
}

}  // namespace locklab::linearizability
