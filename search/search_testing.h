// What tests have in common that search: stories, their faults, and the first run that fails.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "scenarios/loader.h"
#include "search/explore.h"

namespace locklab::testing_search {

inline Scenario story(std::string_view name) {
  LoadResult loaded = load_scenario(name);
  if (!loaded.scenario) throw std::runtime_error("no story " + std::string(name));
  return *std::move(loaded.scenario);
}

/// As a person would write it: edited after loading.
inline Scenario story(std::string_view name, const std::vector<std::string>& assignments) {
  Scenario scenario = story(name);
  if (!apply_set(scenario, assignments).empty()) throw std::runtime_error("a bad assignment");
  return scenario;
}

inline std::vector<Scenario> all_stories() {
  std::vector<Scenario> all;
  for (const std::string& name : embedded_scenario_names())
    all.push_back(story(name));
  return all;
}

/// Up to `most` faults of every kind at every label, and nothing expected.
inline Scenario with_any_faults(Scenario scenario, std::uint32_t most) {
  scenario.world.search = {kAllFaultKinds, 0, most};
  scenario.properties.clear();
  scenario.expect.clear();
  scenario.sometimes.clear();
  scenario.hash = scenario_hash(scenario);
  return scenario;
}

/// The first run of the story that violates the property.
inline FoundRun first_violation(const Scenario& scenario, std::string_view property,
                                std::uint64_t first_seed = 1) {
  const SearchResult result = explore(scenario, {first_seed, first_seed + 999, false});
  for (std::size_t i = 0; i < result.properties->size(); ++i) {
    if ((*result.properties)[i].name != property) continue;
    if (result.first_violations[i]) return *result.first_violations[i];
  }
  throw std::runtime_error("no run violates " + std::string(property));
}

}  // namespace locklab::testing_search
