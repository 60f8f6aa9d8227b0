// Targets: how many actors a fault kind can strike at a point, and which one a number names.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/faults/fault.h"

namespace locklab {

/// The natural target and every other actor of the sort: 1 + the number of actors.
unsigned target_count(const Stage& stage, TargetSort sort);
/// Fills target, peer, fiber and connection. 0: the natural one at the point; v: the v-th of the
/// sort (clamped). false: there is none.
bool pick_target(const Stage& stage, TargetSort sort, unsigned number, Strike& strike);

/// Whose visit it is, if it is one of that process; else its first fiber that lives.
std::uint32_t fiber_at(const Process& process, const Point& point);

}  // namespace locklab
