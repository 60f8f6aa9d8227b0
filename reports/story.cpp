// Story: number, time, sentence, marks; what does not fit is wrapped, never cut.
// SPDX-License-Identifier: Apache-2.0
#include "reports/story.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "reports/marks.h"
#include "reports/text.h"
#include "reports/words.h"

namespace locklab {
namespace {

constexpr std::size_t kMostDeviations = 8;
constexpr std::size_t kShortRows = 14;  // A failing check fits one screen of 40 lines.

Ink ink_of(const Line& line) {
  if (line.folded > 0) return Ink::dim;
  if (!line.marks.empty()) return Ink::red;
  if (line.fault) return Ink::yellow;
  return Ink::plain;
}

std::string sentence(const Line& line) {
  std::string text = line.text;
  if (line.fault) text += "  ← fault";
  if (!line.marks.empty()) text += "  " + joined_marks(line);
  return text;
}

std::string verdict_line(const RunView& run, const NamedFinding& named, const Paper& paper) {
  const bool violated = named.finding.verdict == Verdict::violated;
  const std::string line =
      paper.paragraph(violated ? "✗ " : "? ",
                      fmt::format("{} {}: {}.", named.property->name,
                                  name_of(named.finding.verdict), named.finding.why),
                      2, violated ? Ink::red : Ink::yellow);
  const std::string suffixes = suffixes_sentence(run.suffixes);
  if (suffixes.empty() || named.property->name != "eventual-release") return line;
  return line + paper.paragraph("  ", suffixes, 2);
}

}  // namespace

std::string story(const RunView& run, const LineOptions& options, const Paper& paper) {
  const std::vector<Line> lines = lines_of(run, options);
  std::size_t widest = 8;
  for (const Line& line : lines)
    widest = std::max(widest, milliseconds_of(line.at).size());
  const std::size_t digits = fmt::format("{}", lines.size()).size();
  std::string out;
  std::size_t number = 0;
  for (const Line& line : lines) {
    const bool is_fold = line.folded > 0;
    if (!is_fold) ++number;
    const std::string head =
        fmt::format("{:>{}}  {:>{}}  ", is_fold ? "" : fmt::format("{}", number), digits,
                    is_fold ? "" : milliseconds_of(line.at), widest);
    out += paper.paragraph(head, sentence(line), head.size(), ink_of(line));
  }
  return out;
}

std::string short_story(const RunView& run, const Paper& paper) {
  std::string text;
  for (std::size_t most = kShortRows; most > 0; --most) {
    text = story(run, {.most = most, .everything = false}, paper);
    if (std::count(text.begin(), text.end(), '\n') <= static_cast<std::ptrdiff_t>(kShortRows))
      break;
  }
  return text;
}

std::string deviations(const RunView& run, const Paper& paper) {
  std::array<std::size_t, static_cast<std::size_t>(ChoiceKind::count)> counts{};
  std::size_t counted = 0;
  std::size_t free = 0;
  for (const Deviation& deviation : run.choices) {
    const ChoiceKind kind = deviation.address.kind();
    ++counts[static_cast<std::size_t>(kind)];
    ++(is_free_dimension(kind) ? free : counted);
  }
  std::string head = counted == 0 ? "No deviation from the calm run"
                                  : fmt::format("{} deviation{} from the calm run", counted,
                                                counted == 1 ? "" : "s");
  if (free > 0) {
    head +=
        fmt::format(" ({} free choice{} of start, poll or work time)", free, free == 1 ? "" : "s");
  }
  std::string out = paper.paragraph("", head + (counted == 0 ? "." : ":"), 0);
  // Of many, only the faults are told one by one.
  const bool few = counted <= kMostDeviations;
  for (const Deviation& deviation : run.choices) {
    const ChoiceKind kind = deviation.address.kind();
    if (is_free_dimension(kind) || (!few && kind != ChoiceKind::fault_at_label)) continue;
    out += paper.paragraph("  - ", deviation_sentence(*run.history, deviation), 4);
  }
  if (few) return out;
  std::string rest;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto kind = static_cast<ChoiceKind>(i);
    if (counts[i] == 0 || is_free_dimension(kind) || kind == ChoiceKind::fault_at_label) continue;
    rest += fmt::format("{}{} {}", rest.empty() ? "" : ", ", counts[i], name_of(kind));
  }
  return out + (rest.empty() ? "" : paper.paragraph("  - ", rest, 4));
}

std::string reasons(const RunView& run, const Paper& paper, Reasons which) {
  const NamedFinding* const headline = headline_of(run);
  std::string out;
  if (headline != nullptr) out += verdict_line(run, *headline, paper);
  std::string names;
  for (const Verdict verdict : {Verdict::violated, Verdict::unknown}) {
    for (const NamedFinding& named : run.findings) {
      if (named.finding.verdict != verdict || &named == headline) continue;
      if (which == Reasons::all || headline == nullptr) {
        out += verdict_line(run, named, paper);
      } else if (verdict == Verdict::violated) {
        names += (names.empty() ? "" : ", ") + std::string(named.property->name);
      }
    }
  }
  if (!names.empty()) out += paper.paragraph("  ", "also violated: " + names, 2);
  return out;
}

std::string advice(const RunView& run, const Paper& paper) {
  if (run.scenario->notes.empty()) return {};
  return paper.paragraph("  ", run.scenario->notes, 2, Ink::cyan);
}

std::string replay_line(const RunView& run, const Paper& paper) {
  if (run.replay.empty()) return {};
  return "replay  " + paper.paint(Ink::bold, paper.say(run.replay)) + "\n";
}

}  // namespace locklab
