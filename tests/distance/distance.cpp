// Distance: enumerates up to one deviation, and searches beyond it.
// SPDX-License-Identifier: Apache-2.0
#include "tests/distance/distance.h"

#include <algorithm>

#include "scenarios/decoder.h"
#include "search/shrink.h"
#include "sim/sources.h"
#include "tests/claims/story.h"
#include "tests/distance/levels.h"

namespace locklab::testing_distance {
namespace {

constexpr std::uint32_t kMostSearched = 3;  // Faults in one run of the search.

/// The smallest that the search finds, for each property that has no distance yet.
void search_beyond(const Scenario& story, std::uint64_t seeds, std::vector<Distance>& rows) {
  Scenario scenario = story;
  scenario.properties.clear();
  for (const Distance& row : rows) {
    if (!row.deviations) scenario.properties.push_back(row.property);
  }
  if (scenario.properties.empty() || seeds == 0) return;
  scenario.world.search.max = kMostSearched;
  scenario.hash = scenario_hash(scenario);
  const SearchResult result = explore(scenario, {1, seeds, false});
  Runner runner;
  for (std::size_t i = 0; i < result.properties->size(); ++i) {
    if (!result.first_violations[i]) continue;
    const std::string name((*result.properties)[i].name);
    const ShrinkResult small = shrink(scenario, result.first_violations[i]->choices, name);
    ReplaySource source;
    source.load(small.choices);
    const Execution& execution = runner.run(scenario, source);
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [&name](const Distance& d) { return d.property == name; });
    row->deviations = small.deviations_after;
    row->searched = true;
    row->how = words_of(*execution.history, execution.choices);
  }
}

}  // namespace

std::vector<std::string> properties_at(ResourceMode resource) {
  std::vector<std::string> names = {"serializable-effects", "no-lost-update"};
  if (resource == ResourceMode::none) {
    names.insert(names.begin(), {"double-ownership", "claimed-exclusion"});
    names.insert(names.end(), {"eventual-release", "no-foreign-mutation", "no-orphan-key"});
  }
  return names;
}

namespace {

Scenario story_at(const LockInfo& lock, ResourceMode resource, std::uint32_t rounds) {
  Scenario scenario = testing_claims::story_of(lock);
  scenario.world.resource = resource;
  scenario.world.search = {kAllFaultKinds, 0, 1};
  scenario.workload.rounds = rounds;
  scenario.workload.poll = milliseconds(300);  // Fewer attempts: fewer points that say the same.
  scenario.properties = properties_at(resource);
  scenario.hash = scenario_hash(scenario);
  return scenario;
}

/// Of a lock that renews or asks several nodes a run has several times as many points.
bool is_long(const LockInfo& lock) {
  return lock.renews || lock.nodes > 1;
}

}  // namespace

std::vector<Distance> distances(const LockInfo& lock, ResourceMode resource, const Effort& effort) {
  const Scenario scenario = story_at(lock, resource, 2);
  const Scenario single = story_at(lock, resource, effort.one_round || is_long(lock) ? 1 : 2);
  const std::vector<Property> properties = judged_properties(scenario, {});
  Levels levels(properties);
  levels.calm(scenario);
  levels.single(single, effort.every_target);
  std::vector<Distance> rows;
  for (const std::string& name : scenario.properties) {
    Distance row{name, std::nullopt, false, ""};
    for (std::size_t i = 0; i < properties.size(); ++i) {
      if (properties[i].name != name || !levels.found()[i]) continue;
      row.deviations = levels.found()[i]->deviations;
      row.how = levels.found()[i]->how;
    }
    rows.push_back(row);
  }
  search_beyond(scenario, effort.seeds, rows);
  return rows;
}

}  // namespace locklab::testing_distance
