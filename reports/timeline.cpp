// Timeline: columns are laid out first, then each line becomes a row, and a second for its notes.
// SPDX-License-Identifier: Apache-2.0
//
// Words run on over free columns. What still does not fit loses its middle, and the whole line is
// told in a note below: nothing that a reader needs is only cut.
#include "reports/timeline.h"

#include <algorithm>

#include <fmt/format.h>

#include "reports/beliefs.h"
#include "reports/canvas.h"
#include "reports/text.h"
#include "reports/words.h"

namespace locklab {
namespace {

constexpr std::size_t kNarrowest = 10;  // "client-1", "= c1.1.1": a name or a nonce, and a blank.
constexpr std::size_t kWidest = 20;
constexpr std::size_t kBar = 3;  // Two signs and a blank.

struct Column {
  ActorId actor;
  bool client = false;
  unsigned uses = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t text() const { return begin + (client ? kBar : 0); }
};

unsigned place_of(ActorKind kind) {
  switch (kind) {
    case ActorKind::process:
      return 0;
    case ActorKind::node:
      return 1;
    case ActorKind::counter:
      return 2;
    case ActorKind::resource:
      return 3;
    case ActorKind::orchestrator:
    case ActorKind::world:
      break;
  }
  return 4;
}

/// A name loses its middle: that of "compare-and-delete" and "compare-and-expire" says the least.
std::string shortened(const std::string& text, std::size_t columns) {
  std::vector<std::string_view> glyphs;
  for (std::string_view rest = text; !rest.empty(); rest.remove_prefix(glyphs.back().size()))
    glyphs.push_back(rest.substr(0, first_glyph(rest).length));
  if (glyphs.size() <= columns || columns < 3) return text;
  const std::size_t tail = (columns - 1) / 2;
  std::string out;
  for (std::size_t i = 0; i < columns - 1 - tail; ++i)
    out += glyphs[i];
  out += "…";
  for (std::size_t i = glyphs.size() - tail; i < glyphs.size(); ++i)
    out += glyphs[i];
  return out;
}

class Drawing {
 public:
  Drawing(const RunView& run, const LineOptions& options, const Paper& paper)
      : run_(run), paper_(paper), beliefs_(run), lines_(lines_of(run, options)) {
    lay_out();
  }

  std::string text() {
    std::string out = heading();
    for (const Line& line : lines_)
      out += row(line);
    return out + legend() + left_out();
  }

 private:
  void count_use(ActorId actor) {
    if (actor == kWorldActor || actor.value >= run_.history->actors.size()) return;
    const auto known = std::find_if(columns_.begin(), columns_.end(),
                                    [actor](const Column& c) { return c.actor == actor; });
    if (known != columns_.end()) {
      ++known->uses;
      return;
    }
    const ActorKind kind = run_.history->actors[actor.value].kind;
    columns_.push_back({actor, kind == ActorKind::process, 1, 0, 0});
  }

  void lay_out() {
    std::size_t widest = 8;
    for (const Line& line : lines_) {
      widest = std::max(widest, milliseconds_of(line.at).size());
      if (line.folded > 0) continue;
      count_use(line.actor);
      count_use(line.peer);
    }
    time_ = widest + 2;
    const std::size_t room = paper_.width > time_ ? paper_.width - time_ : 0;
    while (columns_.size() > 1 && columns_.size() * kNarrowest + bars() > room)
      drop_least();
    std::sort(columns_.begin(), columns_.end(), [this](const Column& a, const Column& b) {
      const unsigned place_a = place_of(run_.history->actors[a.actor.value].kind);
      const unsigned place_b = place_of(run_.history->actors[b.actor.value].kind);
      return place_a != place_b ? place_a < place_b : a.actor < b.actor;
    });
    if (columns_.empty()) return;
    const std::size_t for_bars = bars();
    const std::size_t shared = room > for_bars ? room - for_bars : 0;
    const std::size_t width = std::min(kWidest, shared / columns_.size());
    std::size_t begin = time_;
    for (Column& column : columns_) {
      column.begin = begin;
      begin += width + (column.client ? kBar : 0);
      column.end = begin;
    }
    columns_.back().end = paper_.width;
  }

