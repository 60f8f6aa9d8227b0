// replay: the same run again, and proof that it is the same.
// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <fmt/format.h>

#include "cli/lab.h"
#include "cli/record.h"
#include "cli/recording.h"
#include "cli/telling.h"
#include "cli/verbs.h"
#include "reports/json.h"
#include "search/byte_codec.h"

namespace locklab::cli {
namespace {

/// Of the seeded engine, as run/1 has it; another strategy's number is in the token alone.
std::optional<std::uint64_t> seed_of(const Recorded& recorded) {
  return recorded.strategy.empty() ? recorded.seed : std::nullopt;
}

void print_result(const RunView& run, const Recording& recording, const std::string& diverged,
                  const Arguments& arguments, Console& console) {
  RunStory about{recording.loaded.set, seed_of(recording.recorded),
                 diverged.empty() ? "identical" : "diverged", diverged};
  if (arguments.json) {
    console.print((diverged.empty() ? events_json(run) : "") + run_json(run, about));
    return;
  }
  const Paper& paper = console.paper();
  if (!diverged.empty()) {
    console.print(paper.paragraph("✗ ", "diverged: " + diverged, 2, Ink::red));
    return;
  }
  console.print(paper.paragraph("✓ ",
                                fmt::format("identical: {} events, digest {}",
                                            run.history->records().size(), hex(run.digest, 16)),
                                2, Ink::green) +
                told(run, "replayed", arguments, paper));
}

}  // namespace

ExitCode replay(const Arguments& arguments, Console& console) {
  const Recording recording = recording_of(
      arguments.words[0], arguments.words.size() > 1 ? arguments.words[1] : "", arguments.set);
  std::optional<OutputDirectory> directory;
  if (!arguments.out.empty()) directory.emplace(arguments.out);

  Bench bench(recording.loaded.scenario);
  RunView view = run_recorded(bench, recording);
  view.token = recording.token;
  give_command(view, recording.loaded);
  std::string diverged = mismatch_of(recording);
  if (diverged.empty()) {
    const std::optional<Divergence> divergence =
        divergence_of(bench.execution(), recording.recorded);
    if (divergence) diverged = divergence->text;
  }
  print_result(view, recording, diverged, arguments, console);
  if (!diverged.empty()) return kDiverged;
  if (directory) {
    const RunStory about{recording.loaded.set, seed_of(recording.recorded), "identical", {}};
    console.say(keep(*directory, view, recording.loaded, run_json(view, about), arguments.report));
  }
  return unexpected_violation(view.findings, view.scenario->expect) == nullptr ? kOk : kViolated;
}

}  // namespace locklab::cli
