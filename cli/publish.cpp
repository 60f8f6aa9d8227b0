// publish: writes what reports/published/ holds: story, result and page of each embedded scenario.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "cli/failure.h"
#include "cli/found.h"
#include "cli/interrupt.h"
#include "cli/lab.h"
#include "cli/output_directory.h"
#include "cli/record.h"
#include "cli/verbs.h"
#include "reports/html.h"
#include "reports/json.h"
#include "scenarios/loader.h"
#include "sim/sources.h"

namespace locklab::cli {
namespace {

constexpr std::uint64_t kSeeds = 200;        // Each trap bites within the first quarter of them.
constexpr std::uint32_t kShrinkRuns = 1000;  // The most that a story needs is about 700.

bool must_be_violated(const Scenario& scenario) {
  return std::any_of(scenario.expect.begin(), scenario.expect.end(),
                     [](const auto& expected) { return expected.second == Verdict::violated; });
}

bool is_disturbed(const Record& record) {
  return record.kind == EventKind::fault_begin;
}

bool is_refusal(const Record& record) {
  return record.kind == EventKind::resource_op && record.has(event_flags::kRejected);
}

/// Of a story in which nothing breaks: the first run in which the resource refuses something, else
/// in which a fault strikes, else that of seed 1.
std::uint64_t telling_seed(Bench& bench) {
  for (const auto shows : {is_refusal, is_disturbed}) {
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      SeededSource source(seed);
      const std::span<const Record> records = bench.run(source).history->records();
      if (std::any_of(records.begin(), records.end(), shows)) return seed;
    }
  }
  return 1;
}

/// The worst violation of the first seeds, shrunk, or a run in which all holds.
RunView chosen_run(const LoadedScenario& loaded, Bench& bench, RunStory& about,
                   const Console& console) {
  const SearchResult result = explore(loaded.scenario, {1, kSeeds, false});
  const std::optional<Telling> telling = worth_telling(result);
  RunView view;
  if (telling) {
    const Shrunk shrunk = shrink_found(loaded.scenario, *telling, kShrinkRuns, console);
    view = bench.replay(shrunk.choices);
    view.token = choice_token(loaded.scenario, view.choices, view.digest).value_or("");
  } else if (must_be_violated(loaded.scenario)) {
    throw Failure(kNotViolated,
                  fmt::format("{} was not violated by {} seeds", loaded.scenario.name, kSeeds));
  } else {
    about.seed = telling_seed(bench);
    SeededSource source(*about.seed);
    view = bench.run(source);
    view.token = seed_token(loaded.scenario, *about.seed, view.digest);
  }
  if (!view.token.empty()) view.replay = replay_command(view.token, loaded.scenario, loaded.set);
  return view;
}

}  // namespace

ExitCode publish(const Arguments& arguments, Console& console) {
  OutputDirectory directory(arguments.words[0]);
  for (const std::string& name : embedded_scenario_names()) {
    const LoadedScenario loaded = load_for(name, {});
    Bench bench(loaded.scenario);
    RunStory about;
    const RunView view = chosen_run(loaded, bench, about, console);
    if (is_interrupted()) return kInterrupted;
    directory.write(name + ".txt", story_file(view));
    directory.write(name + ".json", run_json(view, about));
    directory.write(name + ".html", html_page(view));
  }
  return kOk;
}

}  // namespace locklab::cli
