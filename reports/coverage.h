// Coverage: what a search has met, in one line, and as a table of points and faults.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "reports/paper.h"
#include "search/explore.h"

namespace locklab {

/// "coverage  17 of 19 points · 4 of 5 kinds of fault · 987 distinct schedules", and a line for
/// each point that the scenario names and no run reached. "" if nothing was run.
std::string coverage_line(const SearchResult& result, const Paper& paper);

/// A row for each kind of fault at each point: in how many runs, and which properties no run put to
/// the test then, of those that some run did. After it what was never applied, and what the bounds
/// of the verdicts are bounds of.
std::string coverage_table(const SearchResult& result, const Paper& paper);

}  // namespace locklab
