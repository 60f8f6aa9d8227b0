// Check: what the verb and the merge of its shards have in common: searching, and telling a search.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cli/arguments.h"
#include "cli/console.h"
#include "cli/exit_code.h"
#include "cli/lab.h"
#include "search/explore.h"

namespace locklab::cli {

/// With progress on stderr; ends early on Ctrl-C.
SearchResult searched(const Scenario& scenario, const Budget& budget, const Arguments& arguments,
                      const Console& console);

/// Each scenario: the corpus, the search, unless it is done already, what it found, shrunk, and the
/// reports. → the worst verdict. `done` is empty or has one search for each scenario.
ExitCode tell_searches(const std::vector<LoadedScenario>& scenarios, std::vector<SearchResult> done,
                       const Arguments& arguments, Console& console);

}  // namespace locklab::cli
