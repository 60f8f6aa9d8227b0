// Blocking: what keeps a lock from everybody, once nothing changes any more.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scenarios/workload.h"

namespace locklab {

/// Whether the lock's clients ask that node: each of several, or the primary alone.
bool is_asked(const Stage& stage, const Node* node, std::uint32_t quorum);

/// For the program's lock. `locked_out`: the last attempt was granted, and its fence is one that
/// the resource refuses.
BlockingFact blocking_fact(const ClientProgram& program, bool locked_out);

}  // namespace locklab
