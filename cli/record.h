// Record: what --out DIR keeps of a run: story, result, events, and a trace file that replays it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/console.h"
#include "cli/lab.h"
#include "cli/output_directory.h"
#include "reports/run_view.h"

namespace locklab::cli {

/// Writes story.txt, result.json (`result`, one JSON object), events.ndjson and <16 hex>.json.
/// → the path of the trace file. The story has no colour and 100 columns.
std::string keep(OutputDirectory& directory, const RunView& run, const LoadedScenario& loaded,
                 const std::string& result);

}  // namespace locklab::cli
