// Lines: what belongs to the finding stays, what is too much is folded, least worth first.
// SPDX-License-Identifier: Apache-2.0
#include "reports/lines.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "reports/marks.h"
#include "reports/record_lines.h"
#include "reports/words.h"

namespace locklab {
namespace {

constexpr std::uint32_t kFocusWorth = 100;

/// Which part of a run shows what is wrong: the holds of the witnesses, and how far they reach.
struct Focus {
  std::vector<HoldId> holds;
  std::vector<std::uint32_t> witnesses;
  std::uint32_t begin = 1;  // seq
  std::uint32_t end = 0;    // seq; 0: the whole run.

  bool has(HoldId hold) const {
    return hold && std::find(holds.begin(), holds.end(), hold) != holds.end();
  }
};

Focus focus_of(const RunView& run) {
  Focus focus;
  for (const NamedFinding& named : run.findings) {
    if (named.finding.verdict != Verdict::violated) continue;
    for (const std::uint32_t seq : named.finding.witness) {
      const HoldId hold = run.history->at(seq).hold_id();
      if (hold && !focus.has(hold)) focus.holds.push_back(hold);
      focus.witnesses.push_back(seq);
      focus.end = std::max(focus.end, seq);
    }
  }
  if (focus.end == 0) return focus;
  focus.begin = *std::min_element(focus.witnesses.begin(), focus.witnesses.end());
  for (const HoldId hold : focus.holds) {
    const HoldLane* const lane = run.lanes->find(hold);
    if (lane != nullptr && lane->requested.known()) {
      focus.begin = std::min(focus.begin, lane->requested.seq);
    }
  }
  return focus;
}

void weigh_by_focus(Line& line, const Focus& focus) {
  if (focus.end == 0) return;
  const bool outside = line.last < focus.begin || line.first > focus.end;
  if (outside && line.weight == Weight::step) line.weight = Weight::detail;
  // What nobody asked for (a promotion, a waking) matters to all that are under way.
  if (focus.has(line.hold) || (!outside && !line.hold)) line.worth += kFocusWorth;
  const bool witness =
      std::any_of(focus.witnesses.begin(), focus.witnesses.end(),
                  [&line](std::uint32_t seq) { return seq >= line.first && seq <= line.last; });
  // An interval may end with a request that was sent: its arrival has a line already.
  if (!witness || line.weight == Weight::noise) return;
  line.weight = std::max(line.weight, Weight::step);
  line.worth += kFocusWorth;
}

/// Servers do not know whom they serve; what they do for the probe is no part of the story.
void hide_probe(Line& line, const Lanes& lanes) {
  const HoldLane* const lane = lanes.find(line.hold);
  if (lane != nullptr && lane->by_probe) line.weight = std::min(line.weight, Weight::detail);
}

void add_marks(std::vector<Line>& lines, const std::vector<Mark>& marks) {
  for (const Mark& mark : marks) {
    const auto line = std::find_if(lines.begin(), lines.end(), [&mark](const Line& l) {
      return mark.seq >= l.first && mark.seq <= l.last;
    });
    if (line == lines.end()) continue;
    line->weight = Weight::turn;
    line->marks.push_back(mark.text);
  }
}

bool is_shown(const Line& line) {
  return line.weight >= Weight::step;
}

/// What is told for the third time decides nothing any more, nor do more lines than a third.
void thin_out(std::vector<Line>& lines, std::size_t most) {
  std::map<std::pair<ActorId, std::string_view>, unsigned> times;
  std::size_t decisive = 0;
  for (Line& line : lines) {
    if (line.weight != Weight::decisive) continue;
    const bool repeats = ++times[{line.actor, line.cell}] > 2;
    if (repeats || ++decisive > most / 3) line.weight = Weight::step;
  }
}

/// "client-2 is refused 4 times", of the attempts among these lines.
std::string refusals(const RunView& run, std::span<const Line> lines) {
  std::vector<std::pair<ActorId, unsigned>> counts;
  for (const Line& line : lines) {
    const Record& record = run.history->at(line.first);
    const bool refused = record.kind == EventKind::op_return &&
                         static_cast<Operation>(record.arg) == Operation::acquire &&
                         static_cast<Outcome>(record.result) == Outcome::refused;
    if (!refused) continue;
    const auto known = std::find_if(counts.begin(), counts.end(),
                                    [&line](const auto& c) { return c.first == line.actor; });
    if (known == counts.end()) {
      counts.emplace_back(line.actor, 1);
    } else {
      ++known->second;
    }
  }
  if (counts.empty() || counts.size() > 2) return {};
  std::string out;
  for (const auto& [actor, count] : counts) {
    out += out.empty() ? ": " : ", ";
    out += fmt::format("{} is refused{}", actor_name(*run.history, actor),
                       count == 1 ? "" : fmt::format(" {} times", count));
  }
  return out;
}

Line fold(const RunView& run, std::span<const Line> lines) {
  Line line;
  line.first = lines.front().first;
  line.last = lines.back().last;
  line.at = lines.front().at;
  line.folded = line.last - line.first + 1;
  line.text =
      fmt::format("… {} event{}{}", line.folded, line.folded == 1 ? "" : "s", refusals(run, lines));
  return line;
}

/// Shown lines in place, and a fold for each stretch between them that is more than noise.
std::vector<Line> folded(const RunView& run, std::span<const Line> lines) {
  std::vector<Line> out;
  std::size_t from = 0;
  const auto close = [&](std::size_t to) {
    const std::span<const Line> stretch = lines.subspan(from, to - from);
    const bool telling = std::any_of(stretch.begin(), stretch.end(), [](const Line& line) {
      return line.weight == Weight::detail;
    });
    if (telling) out.push_back(fold(run, stretch));
  };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!is_shown(lines[i])) continue;
    close(i);
    out.push_back(lines[i]);
    from = i + 1;
  }
  close(lines.size());
  return out;
}

