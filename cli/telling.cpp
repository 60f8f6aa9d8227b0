// Telling: puts the parts of a report in the order in which a reader needs them.
// SPDX-License-Identifier: Apache-2.0
#include "cli/telling.h"

#include <fmt/format.h>

#include "reports/story.h"
#include "reports/timeline.h"
#include "reports/verdicts.h"
#include "search/byte_codec.h"

namespace locklab::cli {

std::string heading(const RunView& run, std::string_view which, const Paper& paper) {
  const Scenario& scenario = *run.scenario;
  std::string text = scenario.name;
  if (!scenario.title.empty()) text += ": " + scenario.title;
  return paper.paragraph("", text, 0, Ink::bold) +
         paper.paragraph("",
                         fmt::format("{} · {} events · digest {}", which,
                                     run.history->records().size(), hex(run.digest, 16)),
                         0, Ink::dim);
}

std::string told(const RunView& run, std::string_view which, const Arguments& arguments,
                 const Paper& paper) {
  const LineOptions options{.most = arguments.full ? SIZE_MAX : 60, .everything = arguments.full};
  std::string out = heading(run, which, paper) + "\n";
  out += arguments.timeline ? timeline(run, options, paper) : story(run, options, paper);
  out += "\n" + verdict_table(run.findings, run.scenario->expect, paper);
  if (worst(run.findings) != Verdict::holds) {
    out += "\n" + reasons(run, paper, Reasons::all) + advice(run, paper);
  }
  return out + "\n" + deviations(run, paper) + replay_line(run, paper);
}

}  // namespace locklab::cli
