// Odds: what N runs without a violation allow to say, and no more.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "search/explore.h"

namespace locklab {

/// How the number of runs came about. The rule of three holds only for independent draws of one
/// sampler, and for a number of them that was fixed before the first: who stops when it looks good
/// has drawn another sample, and who enumerates or learns has drawn none.
enum class RunCount : std::uint8_t { fixed_beforehand, stopped_early, not_sampled };
std::string_view name_of(RunCount count);
RunCount run_count_of(const SearchResult& result);

/// "no violation in 1000 runs that put it to the test: ≤ 0.3 % (95 %) of runs"; for 0 runs "never
/// put to the test: proves nothing". Rounded up, never down. Source: Hanley, Lippman-Hand 1983, "If
/// nothing goes wrong, is everything all right?".
std::string odds_of_none(std::uint64_t exercised_runs, RunCount count);

/// "≤ 0.3 % (95 %)", or "" where nothing may be said.
std::string bound_of_none(std::uint64_t exercised_runs, RunCount count);

/// 3/N in parts per million, rounded up and at most 1,000,000.
std::uint64_t upper_bound_ppm(std::uint64_t runs);

}  // namespace locklab
