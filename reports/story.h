// Story: one execution as numbered sentences, with what is wrong, why, and how to see it again.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "reports/lines.h"
#include "reports/paper.h"

namespace locklab {

/// The numbered lines. Times are true ones, in milliseconds. "← fault" ends a line at which the
/// world was disturbed, "◀ …" one at which a violation shows.
std::string story(const RunView& run, const LineOptions& options, const Paper& paper);

/// The same on half a screen: as many of its lines as fit when wrapped, with faults and marks
/// whatever it takes.
std::string short_story(const RunView& run, const Paper& paper);

/// What differs from the calm run: one line per deviation while they are few, else one per fault
/// and per kind; free dimensions are counted only.
std::string deviations(const RunView& run, const Paper& paper);

/// Why the headline is violated, in one sentence; then the same for all other properties that do
/// not hold, or only their names.
enum class Reasons : std::uint8_t { all, headline };
std::string reasons(const RunView& run, const Paper& paper, Reasons which);

/// The scenario's own advice (its notes), or "".
std::string advice(const RunView& run, const Paper& paper);

/// "replay  locklab replay <token>", or "" if it is unknown. Never wrapped: it is for copying.
std::string replay_line(const RunView& run, const Paper& paper);

}  // namespace locklab
