// Explanation: what `why` has found out about a run, for people and for programs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "reports/paper.h"
#include "reports/run_view.h"
#include "search/why.h"

namespace locklab {

/// What of the nearest run that holds must be read from that run itself.
struct NearestStory {
  std::string replay;      // The command that runs it; empty: there is no such run.
  std::uint32_t part = 0;  // The first event that differs.
  std::string there;       // What happens then in that run, in words; empty: it has ended.
};

/// The table of rewinds: those by which the odds change, the cause and the point of no return.
std::string rewind_table(const RunView& run, const Explanation& why, const Paper& paper);

/// Table, cause, point of no return, what is needed and how much of it, the nearest run that holds.
std::string explanation(const RunView& run, const Explanation& why, const NearestStory& nearest,
                        const Paper& paper);

/// locklab.why/1, one line.
std::string explanation_json(const RunView& run, const Explanation& why,
                             const NearestStory& nearest);

/// The record with this sequence number in words.
std::string event_sentence(const RunView& run, std::uint32_t seq);

}  // namespace locklab
