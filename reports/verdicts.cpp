// Verdicts: one row per property; the last column takes what room is left.
// SPDX-License-Identifier: Apache-2.0
#include "reports/verdicts.h"

#include <algorithm>

#include <fmt/format.h>

#include "reports/text.h"

namespace locklab {
namespace {

struct Row {
  std::string_view property;
  Verdict verdict = Verdict::holds;
  std::string numbers;
  std::string remark;
  bool proves_nothing = false;
};

std::string_view sign_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "✓";
    case Verdict::unknown:
      return "?";
    case Verdict::violated:
      return "✗";
  }
  return "?";
}

Ink ink_of(const Row& row) {
  if (row.verdict == Verdict::unknown) return Ink::yellow;
  if (row.verdict == Verdict::violated) return Ink::red;
  return row.proves_nothing ? Ink::plain : Ink::green;
}

std::string expectation_of(Verdict verdict, Verdict expected) {
  if (verdict == expected) return expected == Verdict::holds ? "" : "as expected";
  return fmt::format("expected: {}", name_of(expected));
}

std::string table(const std::vector<Row>& rows, std::string_view heading, const Paper& paper) {
  std::size_t names = 8;
  std::size_t numbers = columns_of(heading);
  for (const Row& row : rows) {
    names = std::max(names, row.property.size());
    numbers = std::max(numbers, columns_of(row.numbers));
  }
  const std::size_t sign = paper.ascii ? 2 : 1;
  const std::string top = std::string(sign + 1, ' ') + padded("property", names) + "  verdict   " +
                          std::string(heading);
  std::string out = paper.paint(Ink::dim, cut(top, paper.width, "")) + "\n";
  for (const Row& row : rows) {
    const std::string head = padded(paper.say(sign_of(row.verdict)), sign) + " " +
                             padded(paper.say(row.property), names) + "  " +
                             padded(name_of(row.verdict), 8) + "  " +
                             right_aligned(row.numbers, numbers);
    const std::string remark = row.remark.empty() ? "" : "  " + paper.say(row.remark);
    // Where the line has no room for the remark it stands below.
    if (columns_of(head) + columns_of(remark) <= paper.width) {
      out += paper.paint(ink_of(row), head) + remark + "\n";
    } else {
      out += paper.paint(ink_of(row), cut(head, paper.width, "")) + "\n" +
             paper.paragraph("", row.remark, sign + 3);
    }
  }
  return out;
}

}  // namespace

std::string verdict_table(std::span<const NamedFinding> findings, const Expectation& expect,
                          const Paper& paper) {
  std::vector<Row> rows;
  for (const NamedFinding& named : findings) {
    Row row{named.property->name,
            named.finding.verdict,
            fmt::format("{}", named.finding.exercised),
            {},
            false};
    const Verdict expected = expected_of(expect, named.property->name);
    row.proves_nothing = named.finding.exercised == 0 && row.verdict == Verdict::holds;
    if (row.proves_nothing) {
      row.remark = "proves nothing in this run";
    } else if (row.verdict != Verdict::holds) {
      // What is expected of a search need not show in one run: no remark on what holds.
      row.remark = expectation_of(row.verdict, expected);
    }
    rows.push_back(row);
  }
  return table(rows, "exercised", paper);
}

std::string tally_table(std::span<const Tally> tallies, const Expectation& expect, RunCount count,
                        const Paper& paper) {
  std::vector<Row> rows;
  for (const Tally& tally : tallies) {
    Row row{tally.property->name, tally.verdict(),
            fmt::format("{:>8} {:>7} {:>9}", tally.violated, tally.unknown, tally.exercised_runs),
            expectation_of(tally.verdict(), expected_of(expect, tally.property->name)), false};
    row.proves_nothing = tally.exercised_runs == 0 && row.verdict == Verdict::holds;
    if (row.remark.empty()) {
      row.remark =
          row.proves_nothing ? "proves nothing" : bound_of_none(tally.exercised_runs, count);
    }
    rows.push_back(row);
  }
  return table(rows, "violated unknown exercised", paper);
}

}  // namespace locklab
