// Alternatives: the values other than the default that an enumeration tries at a choice.
// SPDX-License-Identifier: Apache-2.0
//
// A fault is tried as: each kind that the scenario allows × each victim × each length that means
// something to the kind (the six constants; just before and just after each pending deadline) ×
// each second size. "Just" is an eighth of a round trip: `fine` is always 0.
#pragma once

#include <cstdint>
#include <vector>

#include "search/strategies/bound.h"
#include "sim/choice.h"

namespace locklab {

/// Appends the values of a choice below `bound`, ascending.
void append_order_values(const Bound& limits, std::uint64_t bound, std::vector<std::uint64_t>& out);

/// Appends packed FaultValues, each once, in the order kind, victim, second size, length.
void append_fault_values(const Bound& limits, const FaultMenu& menu,
                         std::vector<std::uint64_t>& out);

/// Whether the kind reads the length of a drawn fault when it strikes with that second size; what
/// does not is tried with one length only.
bool reads_length(FaultKind kind, unsigned second);

/// Pending deadlines of one kind and owner that a length can name: Bucket::ordinal() has four bits.
constexpr unsigned kNamedDeadlines = 16;

}  // namespace locklab
