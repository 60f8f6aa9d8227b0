// SVG chart: the frame around the rows: axis, steps, band, flights and names.
// SPDX-License-Identifier: Apache-2.0
#include "reports/svg_chart.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "reports/svg_look.h"
#include "reports/text.h"
#include "reports/words.h"

namespace locklab {
namespace {

constexpr int kTickApart = 50;  // "12345.5" and a gap.
constexpr std::string_view kGrey = "#6b7480";
constexpr std::string_view kRed = "#b3151f";
constexpr std::string_view kAmber = "#8a5a00";

class Frame {
 public:
  Frame(Markup& out, const Chart& chart, Duration longest)
      : out_(out),
        chart_(chart),
        scale_(scale_of(chart, longest)),
        steps_(place_steps(chart, scale_)),
        layout_(layout_of(chart, scale_, step_lines())) {}

  void draw(std::string_view title, std::string_view description) {
    out_.open("svg", {{"class", "chart"},
                      {"viewBox", fmt::format("{} 0 {} {}", left(), size().width, layout_.height)},
                      {"width", size().width},
                      {"height", layout_.height},
                      {"role", "group"},
                      {"aria-labelledby", "chart-title chart-text"},
                      {"font-family", "system-ui, sans-serif"},
                      {"font-size", 11},
                      {"fill", "#1b2430"}});
    out_.element("title", title, {{"id", "chart-title"}});
    out_.element("desc", description, {{"id", "chart-text"}}).newline();
    define_looks(out_);
    draw_grid();
    draw_band();
    draw_step_lines();
    for (std::size_t i = 0; i < chart_.rows.size(); ++i) {
      draw_row(out_, chart_.rows[i], scale_, layout_.tops[i], height_of(i));
    }
    draw_flights();
    for (const PlacedStep& placed : steps_)
      draw_step(placed);
    out_.newline();
    draw_names();
    out_.close().newline();
    // The names again, for a narrow window: they stay while the lanes scroll. Needs a style sheet.
    out_.open("svg", {{"class", "pin"},
                      {"width", 0},
                      {"height", layout_.height},
                      {"aria-hidden", "true"},
                      {"font-family", "system-ui, sans-serif"},
                      {"font-size", 11}})
        .leaf("use", {{"href", "#names"}, {"x", layout_.extra}})
        .close()
        .newline();
  }

  ChartSize size() const {
    return {layout_.width + layout_.extra, SvgLayout::kGutter - 4 + layout_.extra};
  }

 private:
  int left() const { return -layout_.extra; }
  std::size_t step_lines() const {
    std::size_t lines = 0;
    for (const PlacedStep& step : steps_)
      lines = std::max(lines, step.line + 1);
    return lines;
  }
  int x(Instant at) const { return SvgLayout::kOrigin + scale_.x(at); }
  int height_of(std::size_t row) const {
    const int next = row + 1 < layout_.tops.size() ? layout_.tops[row + 1] : layout_.bottom;
    return next - layout_.tops[row];
  }

  void draw_grid() {
    const std::vector<Instant> ticks = scale_.ticks(kTickApart);
    std::string lines;
    for (const Instant at : ticks)
      lines += fmt::format("M{} {}V{}", x(at), SvgLayout::kAxisHeight - 4, layout_.bottom + 4);
    out_.leaf("path", {{"class", "grid"}, {"d", lines}, {"stroke", "#d8dde3"}});
    out_.open("g", {{"class", "dim"}, {"fill", "#57606a"}, {"text-anchor", "middle"}});
    for (const int y : {SvgLayout::kAxisHeight - 8, layout_.bottom + 16}) {
      for (const Instant at : ticks)
        out_.element("text", whole(at), {{"x", x(at)}, {"y", y}});
    }
    out_.close();
    draw_breaks();
  }

