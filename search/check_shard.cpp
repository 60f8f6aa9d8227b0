// Check shard: from the result of a search to what is kept of it, and back.
// SPDX-License-Identifier: Apache-2.0
#include "search/check_shard.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "search/token.h"
#include "sim/contract.h"
#include "sim/sources.h"

namespace locklab {
namespace {

void keep(std::vector<SavedRun>& found, const FoundRun& run) {
  const bool kept = std::any_of(found.begin(), found.end(),
                                [&run](const SavedRun& one) { return one.seed == run.seed; });
  if (!kept) found.push_back({run.seed, run.digest, normalised(run.choices)});
}

/// Runs again what a file says was found.
class Rerun {
 public:
  Rerun(const SavedSearch& saved, const Scenario& scenario, const Laboratory& laboratory,
        const std::vector<Property>& properties)
      : saved_(saved),
        scenario_(scenario),
        properties_(properties),
        runner_(laboratory.find, laboratory.scripts),
        judge_(properties) {}

  /// nullopt: it is not in the file, or does not end as it says.
  std::optional<FoundRun> run(std::uint64_t seed) {
    const auto kept = std::find_if(saved_.found.begin(), saved_.found.end(),
                                   [seed](const SavedRun& one) { return one.seed == seed; });
    if (kept == saved_.found.end()) return std::nullopt;
    ReplaySource source;
    source.load(kept->choices);
    const Execution& execution = runner_.run(scenario_, source);
    if (execution.digest != kept->digest) return std::nullopt;
    FoundRun found{
        seed, {execution.choices.begin(), execution.choices.end()}, execution.digest, {}};
    const std::span<const NamedFinding> findings = judge_.judge(*execution.history);
    for (std::size_t i = 0; i < findings.size(); ++i)
      found.findings.push_back({&properties_[i], findings[i].finding});
    return found;
  }

 private:
  const SavedSearch& saved_;
  const Scenario& scenario_;
  const std::vector<Property>& properties_;
  Runner runner_;
  Judge judge_;
};

RestoreResult refuse(std::string why) {
  return {std::nullopt, std::move(why)};
}

std::string ends_otherwise(std::uint64_t seed) {
  return "seed " + std::to_string(seed) +
         " ends otherwise here than where it was found: another version of locklab, or of a lock";
}

}  // namespace

DecodeResult scenario_of(const SavedScenario& saved, const Vocabulary* vocabulary) {
  DecodeResult result = decode_scenario(saved.text, saved.source, vocabulary);
  if (!result.scenario) return result;
  result.errors = apply_set(*result.scenario, saved.set, vocabulary);
  if (result.errors.empty() && result.scenario->hash != saved.hash) {
    result.errors.push_back(
        diagnostic_of(saved.source, "is read otherwise here than where it was recorded"));
  }
  if (!result.errors.empty()) result.scenario.reset();
  return result;
}

SavedSearch saved(const SearchResult& result, SavedScenario scenario, const SeedRange& seeds,
                  std::string strategy) {
  SavedSearch saved;
  saved.scenario = std::move(scenario);
  saved.seeds = seeds;
  saved.strategy = std::move(strategy);
  saved.runs = result.runs;
  saved.steps = result.steps;
  saved.complete = result.complete;
  saved.exhausted = result.exhausted;
  saved.sampled = result.sampled;
  saved.runs_with = result.runs_with;
  saved.coverage = result.coverage;
  for (std::size_t i = 0; i < result.tallies.all().size(); ++i) {
    const Tally& tally = result.tallies.all()[i];
    const std::optional<FoundRun>& first = result.first_violations[i];
    saved.tallies.push_back({std::string(tally.property->name), tally.violated, tally.unknown,
                             tally.exercised_runs, tally.exercised,
                             first ? std::optional(first->seed) : std::nullopt});
    if (first) keep(saved.found, *first);
  }
  if (result.unexpected) {
    saved.unexpected = result.unexpected->seed;
    keep(saved.found, *result.unexpected);
  }
  std::sort(saved.found.begin(), saved.found.end(),
            [](const SavedRun& a, const SavedRun& b) { return a.seed < b.seed; });
  return saved;
}

RestoreResult restored(const SavedSearch& saved, const Scenario& scenario,
                       const Laboratory& laboratory) {
  SearchResult result = blank_search(scenario, saved.seeds.first, laboratory);
  const std::vector<Property>& properties = *result.properties;
  const bool same = std::equal(
      properties.begin(), properties.end(), saved.tallies.begin(), saved.tallies.end(),
      [](const Property& property, const SavedTally& t) { return property.name == t.property; });
  if (!same) return refuse("its properties are not those that this version judges");
  result.runs = saved.runs;
  result.steps = saved.steps;
  result.complete = saved.complete;
  result.exhausted = saved.exhausted;
  result.sampled = saved.sampled;
  result.runs_with = saved.runs_with;
  result.coverage = saved.coverage;

  Rerun rerun(saved, scenario, laboratory, properties);
  std::vector<Tally> tallies;
  for (std::size_t i = 0; i < saved.tallies.size(); ++i) {
    const SavedTally& t = saved.tallies[i];
    tallies.push_back(
        {&properties[i], saved.runs, t.violated, t.unknown, t.exercised_runs, t.exercised});
    if (!t.first) continue;
    std::optional<FoundRun> run = rerun.run(*t.first);
    if (!run || run->findings[i].finding.verdict != Verdict::violated)
      return refuse(ends_otherwise(*t.first));
    result.first_violations[i] = std::move(run);
  }
  result.tallies = Tallies::of(std::move(tallies));
  if (saved.unexpected) {
    result.unexpected = rerun.run(*saved.unexpected);
    const bool found = result.unexpected && unexpected_violation(result.unexpected->findings,
                                                                 scenario.expect) != nullptr;
    if (!found) return refuse(ends_otherwise(*saved.unexpected));
  }
  return {std::move(result), ""};
}

}  // namespace locklab
