// HTML tables: the story, the findings, the deviations and all events, as text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "reports/lines.h"
#include "reports/markup.h"
#include "reports/run_view.h"

namespace locklab {

/// The steps have ids "s1", "s2", …, to which the drawing links.
void draw_story(Markup& out, const std::vector<Line>& lines);
void draw_findings(Markup& out, const RunView& run);
void draw_deviations(Markup& out, const RunView& run);
/// One row per record, at most `most`; how many there are is said. Closed until it is opened.
void draw_events(Markup& out, const RunView& run, std::size_t most);

/// A cross, a question mark or a tick, for beside a word.
void draw_icon(Markup& out, Verdict verdict);
/// How a verdict compares with what the scenario expects: "as this story expects"; "" if it holds.
std::string expectation_words(const RunView& run, const NamedFinding& named);
/// "1 event", "2 events".
std::string counted(std::size_t number, std::string_view what);

}  // namespace locklab