  /// Ticks are round: no decimals unless they say something.
  static std::string whole(Instant at) {
    std::string text = milliseconds_of(at);
    if (text.ends_with(".000")) text.resize(text.size() - 4);
    return text;
  }

  void draw_breaks() {
    if (scale_.breaks().empty()) return;
    std::string strips;
    std::string slashes;
    for (const TimeScale::Break& gap : scale_.breaks()) {
      const int middle = (x(gap.begin) + x(gap.end)) / 2;
      strips += fmt::format("M{} {}V{}", middle, layout_.rows_top, layout_.bottom);
      for (const int y : {SvgLayout::kAxisHeight - 2, layout_.bottom + 10})
        slashes += fmt::format("M{} {}l4-10M{} {}l4-10", middle - 5, y, middle + 1, y);
    }
    out_.leaf(
        "path",
        {{"class", "gap"}, {"d", strips}, {"stroke", "#d8dde3"}, {"stroke-dasharray", "2 5"}});
    out_.leaf("path", {{"class", "slash"}, {"d", slashes}, {"stroke", kGrey}, {"stroke-width", 2}});
  }

  void draw_band() {
    if (!chart_.band) return;
    const Band& band = *chart_.band;
    const int begin = x(band.begin);
    const int width = std::max(x(band.end) - begin, 4);
    const int top = layout_.rows_top - SvgLayout::kBandHeight;
    out_.open("g", {{"class", "band"}, {"fill", kRed}});
    out_.open("rect", {{"id", "band"},
                       {"x", begin},
                       {"y", top},
                       {"width", width},
                       {"height", layout_.bottom - top},
                       {"fill-opacity", ".09"},
                       {"stroke", kRed},
                       {"stroke-dasharray", "4 3"}})
        .element("title",
                 fmt::format("{} is violated: its witness lies between {} and {} ms", band.property,
                             milliseconds_of(band.begin), milliseconds_of(band.end)))
        .close();
    const int length = text_width(band.property) + 22;
    // Inside the band, or to its left where it would leave the page.
    const bool fits = begin + length <= layout_.width;
    const int at = fits ? begin + 4 : std::max(begin + width - length, SvgLayout::kGutter);
    out_.leaf("path", {{"class", "cross"},
                       {"d", fmt::format("M{0} {1}l8 8m0-8l-8 8", at + 2, top + 5)},
                       {"stroke", kRed},
                       {"stroke-width", 2}});
    out_.element("text", band.property, {{"x", at + 15}, {"y", top + 13}, {"font-weight", 600}});
    out_.close();
  }

  /// From a fault or a violation down through all lanes.
  void draw_step_lines() {
    std::string path;
    for (const Step& step : chart_.steps) {
      if (!step.fault && !step.marked) continue;
      path += fmt::format("M{} {}V{}", x(step.at), layout_.rows_top - SvgLayout::kBandHeight,
                          layout_.bottom);
    }
    if (path.empty()) return;
    out_.leaf("path",
              {{"class", "plumb"}, {"d", path}, {"stroke", kGrey}, {"stroke-dasharray", "1 3"}});
  }

  /// What a box stands for: square where a fault is among it, red where a violation shows.
  void draw_step(const PlacedStep& placed) {
    bool fault = false;
    bool marked = false;
    std::string title;
    for (std::size_t i = placed.first; i <= placed.last; ++i) {
      const Step& step = chart_.steps[i];
      fault = fault || step.fault;
      marked = marked || step.marked;
      title += fmt::format("{}{}: {} ms: {}", title.empty() ? "" : "; ", step.number,
                           milliseconds_of(step.at), step.title);
    }
    const int y = SvgLayout::kAxisHeight + static_cast<int>(placed.line) * SvgLayout::kStepHeight;
    out_.open("a", {{"class", marked  ? "step bad"
                              : fault ? "step struck"
                                      : "step"},
                    {"href", fmt::format("#s{}", chart_.steps[placed.first].number)},
                    {"aria-label", "step " + title}});
    out_.element("title", title);
    out_.leaf("rect", {{"x", SvgLayout::kOrigin + placed.x},
                       {"y", y + 2},
                       {"width", placed.width},
                       {"height", PlacedStep::kHeight},
                       {"rx", fault ? 0 : PlacedStep::kHeight / 2},
                       {"fill", "#fff"},
                       {"stroke", marked  ? kRed
                                  : fault ? kAmber
                                          : kGrey},
                       {"stroke-width", marked  ? 3
                                        : fault ? 2
                                                : 1}});
    out_.element("text", placed.text,
                 {{"x", SvgLayout::kOrigin + placed.x + placed.width / 2},
                  {"y", y + 15},
                  {"text-anchor", "middle"}});
    out_.close();
  }

