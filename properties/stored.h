// Stored: whether a server stood behind a hold when its acquire reported success.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "properties/lanes.h"
#include "sim/history.h"

namespace locklab {

/// Some authority had stored it before acquire returned: a quorum if several nodes were asked, the
/// one node otherwise. A nested hold that its client counts itself has what the outer one stored.
bool is_stored(const History& history, const Lanes& lanes, const HoldLane& hold);

/// The answer named a nonce, and so claims that servers store it. A lock without one grants by what
/// no server knows.
inline bool names_a_nonce(const HoldLane& hold) {
  return hold.nonce != 0;
}

}  // namespace locklab
