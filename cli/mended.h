// Mended: which run of a story in which nothing breaks shows why.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cli/lab.h"
#include "scenarios/scenario.h"

namespace locklab::cli {

/// Its tag says so: it is the twin of a story that breaks.
bool is_mended(const Scenario& scenario);

/// Of the first seeds (kTellingSeeds) and of their runs that show most, the one with the fewest
/// deviations, and of these the first.
std::uint64_t mended_seed(Bench& bench);

}  // namespace locklab::cli
