// Coverage: four columns, the last one wrapped.
// SPDX-License-Identifier: Apache-2.0
#include "reports/coverage.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "reports/text.h"

namespace locklab {
namespace {

constexpr std::size_t kPointColumns = 23;  // "failover.before_promote"
constexpr std::size_t kFaultColumns = 10;  // "lost-reply"
constexpr std::size_t kCountColumns = 8;

struct Row {
  std::string point;
  std::string reached;
  std::string fault;
  std::string runs;
  std::string remark;
};

std::string listed(const std::vector<std::string_view>& names) {
  std::string text;
  for (const std::string_view name : names)
    text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

std::string line_of(const Row& row, const Paper& paper, Ink ink = Ink::plain) {
  const std::string head =
      padded(row.point, kPointColumns) + " " + right_aligned(row.reached, kCountColumns) + "  " +
      padded(row.fault, kFaultColumns) + " " + right_aligned(row.runs, kCountColumns) + "  ";
  const std::size_t columns = columns_of(head);
  const std::size_t room = paper.width > columns + 10 ? paper.width - columns : 10;
  std::string out;
  for (const std::string& part : wrapped(row.remark, room)) {
    std::string line = (out.empty() ? head : std::string(columns, ' ')) + paper.say(part);
    line.erase(line.find_last_not_of(' ') + 1);
    out += paper.paint(ink, cut(line, paper.width, "")) + "\n";
  }
  return out;
}

/// Properties that some run put to the test, and none of these.
std::string untested(const StruckRuns& runs, const SearchResult& result) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < runs.tested.size(); ++i) {
    const Tally& tally = result.tallies.all()[i];
    if (tally.exercised_runs > 0 && runs.tested[i] == 0) names.push_back(tally.property->name);
  }
  return listed(names);
}

/// The rows of one label; none for a time that the story sets, which nobody reaches.
std::vector<Row> rows_of(Label label, const SearchResult& result) {
  const Coverage& coverage = result.coverage;
  std::vector<Row> rows;
  for (const auto& [point, runs] : coverage.struck) {
    if (point.label != label) continue;
    rows.push_back({"", "", std::string(name_of(point.kind)), std::to_string(runs.runs),
                    untested(runs, result)});
  }
  const bool timed = label == Label::none;
  const std::uint64_t reached = coverage.reached[static_cast<std::size_t>(label)];
  const bool open = (open_labels(*result.scenario) >> static_cast<unsigned>(label) & 1U) != 0;
  if (rows.empty() && !timed && open && reached > 0) rows.push_back({"", "", "none", "", ""});
  if (rows.empty()) return rows;
  rows.front().point = timed ? "at a set time" : std::string(name_of(label));
  if (!timed) rows.front().reached = std::to_string(reached);
  return rows;
}

std::string count_of(const Distinct& schedules) {
  return fmt::format("{}{} distinct schedule{}", schedules.exact() ? "" : "more than ",
                     schedules.count(), schedules.count() == 1 ? "" : "s");
}

}  // namespace

std::string coverage_line(const SearchResult& result, const Paper& paper) {
  if (result.runs == 0) return "";
  const CoverageSummary sum = summary_of(result.coverage, *result.scenario);
  std::string text;
  if (sum.points_reached > 0)
    text += fmt::format("{} of {} point{} · ", sum.points_struck, sum.points_reached,
                        sum.points_reached == 1 ? "" : "s");
  if (sum.kinds_possible > 0) {
    text += fmt::format("{} of {} kind{} of fault · ", sum.kinds_applied, sum.kinds_possible,
                        sum.kinds_possible == 1 ? "" : "s");
  }
  text += count_of(result.coverage.schedules);
  std::string out = paper.paragraph("coverage  ", text, 10, Ink::dim);
  for (const Label label : never_reached(result.coverage, *result.scenario)) {
    out += paper.paragraph(
        "? ", fmt::format("{} is named in search.faults.at, and no run came by", name_of(label)), 2,
        Ink::yellow);
  }
  return out;
}

std::string coverage_table(const SearchResult& result, const Paper& paper) {
  std::string out =
      line_of({"point", "reached", "fault", "runs", "not tested in any of them"}, paper, Ink::dim);
  for (unsigned label = 0; label < static_cast<unsigned>(Label::count); ++label) {
    for (const Row& row : rows_of(static_cast<Label>(label), result))
      out += line_of(row, paper);
  }
  std::vector<std::string_view> never;
  for (const FaultKind kind : never_applied(result.coverage, *result.scenario))
    never.push_back(name_of(kind));
  if (!never.empty()) out += paper.paragraph("", "never applied: " + listed(never), 2);
  return out + paper.paragraph("",
                               "A bound such as ≤ 1 % (95 %) is of the runs under this sampler, "
                               "for a number of runs fixed beforehand; what was stopped early has "
                               "none.",
                               0, Ink::dim);
}

}  // namespace locklab
