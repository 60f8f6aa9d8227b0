// SVG row: bars first, what lies over them next, words last and only where they fit.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "reports/svg_chart.h"
#include "reports/svg_look.h"

namespace locklab {
namespace {

constexpr int kBarInset = 3;    // Above and below a bar.
constexpr int kLeastWidth = 3;  // Of a bar that began and ended at once.
constexpr int kSignHalf = 7;
constexpr int kWordsAway = 4;

/// Which pixels of a row have a sign or a word.
class Occupied {
 public:
  bool is_free(int begin, int end) const {
    return std::none_of(taken_.begin(), taken_.end(), [begin, end](const auto& taken) {
      return begin < taken.second && taken.first < end;
    });
  }
  void take(int begin, int end) { taken_.emplace_back(begin, end); }

 private:
  std::vector<std::pair<int, int>> taken_;
};

class RowDrawing {
 public:
  RowDrawing(Markup& out, const ChartRow& row, const TimeScale& scale, int top, int height)
      : out_(out), row_(row), scale_(scale), top_(top), height_(height) {}

  void draw() {
    out_.open("g", {{"aria-label", row_.group + " " + row_.name}});
    draw_bars(false);
    draw_ticks();
    draw_line();
    draw_bars(true);
    draw_signs();
    for (const Bar& bar : row_.bars)
      label_bar(bar);
    for (const Spot& spot : row_.spots)
      label_spot(spot);
    out_.close().newline();
  }

 private:
  int x(Instant at) const { return SvgLayout::kOrigin + scale_.x(at); }
  int middle() const { return top_ + height_ / 2; }

  void draw_bars(bool overlays) {
    bool open = false;
    Fill fill = Fill::count;
    std::uint16_t whose = kNobody;
    for (const Bar& bar : row_.bars) {
      if (is_overlay(bar.fill) != overlays) continue;
      if (!open || bar.fill != fill || bar.whose != whose) {
        if (open) out_.close();
        open_look(out_, bar.fill, bar.whose);
        open = true;
        fill = bar.fill;
        whose = bar.whose;
      }
      draw_bar(bar);
    }
    if (open) out_.close();
  }

  void draw_bar(const Bar& bar) {
    const Box box = box_of(bar, scale_, top_);
    out_.open(
        "rect",
        {{"x", box.x}, {"y", box.y}, {"width", box.width}, {"height", box.height}, {"rx", 2}});
    if (!bar.title.empty()) out_.element("title", bar.title);
    out_.close();
    if (!bar.open || is_overlay(bar.fill)) return;
    // It goes on: an angle behind its end.
    out_.leaf("path", {{"d", fmt::format("M{} {}l5 5l-5 5", box.x + box.width + 3, middle() - 5)},
                       {"fill", "none"}});
  }

  void draw_ticks() {
    if (row_.ticks.empty()) return;
    std::string path;
    int before = -1;
    for (const Instant at : row_.ticks) {
      if (x(at) == before) continue;  // The same pixel.
      before = x(at);
      path += fmt::format("M{} {}v-5", before, top_ + height_ - 1);
    }
    out_.leaf("path", {{"class", "tick"}, {"d", path}, {"stroke", "#6b7480"}});
  }

  void draw_line() {
    if (row_.line.empty()) return;
    std::int64_t low = 0;
    std::int64_t high = 0;
    for (const Vertex& vertex : row_.line) {
      low = std::min(low, vertex.value);
      high = std::max(high, vertex.value);
    }
    const Int128 range = std::max<Int128>(Int128{high} - low, 1);
    const int room = height_ - 2 * kBarInset - 2;
    const auto y = [&](std::int64_t value) {
      return top_ + height_ - kBarInset - 1 -
             static_cast<int>((Int128{value} - low) * room / range);
    };
    std::string path;
    for (const Vertex& vertex : row_.line)
      path += fmt::format("{}{} {}", path.empty() ? "M" : "L", x(vertex.at), y(vertex.value));
    out_.leaf("path", {{"class", "zero"},
                       {"d", fmt::format("M{} {}H{}", SvgLayout::kOrigin, y(0),
                                         SvgLayout::kOrigin + scale_.width())},
                       {"stroke", "#6b7480"},
                       {"stroke-dasharray", "1 3"}});
    out_.leaf("path", {{"class", "line"},
                       {"d", path},
                       {"fill", "none"},
                       {"stroke", "#1b2430"},
                       {"stroke-width", 2}});
  }

