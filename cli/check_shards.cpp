// Check shards: written by many machines, read by one.
// SPDX-License-Identifier: Apache-2.0
#include "cli/check_shards.h"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "cli/check.h"
#include "cli/failure.h"
#include "cli/interrupt.h"
#include "cli/output_directory.h"
#include "scenarios/diagnostic.h"
#include "search/check_shard.h"
#include "search/strategies/catalogue.h"

namespace locklab::cli {
namespace {

std::string file_of(const Shard& shard) {
  return fmt::format("check-{}-of-{}.json", shard.number, shard.of);
}

void refuse_what_needs_the_whole(const Arguments& arguments) {
  if (arguments.out.empty() && !arguments.json) {
    throw Failure(kUsage, "--shard needs --out DIR, for the file that locklab merge reads");
  }
  if (arguments.until_violation) {
    throw Failure(kUsage, "--until-violation ends at a seed that no shard knows; leave it out");
  }
  if (arguments.report.any()) {
    throw Failure(kUsage, "a shard has nothing to report yet; give --report to locklab merge");
  }
}

/// What an engine learns from runs of other shards it cannot know.
void refuse_what_learns(const LoadedScenario& loaded, const std::string& strategy) {
  if (find_strategy(strategy)->make(loaded.scenario, {})->generation() == 0) return;
  throw Failure(kUsage,
                "the strategy " + strategy + " learns from all runs, and cannot be sharded");
}

/// What this machine can say by itself.
void say_part(const LoadedScenario& loaded, const SearchResult& result, const std::string& strategy,
              Console& console) {
  const Paper& paper = console.paper();
  const std::uint64_t last = result.first_seed + (result.runs == 0 ? 0 : result.runs - 1);
  console.print(
      paper.paragraph("",
                      fmt::format("{}: {} {}..{} · {} runs{}", loaded.scenario.name,
                                  strategy == kSwarm ? "seeds" : "numbers", result.first_seed, last,
                                  result.runs, result.complete ? "" : ", stopped early"),
                      2));
  if (!result.unexpected) return;
  const FoundRun& found = *result.unexpected;
  const NamedFinding* const broken = unexpected_violation(found.findings, loaded.scenario.expect);
  console.print(paper.paragraph(
      "✗ ", fmt::format("violated: {}, at seed {}", broken->property->name, found.seed), 2,
      Ink::red));
  const std::string token = found_token(loaded.scenario, found, strategy);
  console.print("  " + paper.say(replay_command(token, loaded.scenario, loaded.set)) + "\n");
}

SavedScenario saved_scenario(const LoadedScenario& loaded) {
  return {loaded.scenario.source, loaded.text, loaded.set, loaded.scenario.hash};
}

LoadedScenario loaded_again(const SavedScenario& saved) {
  DecodeResult decoded = scenario_of(saved, &vocabulary());
  if (!decoded.scenario) fail_with(decoded.errors, kBadData);
  const std::string objection = check_locks(*decoded.scenario);
  if (!objection.empty()) throw Failure(kBadData, decoded.scenario->name + ": " + objection);
  return {*std::move(decoded.scenario), saved.text, saved.set};
}

CheckShard merged(const std::vector<ShardText>& shards) {
  std::vector<CheckShard> parts;
  for (const ShardText& shard : shards) {
    CheckShardResult read = parse_check_shard(shard.text);
    if (!read.shard) throw Failure(kBadData, shard.path + ": " + read.error);
    parts.push_back(*std::move(read.shard));
  }
  CheckShardResult whole = merge_check_shards(std::move(parts));
  if (!whole.shard) throw Failure(kBadData, whole.error);
  return *std::move(whole.shard);
}

}  // namespace

ExitCode check_shard(const std::vector<LoadedScenario>& scenarios, const Arguments& arguments,
                     Console& console) {
  refuse_what_needs_the_whole(arguments);
  refuse_what_learns(scenarios.front(), arguments.strategy);
  std::optional<OutputDirectory> directory;
  if (!arguments.out.empty()) directory.emplace(arguments.out);  // Before any work is done.
  const SeedRange seeds{arguments.first_seed, arguments.last_seed};
  const std::optional<SeedRange> part = part_of(seeds, *arguments.shard);
  CheckShard shard{*arguments.shard, {}};
  ExitCode code = kOk;
  for (const LoadedScenario& loaded : scenarios) {
    SearchResult result = blank_search(loaded.scenario, seeds.first);
    result.complete = !part && !is_interrupted();
    if (part && !is_interrupted()) {
      result = searched(loaded.scenario, {part->first, part->last, false}, arguments, console);
      if (!arguments.json) say_part(loaded, result, arguments.strategy, console);
    }
    if (result.unexpected) code = kViolated;
    shard.searches.push_back(saved(result, saved_scenario(loaded), seeds, arguments.strategy));
  }
  const std::string text = check_shard_text(shard);
  if (arguments.json) console.print(text);
  if (directory) {
    directory->write(file_of(shard.shard), text);
    console.say(fmt::format("shard {} of {} is in {}\n", shard.shard.number, shard.shard.of,
                            directory->path_of(file_of(shard.shard))));
  }
  return is_interrupted() ? kInterrupted : code;
}

ExitCode merge_checks(const std::vector<ShardText>& shards, const Arguments& arguments,
                      Console& console) {
  const CheckShard whole = merged(shards);
  std::vector<LoadedScenario> scenarios;
  for (const SavedSearch& search : whole.searches)
    scenarios.push_back(loaded_again(search.scenario));
  std::vector<SearchResult> results;  // They point at the scenarios, which stay where they are.
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    RestoreResult back = restored(whole.searches[i], scenarios[i].scenario);
    if (!back.result) throw Failure(kDiverged, scenarios[i].scenario.name + ": " + back.error);
    results.push_back(*std::move(back.result));
  }
  Arguments asked = arguments;
  asked.strategy = whole.searches.front().strategy;  // One command has one.
  if (find_strategy(asked.strategy) == nullptr) {
    throw Failure(kBadData, "this version has no strategy " + locklab::quoted(asked.strategy));
  }
  return tell_searches(scenarios, std::move(results), asked, console);
}

}  // namespace locklab::cli
