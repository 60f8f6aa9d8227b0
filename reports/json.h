// JSON: one object per line (NDJSON) for programs; keys are stable and only ever added.
// SPDX-License-Identifier: Apache-2.0
//
// locklab.event/1: one record. locklab.run/1: one judged execution. locklab.check/1: one search.
// Times are integers of nanoseconds and end in _ns; hashes are text of hexadecimal digits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/run_view.h"
#include "search/explore.h"

namespace locklab {

/// Ends with a newline, as all of them.
std::string event_json(const RunView& run, const Record& record);
/// All records of the run, one per line.
std::string events_json(const RunView& run);

/// What of a run its history does not know.
struct RunStory {
  std::vector<std::string> set;  // Assignments, in order.
  std::optional<std::uint64_t> seed;
  std::string replay;    // "identical", "diverged"; empty: not a replay.
  std::string diverged;  // Where, in words.
};
std::string run_json(const RunView& run, const RunStory& story);

struct CheckStory {
  std::vector<std::string> set;
  std::string strategy;
  std::string token;         // Of the first unexpected violation, as found; empty: none.
  std::string shrunk_token;  // The same, shrunk.
  bool interrupted = false;
  int exit_code = 0;
};
std::string check_json(const SearchResult& result, const CheckStory& story);

}  // namespace locklab
