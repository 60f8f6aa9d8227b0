// JUnit: searches as JUnit XML: one suite for each scenario, one case for each property.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "search/explore.h"

namespace locklab {

struct JunitCase {
  enum class Status : std::uint8_t { passed, failed, skipped };

  std::string name;
  Status status = Status::passed;
  std::string type;     // Of a failure: "violated", "unknown", "not-violated".
  std::string message;  // Of a failure or of what was skipped: one line.
  std::vector<std::string>
      lines;  // Of a failure: the reason and how to see it again; else a remark.
};

struct JunitSuite {
  std::string name;
  std::vector<std::pair<std::string, std::string>> properties;
  std::vector<JunitCase> cases;
};

/// What the search does not know by itself.
struct JunitStory {
  /// By property: the command that runs its first violation again; empty: there is none.
  std::vector<std::string> commands;
  bool interrupted = false;  // What should have happened by now may still have.
};

/// A case fails where check would not exit with 0: violated or unknown against what is expected, a
/// trap that no longer bites, a goal that was not met. What no run put to the test is skipped.
JunitSuite junit_suite(const SearchResult& result, const JunitStory& story);

/// The document. Without times: the same bytes for the same searches.
std::string junit_xml(std::span<const JunitSuite> suites);

}  // namespace locklab
