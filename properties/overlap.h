// Overlap: the first instant at which two holds of one lock are open together, in a lane of choice.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "properties/lanes.h"
#include "properties/property.h"

namespace locklab {

/// Judges that no two intervals [acquired, end) of one lock overlap; end names the lane. `state`
/// completes "client-1 and client-2 …": "were both inside". The earliest overlap is the witness:
/// both answers and the end of the overlap. Exercised: grants that follow another process's.
Finding judge_overlap(const History& history, const Lanes& lanes, Moment HoldLane::*end,
                      std::string_view state);

}  // namespace locklab
