// Shrink the world: numbers of the scenario, each from its least value up to what it is.
// SPDX-License-Identifier: Apache-2.0
#include "search/shrink_actors.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "scenarios/decoder.h"
#include "search/compare.h"
#include "search/trial.h"

namespace locklab {
namespace {

/// Seeds of a smaller world that are tried when the schedule does not fit it.
constexpr std::uint64_t kSeeds = 100;

struct Number {
  std::string path;
  std::uint32_t least = 1;
  std::uint32_t now = 1;
};

std::vector<Number> numbers_of(const Scenario& scenario) {
  std::vector<Number> numbers;
  for (std::size_t i = 0; i < scenario.clients.size(); ++i) {
    numbers.push_back({"clients." + std::to_string(i) + ".count", 1, scenario.clients[i].count});
  }
  const WorkloadConfig& workload = scenario.workload;
  numbers.push_back({"workload.rounds", 1, workload.rounds});
  numbers.push_back({"workload.effects", 1, workload.effects});
  numbers.push_back({"workload.chains", 1, workload.chains});
  numbers.push_back({"topology.replicas", 0, scenario.world.topology.replicas});
  numbers.push_back({"topology.nodes", 1, scenario.world.topology.nodes});
  return numbers;
}

class WorldShrinker {
 public:
  WorldShrinker(const Scenario& scenario, const ShrinkResult& shrunk, std::string_view property,
                const ShrinkOptions& options, const Laboratory& laboratory)
      : property_(property), options_(options), laboratory_(laboratory) {
    world_.scenario = scenario;
    world_.shrunk = shrunk;
  }

  SmallerWorld run() {
    for (const Number& number : numbers_of(world_.scenario)) {
      for (std::uint32_t value = number.least; value < number.now && !spent(); ++value) {
        if (attempt(number.path + "=" + std::to_string(value))) break;
      }
    }
    return std::move(world_);
  }

 private:
  bool spent() const {
    return world_.executions >= options_.budget || (options_.cancelled && options_.cancelled());
  }

  bool attempt(const std::string& assignment) {
    Scenario smaller = world_.scenario;
    if (!apply_set(smaller, assignment).empty()) return false;
    if (!check_locks(smaller, laboratory_.find).empty()) return false;
    std::optional<std::vector<Deviation>> failing = carried(smaller);
    if (!failing) failing = searched(smaller);
    if (!failing || spent()) return false;
    ShrinkOptions options = options_;
    options.budget = options_.budget - world_.executions;
    ShrinkResult shrunk = shrink(smaller, *failing, property_, options, laboratory_);
    world_.executions += shrunk.executions;
    const ShrinkResult& best = world_.shrunk;
    if (!shrunk.reproduced || !shrunk.signature.same_failure(best.signature)) return false;
    if (shrunk.deviations_after > best.deviations_after) return false;
    world_.scenario = std::move(smaller);
    world_.shrunk = std::move(shrunk);
    world_.set.push_back(assignment);
    return true;
  }

  /// The schedule itself, as far as it fits.
  std::optional<std::vector<Deviation>> carried(const Scenario& smaller) {
    const Fit fits = fit(smaller, world_.shrunk.choices, laboratory_);
    Trial trial(smaller, property_, laboratory_);
    world_.executions += 3;
    if (!fails_alike(trial.run(fits.choices))) return std::nullopt;
    return fits.choices;
  }

  /// The first seed that fails in the same way.
  std::optional<std::vector<Deviation>> searched(const Scenario& smaller) {
    Trial trial(smaller, property_, laboratory_);
    for (std::uint64_t seed = 1; seed <= kSeeds && !spent(); ++seed) {
      SeededSource source(seed);
      ++world_.executions;
      if (!fails_alike(trial.run(source))) continue;
      const auto choices = trial.execution().choices;
      return std::vector<Deviation>(choices.begin(), choices.end());
    }
    return std::nullopt;
  }

  bool fails_alike(const std::optional<Signature>& seen) const {
    return seen && seen->same_failure(world_.shrunk.signature);
  }

  SmallerWorld world_;
  std::string_view property_;
  const ShrinkOptions& options_;
  const Laboratory& laboratory_;
};

}  // namespace

SmallerWorld shrink_actors(const Scenario& scenario, const ShrinkResult& shrunk,
                           std::string_view property, const ShrinkOptions& options,
                           const Laboratory& laboratory) {
  return WorldShrinker(scenario, shrunk, property, options, laboratory).run();
}

}  // namespace locklab