  std::size_t bars() const {
    return kBar * static_cast<std::size_t>(std::count_if(columns_.begin(), columns_.end(),
                                                         [](const Column& c) { return c.client; }));
  }

  /// The actor with the fewest lines; of equals the last.
  void drop_least() {
    auto least = columns_.begin();
    for (auto column = columns_.begin(); column != columns_.end(); ++column) {
      if (column->uses <= least->uses) least = column;
    }
    dropped_.push_back(least->actor);
    columns_.erase(least);
  }

  const Column* column_of(ActorId actor) const {
    for (const Column& column : columns_) {
      if (column.actor == actor && actor != kWorldActor) return &column;
    }
    return nullptr;
  }

  /// Where texts that belong to no column begin: behind the clients' bars.
  std::size_t open_space() const {
    for (const Column& column : columns_) {
      if (!column.client) return column.begin;
    }
    return columns_.empty() ? time_ : columns_.back().text();
  }

  std::string heading() const {
    CanvasRow row(paper_.width);
    row.put(0, right_aligned("ms", time_ - 2), Ink::dim);
    for (const Column& column : columns_) {
      row.put(column.text(), paper_.say(actor_name(*run_.history, column.actor)), Ink::bold,
              column.end - 1);
    }
    return row.text(paper_);
  }

  void draw_bars(CanvasRow& row, std::uint32_t seq) {
    for (const Column& column : columns_) {
      if (!column.client) continue;
      const Belief belief = beliefs_.of(column.actor, seq);
      if (belief.claims) row.put(column.begin, paper_.say("┃"), Ink::cyan);
      if (belief.inside || belief.stopped) {
        const char* sign = !belief.stopped ? "█" : belief.inside ? "▒" : "░";
        row.put(column.begin + 1, paper_.say(sign), belief.stopped ? Ink::yellow : Ink::green);
      }
      claims_ = claims_ || belief.claims;
      inside_ = inside_ || (belief.inside && !belief.stopped);
      inside_stopped_ = inside_stopped_ || (belief.inside && belief.stopped);
      stopped_ = stopped_ || (!belief.inside && belief.stopped);
    }
  }

  /// How far words that may end at `end` can run on, with a blank left behind them.
  std::size_t reach(const CanvasRow& row, std::size_t end, std::size_t most) const {
    while (end < most && row.is_free(end, std::min(end + 2, paper_.width)))
      ++end;
    return end;
  }

  /// false: not all of it had room.
  static bool put_words(CanvasRow& row, std::size_t begin, std::size_t end,
                        const std::string& words, Ink ink) {
    const std::size_t room = end > begin ? end - begin : 0;
    row.put(begin, shortened(words, room), ink, end);
    return columns_of(words) <= room;
  }

  bool draw_cell(CanvasRow& row, const Column& column, const Line& line) const {
    const bool alarming = line.bad || !line.marks.empty();
    const Ink ink = alarming ? Ink::red : line.fault ? Ink::yellow : Ink::plain;
    return put_words(row, column.text(), reach(row, column.end - 1, paper_.width),
                     paper_.say((line.fault ? "✗ " : "") + line.cell), ink);
  }

  /// From the sender's words to the server's cell; bars on the way stay. Words may run on to the
  /// arrow's head. false: they are not whole.
  bool draw_arrow(CanvasRow& row, const Column& from, const Column& to, const Line& line) const {
    const std::size_t head = to.begin - 2;
    const std::size_t end = reach(row, std::min(from.end - 1, head), head);
    const std::string words = paper_.say(line.peer_cell);
    const bool whole = put_words(row, from.text(), end, words, Ink::plain);
    for (std::size_t i = std::min(from.text() + columns_of(words), end) + 1; i < head; ++i) {
      if (row.is_free(i, i + 1)) row.put(i, paper_.say("─"), Ink::dim);
    }
    row.put(head, paper_.say("▶"), Ink::dim);
    return whole;
  }

