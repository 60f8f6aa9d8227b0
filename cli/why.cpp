// why: what a failing run needs in order to fail, and when it is too late.
// SPDX-License-Identifier: Apache-2.0
#include "search/why.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/failure.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/subject.h"
#include "cli/telling.h"
#include "cli/verbs.h"
#include "reports/explanation.h"
#include "search/compare.h"

namespace locklab::cli {
namespace {

Explanation explain_subject(const Subject& subject, const Arguments& arguments,
                            const Console& console) {
  Progress progress(console);
  WhyOptions options;
  options.forks = arguments.forks;
  options.cancelled = is_interrupted;
  options.progress = [&progress](std::uint64_t done, std::uint64_t total) {
    progress.update("runs", done, std::max(done, total), "");
  };
  return explain(subject.loaded.scenario, subject.choices, subject.property, options);
}

NearestStory nearest_story(const LoadedScenario& loaded, const Explanation& why,
                           const RunView& view) {
  if (!why.nearest) return {};
  Bench other(loaded.scenario);
  RunView holds = other.replay(why.nearest->choices);
  give_command(holds, loaded);
  NearestStory story;
  story.replay = holds.replay;
  story.part = first_difference(*view.history, *holds.history);
  story.there = event_sentence(holds, story.part);
  return story;
}

}  // namespace

ExitCode why(const Arguments& arguments, Console& console) {
  const Subject subject = subject_of({.word = arguments.words[0],
                                      .file = arguments.words.size() > 1 ? arguments.words[1] : "",
                                      .set = arguments.set,
                                      .property = arguments.property,
                                      .must_fail = true,
                                      .shrinks = arguments.shrink},
                                     arguments, console);
  const Explanation why = explain_subject(subject, arguments, console);
  if (!why.reproduced) throw Failure(kDiverged, "the run does not fail again");
  Bench bench(subject.loaded.scenario);
  RunView view = bench.replay(why.choices);
  give_command(view, subject.loaded);
  const NearestStory nearest = nearest_story(subject.loaded, why, view);
  if (arguments.json) {
    console.print(explanation_json(view, why, nearest));
  } else {
    const Paper& paper = console.paper();
    console.print(
        heading(view, subject.told.empty() ? "replayed" : subject.told, paper) +
        paper.paragraph("✗ ", fmt::format("{}: {}.", why.property, why.finding.why), 2, Ink::red) +
        "\n" + explanation(view, why, nearest, paper));
    if (!view.replay.empty()) console.print("replay  " + paper.say(view.replay) + "\n");
    if (!why.complete) console.print(paper.paragraph("? ", "interrupted", 2, Ink::yellow));
  }
  return why.complete ? kOk : kInterrupted;
}

}  // namespace locklab::cli
