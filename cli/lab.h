// Lab: a scenario from the command line, and the command line that runs it again.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/exit_code.h"
#include "reports/bench.h"
#include "scenarios/decoder.h"
#include "scenarios/scenario.h"

namespace locklab::cli {

struct LoadedScenario {
  Scenario scenario;
  std::string text;  // As in the file.
  std::vector<std::string> set;
};

/// An embedded scenario or a file, with the assignments applied and its locks checked. Throws
/// Failure (kNoInput, kBadData; kUsage for what --set gets wrong).
LoadedScenario load_for(const std::string& name_or_path, const std::vector<std::string>& set);

/// A regular file of at most `limit` bytes. Throws Failure (kNoInput, kBadData).
std::string file_text(const std::string& path, std::size_t limit);

/// One line for each error on stderr, with an excerpt on a terminal; throws Failure with the last.
[[noreturn]] void fail_with(const std::vector<Diagnostic>& errors, ExitCode code);

/// What --jobs says, or as many as the machine has.
unsigned jobs_of(const Arguments& arguments);

/// The names that scenario files may use.
const Vocabulary& vocabulary();

/// "locklab replay TOKEN", with the file and the --set flags that the token does not carry.
std::string replay_command(const std::string& token, const Scenario& scenario,
                           const std::vector<std::string>& set);
/// Gives the run the command that replays it, and before it a token of its choices unless it has
/// one. Neither, if they are too many for a token.
void give_command(RunView& run, const LoadedScenario& loaded);
/// What loads the scenario again: its embedded name, or its path.
std::string word_for(const Scenario& scenario);

}  // namespace locklab::cli
