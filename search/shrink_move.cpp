// Shrink, the same elsewhere: a fault moves to the first point at which it does the same.
// SPDX-License-Identifier: Apache-2.0
//
// Which of several clients was paused in which of its rounds is an accident of the seed. The order
// of addresses is as good as any other, and it is one: equal bugs come to rest at equal places.
#include <algorithm>

#include "search/shrink_parts.h"

namespace locklab::shrinking {
namespace {

/// Points at which something can strike, before `limit` in the order of addresses.
std::vector<Address> points_below(std::span<const Question> questions, const Address& limit) {
  std::vector<Address> points;
  for (const Question& question : questions) {
    if (question.bound == 0 && question.address < limit) points.push_back(question.address);
  }
  std::sort(points.begin(), points.end());
  return points;
}

/// With the free dimensions as they are, or gone: elsewhere they may not be needed.
bool attempt_at(Best& best, const std::vector<Deviation>& others, const Deviation& moved) {
  std::vector<Deviation> alone;
  std::copy_if(others.begin(), others.end(), std::back_inserter(alone),
               [](const Deviation& d) { return part_of(d) != Part::free_dimension; });
  const bool has_free = alone.size() != others.size();
  alone.push_back(moved);
  if (best.attempt(alone)) return true;
  if (!has_free) return false;
  std::vector<Deviation> all = others;
  all.push_back(moved);
  return best.attempt(all);
}

bool move_fault(Best& best, std::size_t place) {
  const Deviation fault = best.choices()[place];
  const std::size_t one[] = {place};
  const std::vector<Deviation> others = best.without(one);
  // Where it could strike, were it not where it is: once enough has struck, no run is asked again.
  for (const Address& point : points_below(best.questions_of(others), fault.address)) {
    if (best.spent()) return false;
    if (attempt_at(best, others, {point, fault.value, kAnyWitness})) return true;
  }
  return false;
}

}  // namespace

bool one_alone(Best& best) {
  if (size_of(best.choices()).deviations < 2) return false;
  const std::vector<std::size_t> faults = best.places_of(Part::fault);
  const std::vector<Question> calm = best.questions_of({});
  for (const std::size_t place : faults) {
    const std::uint64_t value = best.choices()[place].value;
    for (const Question& question : calm) {
      if (question.bound != 0) continue;
      if (best.attempt({{question.address, value, kAnyWitness}})) return true;
    }
  }
  return false;
}

bool move_faults(Best& best) {
  const std::vector<std::size_t> faults = best.places_of(Part::fault);
  return std::any_of(faults.begin(), faults.end(),
                     [&best](std::size_t place) { return move_fault(best, place); });
}

}  // namespace locklab::shrinking
