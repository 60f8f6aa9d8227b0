// Shape: a cheap abstract of a history, equal for runs that went the same way at other times.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/history.h"

namespace locklab {

/// Hash of what happened to locks, in order: which kinds of event, whose, and how each operation
/// ended; no times, and nothing of the messages between.
std::uint64_t shape_of(const History& history);

}  // namespace locklab
