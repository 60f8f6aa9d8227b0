// Cases: made from the embedded stories.
// SPDX-License-Identifier: Apache-2.0
#include "tests/strategies/cases.h"

#include <algorithm>

#include "reports/marks.h"
#include "search/search_testing.h"
#include "tests/claims/story.h"

namespace locklab::strategies {
namespace {

constexpr std::uint64_t kTellingSeeds = 200;  // Within them each story shows what it breaks.
constexpr std::string_view kUnder = " under ";

Case case_of(Scenario scenario, std::string_view property) {
  scenario.properties = {std::string(property)};
  scenario.expect.clear();
  scenario.sometimes.clear();
  return {std::move(scenario), std::string(property)};
}

/// "": nothing is violated.
std::string headline_in(const Scenario& scenario) {
  const SearchResult result = explore(scenario, {1, kTellingSeeds, false});
  std::vector<NamedFinding> firsts;
  for (std::size_t i = 0; i < result.first_violations.size(); ++i) {
    if (result.first_violations[i]) firsts.push_back(result.first_violations[i]->findings[i]);
  }
  const NamedFinding* const headline = headline_of(firsts, scenario.tell);
  return headline == nullptr ? "" : std::string(headline->property->name);
}

bool is_broken(const Scenario& scenario) {
  return std::any_of(scenario.expect.begin(), scenario.expect.end(),
                     [](const auto& row) { return row.second == Verdict::violated; });
}

}  // namespace

std::vector<Case> broken_stories() {
  std::vector<Case> cases;
  for (Scenario& scenario : testing_search::all_stories()) {
    if (!is_broken(scenario)) continue;
    const std::string property = headline_in(scenario);
    if (!property.empty()) cases.push_back(case_of(std::move(scenario), property));
  }
  return cases;
}

std::optional<Case> case_named(std::string_view name, std::string_view property) {
  const std::size_t under = name.find(kUnder);
  if (under == std::string_view::npos) {
    LoadResult loaded = load_scenario(std::string(name));
    if (!loaded.scenario) return std::nullopt;
    return case_of(*std::move(loaded.scenario), property);
  }
  const LockInfo* const lock = find_lock(name.substr(0, under));
  if (lock == nullptr) return std::nullopt;
  for (unsigned number = 0; number < static_cast<unsigned>(FaultKind::count); ++number) {
    const auto kind = static_cast<FaultKind>(number);
    if (name_of(kind) != name.substr(under + kUnder.size())) continue;
    return case_of(testing_claims::with_kind(testing_claims::story_of(*lock), kind), property);
  }
  return std::nullopt;
}

}  // namespace locklab::strategies
