// Found: the run of a search that is worth telling, and the same run shrunk.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/console.h"
#include "cli/lab.h"
#include "search/explore.h"
#include "search/shrink.h"

namespace locklab::cli {

/// Seeds 1 to this one of a story: what it is about shows within them (tests/verdicts).
constexpr std::uint64_t kTellingSeeds = 200;

/// What a search is told by: its first unexpected violation, else the expected one that the
/// scenario wants told (Scenario::tell), else the worst expected one.
struct Telling {
  const FoundRun* run = nullptr;
  std::string_view property;
};
/// nullopt: nothing was violated.
std::optional<Telling> worth_telling(const SearchResult& result);

/// Deviations that are none of a free dimension.
std::uint32_t counted(std::span<const Deviation> choices);

struct Shrunk {
  std::vector<Deviation> choices;
  std::uint32_t before = 0;  // Deviations.
  std::uint32_t after = 0;
  std::uint32_t runs = 0;
  bool minimal = false;
};

/// With progress on stderr; ends early on Ctrl-C. A run that cannot be shrunk comes back as it was.
Shrunk shrink_found(const Scenario& scenario, const Telling& telling, std::uint32_t most_runs,
                    const Console& console);

}  // namespace locklab::cli
