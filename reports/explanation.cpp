// Explanation: a table of odds, then sentences; each number comes from runs that were made.
// SPDX-License-Identifier: Apache-2.0
#include "reports/explanation.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "reports/lines.h"
#include "reports/odds.h"
#include "reports/text.h"
#include "reports/words.h"

namespace locklab {
namespace {

constexpr std::size_t kMostRows = 14;  // More than a screen's third hides what matters.
constexpr std::size_t kBarColumns = 12;
// Number, blanks, bar, percent, change and mark: what a row needs beside its event.
constexpr std::size_t kOtherColumns = 4 + 2 + kBarColumns + 6 + 5 + 8;
constexpr std::size_t kEventLeast = 16;
// One in so many forks: what changes less is no turn of the story.
constexpr std::uint32_t kTurn = 20;

/// Of a part, in whole percent: 100 only of all, and 0 only of none.
std::uint32_t percent(std::uint32_t part, std::uint32_t all) {
  if (all == 0 || part == 0) return 0;
  const auto rounded = static_cast<std::uint32_t>((part * 200ULL + all) / (2ULL * all));
  return part == all ? 100 : std::clamp(rounded, 1U, 99U);
}

/// All records of a run as lines of their own.
std::vector<Line> all_lines(const RunView& run) {
  return lines_of(run, {.most = SIZE_MAX, .everything = true});
}

/// The record of a rewind that says most: that of its fault, else the weightiest, the first of
/// several.
const Line* told_line(const std::vector<Line>& lines, const RunView& run, const Rewind& rewind) {
  if (rewind.first == 0 || rewind.first > lines.size()) return nullptr;
  const Line* best = &lines[rewind.first - 1];
  for (std::uint32_t seq = rewind.first; seq <= rewind.last && seq <= lines.size(); ++seq) {
    const Line& line = lines[seq - 1];
    if (rewind.by && run.history->at(seq).kind == EventKind::fault_begin) return &line;
    if (line.weight > best->weight) best = &line;
  }
  return best;
}

/// Which rewinds are shown: the first, those that change the odds most, and the two named ones.
std::vector<std::size_t> shown_rows(const Explanation& why) {
  std::vector<std::size_t> rows;
  std::vector<std::pair<std::uint32_t, std::size_t>> changes;
  for (std::size_t i = 1; i < why.rewinds.size(); ++i) {
    const std::uint32_t before = why.rewinds[i - 1].violated;
    const std::uint32_t after = why.rewinds[i].violated;
    const std::uint32_t change = after > before ? after - before : before - after;
    const bool named = why.cause == i || why.no_return == i;
    if (named || change * kTurn >= std::max(why.forks, 1U)) {
      changes.emplace_back(named ? UINT32_MAX : change, i);
    }
  }
  std::stable_sort(changes.begin(), changes.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  if (changes.size() > kMostRows - 1) changes.resize(kMostRows - 1);
  if (!why.rewinds.empty()) rows.push_back(0);
  for (const auto& [change, row] : changes)
    rows.push_back(row);
  std::sort(rows.begin(), rows.end());
  return rows;
}

std::string mark_of(const Explanation& why, std::size_t row) {
  if (why.cause == row) return " ◀ cause";
  return why.no_return == row ? " ◀ final" : "";
}

std::string amount_words(Amount amount, FaultKind kind) {
  if (amount == Amount::size)
    return kind == FaultKind::slow || kind == FaultKind::lag ? "delay" : "size";
  return "length";
}

std::string threshold_sentence(const Threshold& threshold, FaultKind kind) {
  const std::string what = amount_words(threshold.amount, kind);
  if (!threshold.below) return fmt::format("any {} does it", what);
  std::string text = fmt::format("a {} of {} does it, {} does not", what,
                                 length_of(threshold.least), length_of(*threshold.below));
  if (!threshold.exact) text += " (nothing between was tried)";
  if (threshold.too_much) {
    text += fmt::format("; {} is too much", length_of(*threshold.too_much));
  }
  return text;
}

std::string values_sentence(const Role& role) {
  if (role.values_tried == 0) return {};
  if (role.values_failing == role.values_tried) {
    return fmt::format("any value does it: all of {} others", role.values_tried);
  }
  return fmt::format("{} of {} other values do it", role.values_failing, role.values_tried);
}

std::string named_event(const RunView& run, const std::vector<Line>& lines, const Rewind& rewind) {
  const Line* const line = told_line(lines, run, rewind);
  if (line == nullptr) return "the start";
  return fmt::format("event {}, {}: {}", line->first, length_of(line->at - Instant()), line->text);
}

std::string turning_points(const RunView& run, const Explanation& why, const Paper& paper) {
  const std::vector<Line> lines = all_lines(run);
  std::string out;
  if (why.cause) {
    const Rewind& rewind = why.rewinds[*why.cause];
    out += paper.paragraph("cause        ", named_event(run, lines, rewind), 13, Ink::bold);
    if (rewind.by) {
      out += paper.paragraph("             ",
                             "decided by " + deviation_sentence(*run.history, *rewind.by), 13);
    }
  }
  if (why.no_return && why.no_return != why.cause) {
    out +=
        paper.paragraph("no return    ", named_event(run, lines, why.rewinds[*why.no_return]), 13);
  }
  if (why.no_return) {
    const std::string bound = bound_of_none(why.forks, RunCount::fixed_beforehand);
    out +=
        paper.paragraph("             ",
                        fmt::format("from {} on each of {} forks fails{}",
                                    why.no_return == why.cause ? "the cause" : "there", why.forks,
                                    bound.empty() ? "" : "; forks that hold: " + bound),
                        13);
  } else if (!why.rewinds.empty()) {
    out += paper.paragraph("no return    ", "none: up to the end chance can still save it", 13);
  }
  return out;
}

std::string role_lines(const RunView& run, const Role& role, const Paper& paper) {
  std::string out = paper.paragraph("  - ", deviation_sentence(*run.history, role.deviation), 4);
  const FaultKind kind = FaultValue::unpack(role.deviation.value).kind;
  if (role.deviation.address.kind() == ChoiceKind::fault_at_label) {
    for (const Threshold& threshold : role.thresholds)
      out += paper.paragraph("      ", threshold_sentence(threshold, kind), 6);
  }
  const std::string values = values_sentence(role);
  return out + (values.empty() ? "" : paper.paragraph("      ", values, 6, Ink::dim));
}

std::string roles(const RunView& run, const Explanation& why, bool needed, const Paper& paper) {
  std::string out;
  for (const Role& role : why.roles) {
    if (role.needed == needed) out += role_lines(run, role, paper);
  }
  if (out.empty()) {
    return needed ? paper.paragraph("", "needed: nothing; it fails without any of them", 0) : "";
  }
  return paper.paragraph("", needed ? "needed, each: without it the property holds" : "not needed",
                         0) +
         out;
}

std::string nearest_text(const RunView& run, const Explanation& why, const NearestStory& nearest,
                         const Paper& paper) {
  if (!why.nearest) return {};
  const NearestPass& pass = *why.nearest;
  const Deviation& deviation = why.roles[pass.role].deviation;
  std::string change = pass.dropped ? "without " : "with a smaller value of ";
  change += deviation_sentence(*run.history, deviation);
  if (pass.length) {
    change += fmt::format(": length {}", length_of(*pass.length));
    if (*pass.size != Duration()) change += fmt::format(", size {}", length_of(*pass.size));
  }
  std::string out =
      paper.paragraph("", "nearest run that holds", 0) + paper.paragraph("  - ", change, 4);
  if (nearest.part != 0) {
    out +=
        paper.paragraph("    ",
                        fmt::format("they part at event {}: {}", nearest.part,
                                    nearest.there.empty() ? "that run has ended" : nearest.there),
                        4);
  }
  if (nearest.replay.empty()) return out;
  return out + "    " + paper.say(nearest.replay) + "\n";
}

}  // namespace

std::string event_sentence(const RunView& run, std::uint32_t seq) {
  const std::vector<Line> lines = all_lines(run);
  return seq == 0 || seq > lines.size() ? std::string() : lines[seq - 1].text;
}

std::string rewind_table(const RunView& run, const Explanation& why, const Paper& paper) {
  const std::vector<Line> lines = all_lines(run);
  const std::size_t room =
      std::max(paper.width - std::min(paper.width, kOtherColumns), kEventLeast);
  std::string out =
      paper.paint(Ink::dim,
                  paper.say(fmt::format("{:>4}  {}{}{:>6}", "#", padded("event", room),
                                        padded("P(violated)", kBarColumns + 6), "change"))) +
      "\n";
  std::uint32_t before = 0;
  for (const std::size_t row : shown_rows(why)) {
    const Rewind& rewind = why.rewinds[row];
    const Line* const line = told_line(lines, run, rewind);
    const std::uint32_t now = percent(rewind.violated, why.forks);
    const std::string event = paper.say(line == nullptr ? "start: nothing is kept" : line->text);
    std::string bar;
    for (std::size_t i = 0; i < now * kBarColumns / 100; ++i)
      bar += "█";
    std::string text = fmt::format("{:>4}  {}{}{:>4} %", line == nullptr ? 0 : line->first,
                                   padded(cut(event, room - 1, paper.say("…")), room),
                                   padded(paper.say(bar), kBarColumns), now);
    if (row != 0 && now != before) {
      text += fmt::format("{:>+5d}", static_cast<int>(now) - static_cast<int>(before));
    }
    const std::string mark = mark_of(why, row);
    const bool named = !mark.empty();
    if (named && (row == 0 || now == before)) text += "     ";
    out += paper.paint(named ? Ink::red : Ink::plain, paper.say(text + mark)) + "\n";
    before = now;
  }
  return out;
}

std::string explanation(const RunView& run, const Explanation& why, const NearestStory& nearest,
                        const Paper& paper) {
  std::string out = paper.paragraph(
      "",
      fmt::format("If the run is rewound to each event and chance decides again from there, how "
                  "often is {} violated? {} forks each",
                  why.property, why.forks),
      0);
  out += "\n" + rewind_table(run, why, paper) + "\n" + turning_points(run, why, paper);
  if (why.property == "eventual-release") {
    const std::string suffixes = suffixes_sentence(run.suffixes);
    if (!suffixes.empty()) out += paper.paragraph("suffixes     ", suffixes, 13);
  }
  return out + roles(run, why, true, paper) + roles(run, why, false, paper) +
         nearest_text(run, why, nearest, paper);
}

}  // namespace locklab
