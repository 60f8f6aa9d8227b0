// publish: writes what reports/published/ holds: story, result and page of each embedded scenario.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "cli/failure.h"
#include "cli/found.h"
#include "cli/interrupt.h"
#include "cli/lab.h"
#include "cli/mended.h"
#include "cli/output_directory.h"
#include "cli/record.h"
#include "cli/verbs.h"
#include "reports/html.h"
#include "reports/json.h"
#include "scenarios/loader.h"
#include "sim/sources.h"

namespace locklab::cli {
namespace {

constexpr std::uint32_t kShrinkRuns = 1000;  // The most that a story needs is about 700.

bool must_be_violated(const Scenario& scenario) {
  return std::any_of(scenario.expect.begin(), scenario.expect.end(),
                     [](const auto& expected) { return expected.second == Verdict::violated; });
}

/// The violation that the story is about, of the first seeds, shrunk; of a mended story, unless it
/// wants one told, and where all holds, a run that shows why.
RunView chosen_run(const LoadedScenario& loaded, Bench& bench, RunStory& about,
                   const Console& console) {
  const SearchResult result = explore(loaded.scenario, {1, kTellingSeeds, false});
  const std::optional<Telling> telling = worth_telling(result);
  const bool mend = is_mended(loaded.scenario) && loaded.scenario.tell.empty();
  RunView view;
  if (telling && (!mend || result.unexpected)) {
    const Shrunk shrunk = shrink_found(loaded.scenario, *telling, kShrinkRuns, console);
    view = bench.replay(shrunk.choices);
  } else if (!telling && must_be_violated(loaded.scenario)) {
    throw Failure(kNotViolated, fmt::format("{} was not violated by {} seeds", loaded.scenario.name,
                                            kTellingSeeds));
  } else {
    about.seed = mended_seed(bench);
    SeededSource source(*about.seed);
    view = bench.run(source);
    view.token = seed_token(loaded.scenario, *about.seed, view.digest);
  }
  give_command(view, loaded);
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
