// Cases: failing runs that are shrunk and compared with the fewest deviations that fail.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/shrinking/optimum.h"

namespace locklab::testing {

/// A story, which of its properties is to fail, and how much may go wrong in it.
struct ShrinkingCase {
  const char* story;
  const char* property;
  std::uint32_t any_faults = 0;  // > 0: up to so many faults, of every kind at every label.
};

/// Short ones first.
std::vector<ShrinkingCase> shrinking_cases();

struct CaseResult {
  ShrinkingCase about;
  std::vector<Measured> runs;
  /// How many different sets they were shrunk to.
  std::size_t distinct() const;
};

/// The first `runs` failing seeds of each of the first `cases`.
std::vector<CaseResult> measure_cases(std::size_t cases, std::size_t runs, std::uint64_t most_runs);

/// Rows and totals, as docs/shrinking.md has them.
std::string shrinking_table(const std::vector<CaseResult>& results);

/// What the table adds up to.
struct ShrinkingTotals {
  std::uint32_t runs = 0;
  std::uint32_t known = 0;  // The optimum is.
  std::uint32_t equal = 0;
  std::uint32_t worst_excess = 0;
  std::uint32_t idempotent = 0;
  std::uint32_t median_executions = 0;
  std::uint32_t p95_executions = 0;
  std::uint32_t most_executions = 0;
};
ShrinkingTotals totals_of(const std::vector<CaseResult>& results);

}  // namespace locklab::testing
