// Odds: what N runs without a violation allow to say, and no more.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace locklab {

/// How the number of runs came about. The rule of three holds only for a number that was fixed
/// before the first run: who stops when it looks good has drawn another sample.
enum class RunCount : std::uint8_t { fixed_beforehand, stopped_early };

/// "no violation in 1000 runs that put it to the test: ≤ 0.3 % (95 %) of runs"; for 0 runs "never
/// put to the test: proves nothing". Rounded up, never down. Source: Hanley, Lippman-Hand 1983, "If
/// nothing goes wrong, is everything all right?".
std::string odds_of_none(std::uint64_t exercised_runs, RunCount count);

/// "≤ 0.3 % (95 %)", or "" where nothing may be said.
std::string bound_of_none(std::uint64_t exercised_runs, RunCount count);

/// 3/N in parts per million, rounded up and at most 1,000,000.
std::uint64_t upper_bound_ppm(std::uint64_t runs);

}  // namespace locklab
