// HTML tables: rows of text; what is too much is counted.
// SPDX-License-Identifier: Apache-2.0
#include "reports/html_tables.h"

#include <algorithm>
#include <initializer_list>

#include <fmt/format.h>

#include "reports/words.h"

namespace locklab {
namespace {

constexpr std::size_t kMostDeviations = 60;

/// Opens a table and its body.
void table(Markup& out, std::string_view kind, std::initializer_list<std::string_view> heads,
           std::initializer_list<bool> numbers) {
  out.open("table", {{"class", kind}}).open("thead").open("tr");
  const bool* number = numbers.begin();
  for (const std::string_view head : heads) {
    if (*number++) {
      out.element("th", head, {{"class", "n"}, {"scope", "col"}});
    } else {
      out.element("th", head, {{"scope", "col"}});
    }
  }
  out.close().close().open("tbody").newline();
}

/// A cell with the sentence, and in words what colours show too.
void told(Markup& out, const Line& line) {
  out.open("td").text(line.text);
  if (line.fault) out.text(" ").element("span", "fault", {{"class", "struck-by"}});
  for (const std::string& mark : line.marks) {
    out.text(" ").open("span", {{"class", "mark"}});
    draw_icon(out, Verdict::violated);
    out.text(mark).close();
  }
  out.close();
}

std::string remark_of(const RunView& run, const NamedFinding& named) {
  if (named.finding.verdict != Verdict::holds) {
    return named.finding.why + "; " + expectation_words(run, named) + ".";
  }
  return named.finding.exercised == 0 ? "Its premise never occurred: this run proves nothing." : "";
}

}  // namespace

void draw_story(Markup& out, const std::vector<Line>& lines) {
  out.element("h2", "Story").newline();
  table(out, "story", {"#", "ms", "what happens"}, {true, true, false});
  std::size_t number = 0;
  for (const Line& line : lines) {
    if (line.folded > 0) {
      out.open("tr", {{"class", "fold"}}).element("td", "").element("td", "");
      out.element("td", line.text).close().newline();
      continue;
    }
    ++number;
    out.open("tr", {{"id", fmt::format("s{}", number)}});
    out.element("td", std::to_string(number), {{"class", "n"}});
    out.element("td", milliseconds_of(line.at), {{"class", "n"}});
    told(out, line);
    out.close().newline();
  }
  out.close().close().newline();
}

void draw_findings(Markup& out, const RunView& run) {
  out.element("h2", "Findings").newline();
  table(out, "findings", {"property", "verdict", "exercised", "why"}, {false, false, true, false});
  std::vector<NamedFinding> sorted(run.findings.begin(), run.findings.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const NamedFinding& a, const NamedFinding& b) {
    return a.finding.verdict > b.finding.verdict;  // The worst first.
  });
  for (const NamedFinding& named : sorted) {
    const Finding& finding = named.finding;
    out.open("tr").open("td").text(named.property->statement).text(" ");
    out.element("code", named.property->name).close();
    out.open("td", {{"class", "is " + std::string(name_of(finding.verdict))}});
    draw_icon(out, finding.verdict);
    out.text(name_of(finding.verdict)).close();
    out.element("td", std::to_string(finding.exercised), {{"class", "n"}});
    out.element("td", remark_of(run, named)).close().newline();
  }
  out.close().close().newline();
}

void draw_deviations(Markup& out, const RunView& run) {
  out.element("h2", "What differs from the calm run").newline();
  std::size_t told = 0;
  std::size_t more = 0;
  std::size_t free = 0;
  out.open("ul");
  for (const Deviation& deviation : run.choices) {
    if (is_free_dimension(deviation.address.kind())) {
      ++free;
    } else if (told < kMostDeviations) {
      ++told;
      out.element("li", deviation_sentence(*run.history, deviation)).newline();
    } else {
      ++more;
    }
  }
  if (told == 0) out.element("li", "Nothing: every choice is the harmless one.");
  if (more > 0) out.element("li", fmt::format("and {} more", more));
  if (free > 0) {
    out.element("li",
                counted(free, "choice") + " of start, poll or work time, which count as none");
  }
  out.close().newline();
}

void draw_events(Markup& out, const RunView& run, std::size_t most) {
  const std::vector<Line> all = lines_of(run, {.most = 0, .everything = true});
  out.open("details").element("summary", fmt::format("All {}", counted(all.size(), "event")));
  if (all.size() > most) {
    out.element("p", fmt::format("The first {} of {}; events.ndjson has all.", most, all.size()));
  }
  out.newline();
  table(out, "events", {"seq", "ms", "what happens"}, {true, true, false});
  for (std::size_t i = 0; i < std::min(all.size(), most); ++i) {
    out.open("tr").element("td", std::to_string(all[i].first), {{"class", "n"}});
    out.element("td", milliseconds_of(all[i].at), {{"class", "n"}});
    told(out, all[i]);
    out.close().newline();
  }
  out.close().close().close().newline();
}

void draw_icon(Markup& out, Verdict verdict) {
  const char* const path = verdict == Verdict::violated  ? "M3 3L13 13M13 3L3 13"
                           : verdict == Verdict::unknown ? "M4 5Q4 2 8 2T12 5Q12 7 8 9V10M8 13V14.5"
                                                         : "M2 8.5L6 13L14 3";
  out.open("svg", {{"class", "icon"},
                   {"viewBox", "0 0 16 16"},
                   {"width", 14},
                   {"height", 14},
                   {"aria-hidden", "true"},
                   {"fill", "none"},
                   {"stroke", "currentColor"},
                   {"stroke-width", 2}})
      .leaf("path", {{"d", path}})
      .close()
      .text(" ");
}

std::string counted(std::size_t number, std::string_view what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

std::string expectation_words(const RunView& run, const NamedFinding& named) {
  const Verdict expected = expected_of(run.scenario->expect, named.property->name);
  if (named.finding.verdict == Verdict::holds) return {};
  if (named.finding.verdict == expected) return "as this story expects";
  if (expected == Verdict::unknown) return "this story promises nothing here";
  return fmt::format("this story expects: {}", name_of(expected));
}

}  // namespace locklab
