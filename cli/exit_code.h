// Exit codes: public, and only ever added to.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace locklab::cli {

enum ExitCode : int {
  kOk = 0,            // Every verdict matched what the scenario expects.
  kViolated = 1,      // A property that should hold was violated.
  kInconclusive = 2,  // Something is unknown, or a goal of the search was not met.
  kNotViolated = 3,   // What should be violated was not: a trap no longer bites.
  kNothingRun = 4,    // No scenario matched the filter.
  kDiverged = 5,      // A replay did not give what its token says.
  // From here on as in sysexits.h.
  kUsage = 64,         // A flag or a word on the command line is wrong.
  kBadData = 65,       // A scenario, a token or a trace file is wrong.
  kNoInput = 66,       // A file is not there or cannot be read.
  kInternal = 70,      // A bug of locklab.
  kCannotCreate = 73,  // An output directory or file cannot be made.
  kWriteError = 74,    // Writing failed on the way.
  kInterrupted = 130   // Ctrl-C; what was known has been printed.
};

}  // namespace locklab::cli
