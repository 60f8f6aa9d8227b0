// Verdicts: the tables of what each property says, of one run or of a search.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "properties/judge.h"
#include "reports/odds.h"
#include "reports/paper.h"

namespace locklab {

/// property, verdict, exercised, and what was expected where it differs. A property whose premise
/// never occurred says that the run proves nothing.
std::string verdict_table(std::span<const NamedFinding> findings, const Expectation& expect,
                          const Paper& paper);

/// property, verdict, and the numbers of runs in which it was violated, unknown, exercised. What
/// holds in a number of runs that was fixed beforehand has the bound that follows (reports/odds.h).
std::string tally_table(std::span<const Tally> tallies, const Expectation& expect, RunCount count,
                        const Paper& paper);

}  // namespace locklab
