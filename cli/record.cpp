// Record: the files of a kept run.
// SPDX-License-Identifier: Apache-2.0
#include "cli/record.h"

#include <fmt/format.h>

#include "reports/html.h"
#include "reports/json.h"
#include "reports/story.h"
#include "reports/timeline.h"
#include "reports/verdicts.h"
#include "search/byte_codec.h"
#include "search/token.h"
#include "search/trace_file.h"

namespace locklab::cli {
namespace {

TraceFile trace_of(const RunView& run, const LoadedScenario& loaded) {
  TraceFile trace;
  trace.model_epoch = History::kModelEpoch;
  trace.scenario_source = run.scenario->source;
  trace.scenario_text = loaded.text;
  trace.set = loaded.set;
  trace.scenario_hash = run.scenario->hash;
  trace.deviations = normalised({run.choices.begin(), run.choices.end()});
  trace.digest = run.digest;
  trace.records = static_cast<std::uint32_t>(run.history->records().size());
  const std::span<const std::uint64_t> checkpoints = run.history->checkpoints();
  trace.checkpoints.assign(checkpoints.begin(), checkpoints.end());
  trace.marks = marks_of(*run.history);
  return trace;
}

}  // namespace

std::string keep(OutputDirectory& directory, const RunView& run, const LoadedScenario& loaded,
                 const std::string& result, const ReportWish& wish) {
  const std::string trace = trace_text(trace_of(run, loaded));
  const std::string name = hex(trace_name(trace), 16) + ".json";
  directory.write(name, trace);
  directory.write("events.ndjson", events_json(run));
  directory.write("result.json", result);
  directory.write("story.txt", story_file(run));
  std::string told = fmt::format("kept in {}\n", directory.path_of(name));
  if (wish.html) {
    directory.write("report.html", html_page(run));
    told += fmt::format("report in {}\n", directory.path_of("report.html"));
  }
  return told;
}

std::string story_file(const RunView& run) {
  const Paper paper{100, false, false};
  const LineOptions options{.most = 400, .everything = false};
  const LineOptions drawing{.most = 60, .everything = false};
  return paper.paragraph("", run.scenario->name + ": " + run.scenario->title, 0) + "\n" +
         story(run, options, paper) + "\n" + timeline(run, drawing, paper) + "\n" +
         verdict_table(run.findings, run.scenario->expect, paper) + "\n" +
         reasons(run, paper, Reasons::all) + deviations(run, paper) + replay_line(run, paper);
}

}  // namespace locklab::cli
