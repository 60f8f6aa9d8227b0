// Recording: what a token or a trace file names, ready to be run again.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "cli/arguments.h"
#include "cli/lab.h"
#include "search/replay.h"
#include "search/trace_file.h"

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

/// `word`: a token or the path of a trace file. `source`: the scenario's name or file, where the
/// token's own name is not enough; "": none was given. Throws Failure.
Recording recording_of(const std::string& word, const std::string& source,
                       const Arguments& arguments);

/// Known before running: what the recording was made with is not what is here. "" otherwise.
std::string mismatch_of(const Recording& recording);

/// The run itself. Valid until the next one of the bench, with token and command.
RunView run_again(const Recording& recording, Bench& bench);

}  // namespace locklab::cli
