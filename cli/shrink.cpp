// shrink: more time for making a failing run smaller.
// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "cli/found.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/record.h"
#include "cli/subject.h"
#include "cli/telling.h"
#include "cli/verbs.h"
#include "reports/json.h"
#include "search/shrink_actors.h"

namespace locklab::cli {
namespace {

/// The scenario and the run of a subject in a smaller world, if there is one.
void shrink_world(Subject& subject, const Arguments& arguments, const Console& console) {
  Progress progress(console);
  ShrinkOptions options;
  options.budget = arguments.shrink_runs;
  options.cancelled = is_interrupted;
  options.progress = [&progress](const ShrinkProgress& p) {
    progress.update("shrinking runs", p.executions, p.budget, "");
  };
  const Scenario& scenario = subject.loaded.scenario;
  const ShrinkResult shrunk = locklab::shrink(scenario, subject.choices, subject.property, options);
  if (!shrunk.reproduced) return;
  SmallerWorld world = shrink_actors(scenario, shrunk, subject.property, options);
  for (const std::string& assignment : world.set) {
    subject.told += ", " + assignment;
    subject.loaded.set.push_back(assignment);
  }
  subject.choices = world.shrunk.choices;
  subject.loaded.scenario = std::move(world.scenario);
}

}  // namespace

ExitCode shrink(const Arguments& arguments, Console& console) {
  std::optional<OutputDirectory> directory;
  if (!arguments.out.empty()) directory.emplace(arguments.out);  // Before any work is done.
  Subject subject = subject_of({.word = arguments.words[0],
                                .file = arguments.words.size() > 1 ? arguments.words[1] : "",
                                .set = arguments.set,
                                .property = arguments.property,
                                .must_fail = true,
                                .shrinks = true},
                               arguments, console);
  if (arguments.actors) shrink_world(subject, arguments, console);
  const LoadedScenario& loaded = subject.loaded;
  Bench bench(loaded.scenario);
  RunView view = bench.replay(subject.choices);
  give_command(view, loaded);
  const std::string result = run_json(view, {loaded.set, {}, {}, {}});
  console.print(arguments.json ? result : told(view, subject.told, arguments, console.paper()));
  if (directory) console.say(keep(*directory, view, loaded, result, arguments.report));
  return is_interrupted() ? kInterrupted : kOk;
}

}  // namespace locklab::cli
