// Record: what --out DIR keeps of a run: story, result, events, a trace file, and reports.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/arguments.h"
#include "cli/console.h"
#include "cli/lab.h"
#include "cli/output_directory.h"
#include "reports/run_view.h"

namespace locklab::cli {

/// Writes story.txt, result.json (`result`, one JSON object), events.ndjson and <16 hex>.json,
/// which replays it, and report.html if it is wished. → what to tell the user: the paths. The story
/// has no colour and 100 columns.
std::string keep(OutputDirectory& directory, const RunView& run, const LoadedScenario& loaded,
                 const std::string& result, const ReportWish& wish);

/// story.txt: story, timeline, verdicts, reasons and deviations.
std::string story_file(const RunView& run);

}  // namespace locklab::cli
