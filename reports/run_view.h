// RunView: one judged execution, as every report reads it. Views only: valid until the next run.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "properties/judge.h"
#include "scenarios/run.h"
#include "search/suffixes.h"

namespace locklab {

struct RunView {
  const Scenario* scenario = nullptr;
  const History* history = nullptr;
  const Lanes* lanes = nullptr;
  std::span<const NamedFinding> findings;
  std::span<const Deviation> choices;  // Free dimensions included.
  std::uint64_t digest = 0;
  std::uint64_t steps = 0;
  EndReason end = EndReason::none;
  std::string token;   // Empty: unknown.
  std::string replay;  // The command that runs it again: the token, and what the token needs.
  Suffixes suffixes;   // Drawn only where eventual-release does not hold.
};

inline RunView view_of(const Execution& execution, const Judge& judge) {
  return {execution.scenario,
          execution.history,
          &judge.lanes(),
          judge.findings(),
          execution.choices,
          execution.digest,
          execution.steps,
          execution.end,
          {},
          {},
          {}};
}

}  // namespace locklab