  void draw_signs() {
    for (const Spot& spot : row_.spots) {
      if (spot.sign == Sign::note) continue;
      open_look(out_, spot.sign, spot.whose);
      out_.open("use", {{"href", shape_of(spot.sign)}, {"x", x(spot.at)}, {"y", middle()}});
      if (!spot.title.empty()) out_.element("title", spot.title);
      out_.close().close();
      occupied_.take(x(spot.at) - kSignHalf, x(spot.at) + kSignHalf);
    }
  }

  void words(std::string_view text, int at, const std::string& look) {
    out_.element("text", text, {{"class", look}, {"x", at}, {"y", top_ + height_ / 2 + 4}});
    occupied_.take(at - 2, at + text_width(text) + 2);
  }

  void label_bar(const Bar& bar) {
    const Box box = box_of(bar, scale_, top_);
    const int at = box.x + 5;
    for (const std::string* text : {&bar.label, &bar.brief}) {
      if (bar.fill == Fill::fault && text == &bar.brief) break;  // Better the whole beside it.
      const int width = text_width(*text);
      if (text->empty() || width + 8 > box.width || !occupied_.is_free(at, at + width)) continue;
      if (bar.fill != Fill::inside) return words(*text, at, "word");
      // Solid: the letters take the colour of the ground.
      out_.open("g", {{"fill", "#fff"}});
      words(*text, at, "on h" + (bar.whose == kNobody ? "x" : std::to_string(bar.whose % 6)));
      out_.close();
      return;
    }
    // What disturbs the world is always said.
    if (bar.fill != Fill::fault) return;
    const int width = text_width(bar.label);
    const int last = right_edge() - width;
    if (label_beside(box.x, box.x + box.width, bar.label)) return;
    if (last >= SvgLayout::kOrigin && occupied_.is_free(last, last + width)) {
      words(bar.label, last, "word");
    } else {
      label_beside(box.x, box.x + box.width, bar.brief);
    }
  }

  void label_spot(const Spot& spot) {
    const int away = spot.sign == Sign::note ? 0 : kSignHalf - 2;
    const int begin = x(spot.at) - away;
    const int end = x(spot.at) + away;
    if (!label_beside(begin, end, spot.label)) label_beside(begin, end, spot.brief);
  }

  int right_edge() const { return SvgLayout::kOrigin + scale_.width() + SvgLayout::kRight; }

  /// To the right or to the left. false: there is no room.
  bool label_beside(int begin, int end, const std::string& text) {
    if (text.empty()) return true;
    const int width = text_width(text);
    for (const int at : {end + kWordsAway, begin - kWordsAway - width}) {
      const bool inside = at >= SvgLayout::kOrigin && at + width <= right_edge();
      if (!inside || !occupied_.is_free(at, at + width)) continue;
      words(text, at, "word");
      return true;
    }
    return false;
  }

  Markup& out_;
  const ChartRow& row_;
  const TimeScale& scale_;
  int top_;
  int height_;
  Occupied occupied_;
};

}  // namespace

Box box_of(const Bar& bar, const TimeScale& scale, int top) {
  const int begin = scale.x(bar.begin);
  const int end = scale.x(bar.end);
  return {SvgLayout::kOrigin + begin, top + kBarInset, std::max(end - begin, kLeastWidth),
          SvgLayout::kRowHeight - 2 * kBarInset};
}

void draw_row(Markup& out, const ChartRow& row, const TimeScale& scale, int top, int height) {
  RowDrawing(out, row, scale, top, height).draw();
}

}  // namespace locklab
