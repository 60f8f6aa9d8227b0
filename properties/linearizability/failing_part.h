// Failing part: of a history that is not linearizable, a small part that shows it by itself.
// SPDX-License-Identifier: Apache-2.0
//
// Leaving an operation out is no proof: a read of 1 is impossible once the write of 1 is gone. So
// each step here keeps every order that the whole had: if the whole were linearizable, so would be
// what a step leaves. The steps are
// - the shortest beginning, in which operations that have not returned have an unknown result;
// - an operation that changes nothing goes (only_looks());
// - any other keeps its invocation only: it may have taken effect at any time since, or never;
// - of a lock that refused nobody, and whose clients each do one thing after another, a whole hold
//   goes, from its first acquire to its last release: without it there is only more room;
// - an operation with an unknown result goes, if nothing that is known would show its effect.
#pragma once

#include <cstdint>
#include <vector>

#include "properties/linearizability/budget.h"
#include "properties/linearizability/model.h"
#include "properties/linearizability/operation.h"

namespace locklab::linearizability {

struct Part {
  History history;
  /// Of each of its operations: its index in the whole.
  std::vector<std::uint32_t> origin;
};

/// Operations that go together: a hold, or a single one.
struct Unit {
  std::vector<std::uint32_t> operations;  // Ascending.
  bool is_hold = false;
};

/// In the order of their first invocations. Single operations with an unknown result are not there.
std::vector<Unit> units_of(const History& history, const Spec& spec);
/// Holds and what only looks go; of others the result is forgotten.
Part without(const Part& part, const std::vector<Unit>& units, const std::vector<bool>& chosen);
/// Without operations of unknown result that nothing known would show.
Part without_unseen(const Part& part, const Spec& spec, const Names& names);
/// What has happened before `end`.
Part beginning(const Part& part, Position end);

struct FailingPart {
  Part part;
  bool is_smallest = false;  // No unit less; false: the budget ended before that was known.
};

/// The history of one object that is known to be violated. `check_steps`: what one check may spend
/// before it counts as undecided, and the step that it would have allowed is not taken.
FailingPart failing_part(const History& object, const Spec& spec, const Names& names,
                         std::uint64_t check_steps, const Budget& budget);

}  // namespace locklab::linearizability
