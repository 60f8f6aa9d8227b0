// Results: what became of each mutant, why the survivors live, and the page of both.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/mutants/candidates.h"

namespace locklab::mutants {

/// One line of results.txt: the mutant's row as it was judged, then what each judge said of it.
struct Result {
  Mutant mutant;
  std::string id;
  std::string row;     // As row_of() has it.
  std::string unit;    // "stillborn", a test that failed, or "-": all passed, or there are none.
  std::string search;  // "promise 12 story property", "holds", …: see judge.cpp; "-".

  bool is_stillborn() const { return unit == "stillborn"; }
  bool is_killed() const;
  /// 0: the search has not killed it by breaking a promise; a crash is none.
  std::uint64_t schedules_to_kill() const;
};

/// Id, group, file, pattern, the line before and after; between tabs. Not the number of the line:
/// it changes without the mutant.
std::string row_of(const Mutant& mutant);
std::vector<Result> read_results(const std::string& path);
/// Of survivors.txt: "<id> <reason>", indented lines go on with it.
std::map<std::string, std::string> read_reasons(const std::string& path);
/// The value below or at which the given hundredth of the sorted values lies (nearest rank).
std::uint64_t percentile(std::vector<std::uint64_t> values, std::uint64_t hundredth);
/// docs/mutants.md.
std::string page_of(const std::vector<Result>& results,
                    const std::map<std::string, std::string>& reasons);

}  // namespace locklab::mutants
