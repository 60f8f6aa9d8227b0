// double-ownership: two programs are inside at once, judged by control flow.
// SPDX-License-Identifier: Apache-2.0
#include "properties/overlap.h"
#include "properties/property.h"

namespace locklab {
namespace {

Finding check(const History& history, const Lanes& lanes) {
  return judge_overlap(history, lanes, &HoldLane::occupied_end, "were both inside");
}

}  // namespace

Property double_ownership() {
  return {"double-ownership",
          "Never are two programs inside at once: between the answer that granted a lock and the "
          "last guarded effect that the holder sent, or its leaving, nobody else is granted it.",
          Severity::exposure, check};
}

}  // namespace locklab
