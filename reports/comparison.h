// Comparison: one schedule under two scenarios, for people and for programs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "reports/paper.h"
#include "reports/run_view.h"
#include "search/compare.h"

namespace locklab {

/// Both runs of the same deviations; views of two runners.
struct Comparison {
  RunView a;
  RunView b;
  std::string name_a;  // What tells them apart: "late-write", "resource.mode=ge_rw".
  std::string name_b;
  Fit fit;                       // Of a's schedule in b's scenario.
  std::uint32_t part = 0;        // first_difference(); 0: the same events.
  std::uint64_t first_seed = 0;  // Of the quadrants; both none if runs is 0.
  std::uint64_t last_seed = 0;
  Quadrants quadrants_a;
  Quadrants quadrants_b;
};

std::string comparison(const Comparison& compared, const Paper& paper);
/// locklab.compare/1, one line.
std::string comparison_json(const Comparison& compared);

}  // namespace locklab
