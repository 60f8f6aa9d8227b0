// Explore: many seeded runs of one scenario, judged, and what they add up to.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "properties/judge.h"
#include "scenarios/run.h"
#include "search/coverage.h"
#include "search/strategies/engine.h"

namespace locklab {

/// Seeds are tried in this order, both ends included. Each search is a range of seeds, so that a
/// stranger can repeat it.
struct Budget {
  std::uint64_t first_seed = 1;
  std::uint64_t last_seed = 1000;
  bool stop_at_unexpected = false;  // After the first run with a violation that is not expected.
};

/// What a run needs beside its scenario.
struct Laboratory {
  LockFinder find = find_lock;
  redis::ScriptMode scripts = redis::ScriptMode::lua;
  std::vector<Property> properties = all_properties();
};

/// A run worth keeping: it can be repeated from its choices alone.
struct FoundRun {
  std::uint64_t seed = 0;
  std::vector<Deviation> choices;  // In the order in which they were met.
  std::uint64_t digest = 0;
  /// One for each judged property, in their order; pointers are into SearchResult::properties.
  std::vector<NamedFinding> findings;
};

struct SearchResult {
  const Scenario* scenario = nullptr;
  /// Those that were judged: the scenario's choice of the laboratory's.
  std::shared_ptr<const std::vector<Property>> properties;
  /// Seeds from first_seed on, without a gap, however the search ended and on however many threads.
  std::uint64_t first_seed = 0;
  std::uint64_t runs = 0;
  Tallies tallies{{}};
  /// By property: the run with the lowest seed that violates it.
  std::vector<std::optional<FoundRun>> first_violations;
  /// The run with the lowest seed and an unexpected violation.
  std::optional<FoundRun> unexpected;
  /// How many runs recorded each kind of event.
  std::array<std::uint64_t, static_cast<std::size_t>(EventKind::count)> runs_with{};
  Coverage coverage;
  std::uint64_t steps = 0;
  bool complete = false;   // The whole budget was spent, or there was nothing left to try.
  bool exhausted = false;  // The engine had fewer schedules than the budget.
  bool sampled = false;    // Engine::samples()
};

/// Nothing run yet. As explore(), of what the scenario must be.
SearchResult blank_search(const Scenario& scenario, std::uint64_t first_seed,
                          const Laboratory& laboratory = {});

/// Called between runs, never twice at once: seeds done so far, and runs with an unexpected
/// violation among them.
struct SearchProgress {
  std::uint64_t runs = 0;
  std::uint64_t runs_total = 0;
  std::uint64_t unexpected = 0;
};

struct SearchHooks {
  std::function<void(const SearchProgress&)> progress;
  /// Asked after every run, on any thread. true ends the search; its result is then a shorter
  /// range.
  std::function<bool()> cancelled;
};

/// A run threw: a bug of locklab or of a lock under test, never a verdict.
class RunFailed : public std::runtime_error {
 public:
  RunFailed(std::uint64_t seed, const std::string& what)
      : std::runtime_error("seed " + std::to_string(seed) + ": " + what), seed_(seed) {}
  std::uint64_t seed() const { return seed_; }

 private:
  std::uint64_t seed_;
};

/// check_locks() must be empty for the scenario, and its property names known. The result is the
/// same for any number of jobs. With an engine of the same scenario, seeds are its numbers;
/// nullptr: the seeded engine (search/strategies/swarm.h).
SearchResult explore(const Scenario& scenario, const Budget& budget, unsigned jobs = 1,
                     const SearchHooks& hooks = {}, const Laboratory& laboratory = {},
                     Engine* engine = nullptr);

/// The scenario's properties of the laboratory; a contract failure if a name is unknown.
std::vector<Property> judged_properties(const Scenario& scenario, const Laboratory& laboratory);

/// How a search compares with what its scenario expects.
enum class CheckVerdict : std::uint8_t {
  as_expected,
  violated,      // Something that must hold was violated.
  inconclusive,  // Something that must hold is unknown, or a goal of `sometimes` was not met.
  not_violated   // Something that must be violated never was: a trap that no longer bites.
};
std::string_view name_of(CheckVerdict verdict);
/// The worst first: violated, not_violated, inconclusive.
CheckVerdict verdict_of(const SearchResult& result);
/// Names of `sometimes` that no run met.
std::vector<std::string> unmet_goals(const SearchResult& result);
/// Properties whose premise no run met: nothing was shown about them.
std::vector<const Property*> never_exercised(const SearchResult& result);

}  // namespace locklab
