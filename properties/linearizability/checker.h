// Checker: whether a history is linearizable, by the cheapest means that can tell.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "properties/linearizability/budget.h"
#include "properties/linearizability/model.h"
#include "properties/linearizability/operation.h"
#include "sim/verdict.h"

namespace locklab::linearizability {

/// What can be asked for a verdict; `automatic` asks them as below.
enum class Method : std::uint8_t { automatic, lock_scan, wgl, jit };

/// One object. A lock's scan if it applies; else WGL and JIT in turns, each time with more steps:
/// either is quick where the other is not. `lock_scan` says unknown where it does not apply.
Verdict check_object(const History& history, Model& model, const Spec& spec, Meter& meter,
                     Method method = Method::automatic);

struct Answer {
  /// Violated if any object's history is; else unknown if the budget ran out on any.
  Verdict verdict = Verdict::holds;
  std::uint64_t steps = 0;
  /// The first object that has the verdict, unless all hold: its operations alone.
  std::optional<History> object;
};

/// All objects of a history, in rounds; the first illegal one ends them.
Answer check_history(const History& history, const Spec& spec, const Names& names,
                     const Budget& budget, Method method = Method::automatic);

}  // namespace locklab::linearizability
