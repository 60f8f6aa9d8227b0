// claimed-exclusion: two clients hold by their own rule at once (ME-B in the literature's terms).
// SPDX-License-Identifier: Apache-2.0
#include "properties/overlap.h"
#include "properties/property.h"

namespace locklab {
namespace {

Finding check(const History& history, const Lanes& lanes) {
  return judge_overlap(history, lanes, &HoldLane::claimed_end, "both claimed");
}

}  // namespace

Property claimed_exclusion() {
  return {"claimed-exclusion",
          "Never do two clients hold by their own rule at once: a claim lasts from the answer that "
          "granted the lock until release is requested, the holder is told of the loss, is killed, "
          "or its own deadline passes, paused or not.",
          Severity::exposure, check};
}

}  // namespace locklab
