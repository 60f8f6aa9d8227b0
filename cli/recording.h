// Recording: what a token or a trace file names, made ready to be run again.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/lab.h"
#include "search/replay.h"
#include "search/trace_file.h"
#include "sim/history.h"

namespace locklab::cli {

/// What is to be run again, whatever named it.
struct Recording {
  LoadedScenario loaded;
  std::string token;
  std::unique_ptr<TraceFile> trace;
  Recorded recorded;  // Points at the trace.
  std::uint32_t model_epoch = History::kModelEpoch;
  std::uint32_t shown_hash = 0;
};

/// The word is a path of a trace file, and no token.
bool names_trace(const std::string& word);

/// `file`: the scenario of a token that is not embedded, or the trace file that a token names; may
/// be empty. Throws Failure (kBadData, kNoInput; kUsage for --set flags or a file with a trace
/// file).
Recording recording_of(const std::string& word, const std::string& file,
                       const std::vector<std::string>& set);

/// Known before running: what the recording was made with is not what is here. "" otherwise.
std::string mismatch_of(const Recording& recording);

/// Runs it. The bench must be of the recording's scenario.
RunView run_recorded(Bench& bench, const Recording& recording);

}  // namespace locklab::cli
