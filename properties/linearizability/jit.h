// JIT: depth first over just-in-time configurations.
// SPDX-License-Identifier: Apache-2.0
//
// Lowe's just-in-time linearization (CCPE 29 (2017), section 5): an operation is put next only when
// another's return demands an order. A configuration is how far the events have been read, which of
// the operations under way have taken effect, and the state; each is visited once. What only looks
// takes effect as soon as it fits, without a choice (only_looks() says why that loses nothing), and
// of operations with an unknown result that are alike the earliest goes first.
#pragma once

#include <cstddef>

#include "properties/linearizability/budget.h"
#include "properties/linearizability/model.h"
#include "properties/linearizability/operation.h"
#include "sim/verdict.h"

namespace locklab::linearizability {

/// More operations than this under way at once, those that never return among them, are unknown.
inline constexpr std::size_t kJitWidth = 1024;

/// For the history of one object; keys are not looked at. Unknown: the budget has run out.
Verdict check_jit(const History& history, Model& model, Meter& meter);

}  // namespace locklab::linearizability