  void draw_flights() {
    if (chart_.flights.empty()) return;
    out_.open("g", {{"class", "flight"},
                    {"fill", "none"},
                    {"stroke", "#1b2430"},
                    {"stroke-dasharray", "5 3"}});
    for (const Flight& flight : chart_.flights) {
      out_.open("path",
                {{"d", fmt::format("M{} {}L{} {}", x(flight.sent),
                                   layout_.tops[flight.from] + SvgLayout::kRowHeight - 4,
                                   x(flight.arrived),
                                   layout_.tops[flight.to] + SvgLayout::kRowHeight / 2 - 8)},
                 {"marker-end", "url(#arrow)"}})
          .element("title", flight.title)
          .close();
    }
    out_.close().newline();
  }

  void draw_names() {
    out_.open("g", {{"id", "names"}, {"class", "names"}, {"fill", "#1b2430"}});
    out_.leaf("rect", {{"class", "ground"},
                       {"x", left()},
                       {"width", size().names},
                       {"height", layout_.height},
                       {"fill", "#fff"}});
    std::string rules;
    std::string_view group;
    out_.element("text", "ms",
                 {{"x", SvgLayout::kGutter - 12},
                  {"y", SvgLayout::kAxisHeight - 8},
                  {"text-anchor", "end"},
                  {"class", "dim"}});
    if (!steps_.empty()) {
      out_.element("text", "story",
                   {{"x", left() + 4}, {"y", SvgLayout::kAxisHeight + 15}, {"font-weight", 600}});
    }
    for (std::size_t i = 0; i < chart_.rows.size(); ++i) {
      const ChartRow& row = chart_.rows[i];
      const int y = layout_.tops[i] + height_of(i) / 2 + 4;
      const int room = SvgLayout::kGutter + layout_.extra - 20 - text_width(row.name);
      out_.open("g").element("title", row.title);
      if (row.group != group) {
        rules += fmt::format("M{} {}H{}", left(), layout_.tops[i], layout_.width);
        out_.element("text", cut(escaped(row.group), static_cast<std::size_t>(room * 2 / 13), "…"),
                     {{"x", left() + 4}, {"y", y}, {"font-weight", 600}});
      }
      group = row.group;
      out_.element("text", row.name,
                   {{"x", SvgLayout::kGutter - 12}, {"y", y}, {"text-anchor", "end"}});
      out_.close();
    }
    rules += fmt::format("M{} {}H{}", left(), layout_.bottom, layout_.width);
    out_.close();
    out_.leaf("path", {{"class", "rule"}, {"d", rules}, {"stroke", "#b7bfc8"}});
  }

  Markup& out_;
  const Chart& chart_;
  TimeScale scale_;
  std::vector<PlacedStep> steps_;
  SvgLayout layout_;
};

}  // namespace

void draw_chart(Markup& out, const Chart& chart, Duration longest, std::string_view title,
                std::string_view description) {
  Frame(out, chart, longest).draw(title, description);
}

ChartSize size_of(const Chart& chart, Duration longest) {
  Markup nowhere;
  return Frame(nowhere, chart, longest).size();
}

}  // namespace locklab
