// SVG chart: a chart as one static drawing, in whole pixels; no script, nothing from outside.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "reports/chart.h"
#include "reports/markup.h"
#include "reports/time_scale.h"

namespace locklab {

/// Of a chart on the page, and of its rows.
struct SvgLayout {
  static constexpr int kGutter = 136;           // Names of the rows.
  static constexpr int kOrigin = kGutter + 12;  // Where time begins: a sign there finds room.
  static constexpr int kRight = 20;
  static constexpr int kRowHeight = 22;
  static constexpr int kLineHeight = 34;  // Of a row with a polyline.
  static constexpr int kAxisHeight = 20;
  static constexpr int kStepHeight = 22;  // Of a line of step numbers, of which there are at most
  static constexpr std::size_t kStepLines = 3;
  static constexpr int kBandHeight = 18;  // Of the words above the band.

  int lanes = 0;  // Width of what has a time.
  int extra = 0;  // How much wider than kGutter the names are: they begin at -extra.
  int rows_top = 0;
  std::vector<int> tops;  // By row.
  int bottom = 0;
  int width = 0;
  int height = 0;
};

/// The numbers of some steps in one box: one number, or "3–7" where there is no room for each.
struct PlacedStep {
  static constexpr int kHeight = 18;

  std::size_t first = 0;  // Indices in Chart::steps.
  std::size_t last = 0;
  int x = 0;  // From where time begins.
  int width = 0;
  std::size_t line = 0;
  std::string text;
};

/// A rectangle as it is drawn.
struct Box {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
};
Box box_of(const Bar& bar, const TimeScale& scale, int top);

/// How much room the names need beyond SvgLayout::kGutter.
int extra_for_names(const Chart& chart);
TimeScale scale_of(const Chart& chart, Duration longest);
SvgLayout layout_of(const Chart& chart, const TimeScale& scale, std::size_t step_lines);
std::vector<PlacedStep> place_steps(const Chart& chart, const TimeScale& scale);

/// Columns of text at the chart's size take at most this many pixels in the usual fonts.
int text_width(std::string_view text);

/// One row: its bars, line, overlays, signs and labels; labels that find no room are left out,
/// their titles stay.
void draw_row(Markup& out, const ChartRow& row, const TimeScale& scale, int top, int height);

/// Of the drawing, in pixels.
struct ChartSize {
  int width = 0;
  int names = 0;  // Of these the names of the lanes.
};
ChartSize size_of(const Chart& chart, Duration longest);

/// The whole drawing. Gaps longer than `longest` are cut short.
void draw_chart(Markup& out, const Chart& chart, Duration longest, std::string_view title,
                std::string_view description);

}  // namespace locklab
