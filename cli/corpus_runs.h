// Corpus runs: entries run again, and what is said of each.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/console.h"
#include "cli/corpus_folder.h"
#include "cli/exit_code.h"
#include "cli/lab.h"

namespace locklab::cli {

/// The folder that the arguments name.
CorpusFolder corpus_folder(const Arguments& arguments);

/// The entry's scenario as it is now. Throws Failure, also for a property that there is no more.
LoadedScenario scenario_of(const CorpusEntry& entry);

struct EntryRun {
  const StoredEntry* stored = nullptr;
  RerunResult result;
  Standing standing = Standing::as_recorded;
  std::string replay;  // The command for the run that it ended with; "": not in a token.
};
EntryRun run_entry(const StoredEntry& stored, const LoadedScenario& loaded);

/// One sentence or two; ends with a newline.
std::string told(const EntryRun& run, const Paper& paper);
/// One line.
std::string json_of(const EntryRun& run);

/// kViolated for a regression, kNotViolated for a trap that no longer bites.
ExitCode code_of(Standing standing);

/// The entries of one scenario as a user named it, with the same --set, run first by check: says
/// what is not as recorded, and how many are. kOk without entries.
ExitCode run_corpus_of(const std::string& scenario, const LoadedScenario& loaded,
                       std::span<const StoredEntry> entries, const Arguments& arguments,
                       Console& console);

}  // namespace locklab::cli
