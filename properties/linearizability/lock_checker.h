// Lock checker: whether a history of locks is linearizable, in one pass and without a search.
// SPDX-License-Identifier: Apache-2.0
//
// If each acquire takes effect at its return and each release at its invocation, every hold is as
// short as it can be, all at once; so if any order of the operations is allowed, this one is. Two
// short holds that do not overlap can be ordered in one way only, so fences are decided as well.
// O(n) over events in their order, which sorting takes O(n log n) to make.
#pragma once

#include <optional>

#include "properties/linearizability/model.h"
#include "properties/linearizability/operation.h"
#include "sim/verdict.h"

namespace locklab::linearizability {

/// For the history of one lock: holds or violated, or nothing where the argument above does not
/// reach and a search must decide. That is, if
/// - an acquire was refused: that is a claim about others' holds, which then had better be long;
/// - a client has two operations under way, or goes on after an unknown result;
/// - a client releases what it did not acquire, and the lock does not mind who releases (mutex), or
///   it does so with an unknown result.
/// An unknown acquire is never held; an unknown release ends its hold at its invocation. Both lose
/// nothing if they are their client's last.
std::optional<Verdict> check_lock(const History& history, const Spec& spec);

}  // namespace locklab::linearizability
