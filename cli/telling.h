// Telling: one run as run and replay print it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "cli/arguments.h"
#include "reports/paper.h"
#include "reports/run_view.h"

namespace locklab::cli {

/// "late-write, seed 3: A write arrives …; 154 events, digest 0123456789abcdef".
std::string heading(const RunView& run, std::string_view which, const Paper& paper);

/// Heading, story or timeline, verdicts, reasons, deviations, the command that replays it.
std::string told(const RunView& run, std::string_view which, const Arguments& arguments,
                 const Paper& paper);

}  // namespace locklab::cli