/// Folds the lines of one weight that are worth least, until few enough are left or none of them.
std::vector<Line> without(Weight weight, const RunView& run, std::vector<Line>& lines,
                          std::size_t most) {
  std::vector<Line> out = folded(run, lines);
  while (out.size() > most) {
    std::uint32_t least = UINT32_MAX;
    bool any = false;
    for (const Line& line : lines) {
      if (line.weight != weight) continue;
      any = true;
      least = std::min(least, line.worth);
    }
    if (!any) break;
    // Of equal worth, the later ones go: a story is understood from its beginning.
    std::size_t surplus = out.size() - most;
    for (auto line = lines.rbegin(); line != lines.rend() && surplus > 0; ++line) {
      if (line->weight != weight || line->worth != least) continue;
      line->weight = Weight::detail;
      --surplus;
    }
    out = folded(run, lines);
  }
  return out;
}

std::vector<Line> fitted(const RunView& run, std::vector<Line>& lines, std::size_t most) {
  thin_out(lines, most);
  std::vector<Line> out = without(Weight::step, run, lines, most);
  return out.size() > most ? without(Weight::decisive, run, lines, most) : out;
}

}  // namespace

std::string joined_marks(const Line& line) {
  std::string text;
  for (const std::string& mark : line.marks)
    text += (text.empty() ? "◀ " : "; ") + mark;
  return text;
}

std::vector<Line> lines_of(const RunView& run, const LineOptions& options) {
  const RecordLines records(run);
  const auto count = static_cast<std::uint32_t>(run.history->records().size());
  const std::vector<Mark> marks = marks_of(run.findings);
  std::vector<Line> lines;
  if (options.everything) {
    for (std::uint32_t seq = 1; seq <= count; ++seq)
      lines.push_back(records.alone(seq));
    add_marks(lines, marks);
    return lines;
  }
  const Focus focus = focus_of(run);
  for (std::uint32_t seq = 1; seq <= count; seq = lines.back().last + 1) {
    lines.push_back(records.at(seq));
    hide_probe(lines.back(), *run.lanes);
    weigh_by_focus(lines.back(), focus);
  }
  add_marks(lines, marks);
  return fitted(run, lines, options.most);
}

}  // namespace locklab
