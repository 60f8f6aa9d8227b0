// Neighbours: sets of deviations near a given one, for runs that a change has moved a little.
// SPDX-License-Identifier: Apache-2.0
//
// Mutation of a corpus as fuzzers have it (AFL, libFuzzer), here of schedules and without feedback:
// a search around what once failed. What a recorded deviation leant on may have changed with the
// code, so that no witness is asked for.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/choice.h"

namespace locklab {

/// The `number`-th neighbour, a function of its arguments alone. 0: the set itself, without its
/// witnesses. In the others each deviation is kept, moved to a near visit, attempt or operation,
/// changed in its value, or left out. In address order, each address once.
std::vector<Deviation> neighbour_of(std::span<const Deviation> set, std::uint64_t number);

/// The same at a near visit, attempt or operation.
Address shifted(const Address& address, std::uint64_t random);
/// Another fault of the same kind, or another size.
std::uint64_t changed_value(const Deviation& deviation, std::uint64_t random);

}  // namespace locklab