  struct Note {
    std::string text;
    Ink ink;
  };

  std::vector<Note> notes_of(const Line& line, bool whole) const {
    std::vector<Note> notes;
    const auto add = [this, &notes](const std::string& text, Ink ink) {
      for (const std::string& part : wrapped(paper_.say(text), paper_.width - time_ - kBar - 2)) {
        notes.push_back({part, ink});
      }
    };
    if (line.fault) {
      add(line.text + "  ← fault", Ink::yellow);
    } else if (!whole) {
      add(line.text, Ink::plain);
    }
    if (!line.marks.empty()) add(joined_marks(line), Ink::red);
    return notes;
  }

  std::string row(const Line& line) {
    CanvasRow row(paper_.width);
    draw_bars(row, line.last);
    if (line.folded > 0) {
      const std::string text = paper_.say(line.text);
      const std::size_t columns = columns_of(text);
      const std::size_t space = open_space();
      const bool fits = space + columns <= paper_.width || columns + 1 > paper_.width;
      const std::size_t begin = fits ? space : paper_.width - columns;
      if (row.is_free(begin - 1, paper_.width)) {
        row.put(begin, text, Ink::dim);
      } else {
        row.put(space, text.substr(0, text.find(':')), Ink::dim);
      }
      return row.text(paper_);
    }
    row.put(0, right_aligned(milliseconds_of(line.at), time_ - 2), Ink::dim);
    const Column* const column = column_of(line.actor);
    const Column* const peer = column_of(line.peer);
    bool whole = column != nullptr && draw_cell(row, *column, line);
    if (column != nullptr && peer != nullptr && peer->begin < column->begin) {
      whole = draw_arrow(row, *peer, *column, line) && whole;
    } else if (line.peer != kWorldActor) {
      whole = false;  // Who asked, and for what, is not to be seen.
    }
    return with_notes(std::move(row), line, whole);
  }

  /// Notes stand at the right edge: in the row itself while there is room, then in rows below.
  std::string with_notes(CanvasRow row, const Line& line, bool whole) {
    std::string out;
    for (const Note& note : notes_of(line, whole)) {
      const std::size_t begin = paper_.width - columns_of(note.text);
      if (begin < 2 || !row.is_free(begin - 2, paper_.width)) {
        out += row.text(paper_);
        row = CanvasRow(paper_.width);
        draw_bars(row, line.last);
      }
      row.put(begin, note.text, note.ink);
    }
    return out + row.text(paper_);
  }

  std::string legend() const {
    std::string text;
    const auto add = [&text](bool used, std::string_view words) {
      if (!used) return;
      text += (text.empty() ? "" : "   ") + std::string(words);
    };
    add(claims_, "┃ claims the lock");
    add(inside_, "█ inside");
    add(inside_stopped_, "▒ inside, but stopped");
    add(stopped_, "░ stopped");
    if (text.empty()) return {};
    return paper_.paragraph(std::string(time_, ' '), text, time_, Ink::dim);
  }

  std::string left_out() const {
    if (dropped_.empty()) return {};
    std::string names;
    for (const ActorId actor : dropped_) {
      names += (names.empty() ? "" : ", ") + actor_name(*run_.history, actor);
    }
    return paper_.paragraph(std::string(time_, ' '), "too narrow to draw: " + names, time_,
                            Ink::dim);
  }

  const RunView& run_;
  const Paper& paper_;
  Beliefs beliefs_;
  std::vector<Line> lines_;
  std::vector<Column> columns_;
  std::vector<ActorId> dropped_;
  std::size_t time_ = 0;
  bool claims_ = false;
  bool inside_ = false;
  bool inside_stopped_ = false;
  bool stopped_ = false;
};

}  // namespace

std::string timeline(const RunView& run, const LineOptions& options, const Paper& paper) {
  return Drawing(run, options, paper).text();
}

}  // namespace locklab
