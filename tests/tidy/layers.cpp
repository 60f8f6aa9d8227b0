// Which folder may include what.
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "tests/tidy/rules.h"

namespace locklab::tidy {
namespace {

// The chain: each folder may include itself and what stands before it. It has two ends: neither
// the program nor the testkit may include the other.
constexpr std::array<std::string_view, 8> kChain = {"sim",    "models",  "scenarios", "properties",
                                                    "search", "reports", "cli",       "testkit"};

// What lock code may see of the simulated world: what a client program could know, and nothing of
// true time, other processes or the schedule.
constexpr std::array<std::string_view, 8> kVisibleToModels = {
    "sim/client.h",      "sim/contract.h", "sim/go.h",   "sim/ids.h",
    "sim/redis/reply.h", "sim/outcome.h",  "sim/time.h", "sim/verdict.h"};

struct Include {
  std::size_t line;
  std::string name;  // With its quotes or brackets.
};

std::vector<Include> includes_of(const Source& source) {
  std::vector<Include> includes;
  std::size_t number = 0;
  for (const std::string& line : lines_of(code_of(source.text))) {
    ++number;
    if (!line.starts_with("#include")) continue;
    const std::size_t open = line.find_first_of("\"<");
    const std::size_t close = line.find_last_of("\">");
    if (open == std::string::npos || close <= open) continue;
    includes.push_back({number, line.substr(open, close - open + 1)});
  }
  return includes;
}

std::string unquoted(const Include& include) {
  return include.name.substr(1, include.name.size() - 2);
}

std::optional<std::size_t> place_in_chain(std::string_view folder) {
  const auto* const found = std::find(kChain.begin(), kChain.end(), folder);
  if (found == kChain.end()) return std::nullopt;
  return static_cast<std::size_t>(found - kChain.begin());
}

bool are_ends(std::size_t here, std::size_t there) {
  return kChain[here] == "testkit" && kChain[there] == "cli";
}

}  // namespace

Complaints check_layers(const Source& source) {
  const std::optional<std::size_t> here = place_in_chain(folder_of(source.path));
  if (!here) return {};
  Complaints complaints;
  for (const Include& include : includes_of(source)) {
    if (include.name.front() != '"') continue;
    const std::string name = unquoted(include);
    const std::optional<std::size_t> there = place_in_chain(folder_of(name));
    if (!there) {
      complaints.push_back({source.path, include.line, name + " is no path from the root"});
    } else if (*there > *here || are_ends(*here, *there)) {
      complaints.push_back({source.path, include.line, name + " stands to the right"});
    }
  }
  return complaints;
}

Complaints check_model_includes(const Source& source) {
  // The tests of a model run it in a world, so they see that world.
  if (folder_of(source.path) != "models" || is_test(source)) return {};
  Complaints complaints;
  for (const Include& include : includes_of(source)) {
    const std::string name = unquoted(include);
    if (folder_of(name) != "sim") continue;
    const auto* const end = kVisibleToModels.end();
    if (std::find(kVisibleToModels.begin(), end, name) != end) continue;
    complaints.push_back({source.path, include.line, name + " is hidden from locks"});
  }
  return complaints;
}

Complaints check_visible_files(std::span<const Source> sources) {
  Complaints complaints;
  for (const std::string_view name : kVisibleToModels) {
    const bool exists = std::any_of(sources.begin(), sources.end(),
                                    [&](const Source& source) { return source.path == name; });
    if (!exists)
      complaints.push_back({std::string(name), 0, "is no file that a lock could include"});
  }
  return complaints;
}

Complaints check_private_libraries(const Source& source) {
  if (!place_in_chain(folder_of(source.path))) return {};
  Complaints complaints;
  for (const Include& include : includes_of(source)) {
    const std::string_view name = include.name;
    if (is_header(source) && name.starts_with("<boost/")) {
      complaints.push_back({source.path, include.line, "Boost stays out of headers"});
    }
    // The testkit is for tests; no program links it.
    if (folder_of(source.path) == "testkit") continue;
    const bool test_library = name.starts_with("<gtest/") || name.starts_with("<gmock/") ||
                              name.starts_with("<rapidcheck");
    if (test_library && !is_test(source)) {
      complaints.push_back({source.path, include.line, "a test library outside the tests"});
    }
  }
  return complaints;
}

}  // namespace locklab::tidy
