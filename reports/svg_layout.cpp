// SVG layout: how wide the lanes are, where each row stands, and which steps find room.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <climits>

#include "reports/svg_chart.h"
#include "reports/text.h"

namespace locklab {
namespace {

constexpr int kLeastLanes = 1046;  // With names and margins a page of 1280 pixels.
constexpr int kMostLanes = 2400;
constexpr int kPerInstant = 13;
constexpr int kStepsApart = 3;
constexpr int kMostExtra = 100;  // A phone has 390 pixels, and the names stay in sight.

void add_instants(std::vector<Instant>& out, const ChartRow& row) {
  for (const Bar& bar : row.bars) {
    out.push_back(bar.begin);
    out.push_back(bar.end);
  }
  for (const Spot& spot : row.spots)
    out.push_back(spot.at);
  for (const Vertex& vertex : row.line)
    out.push_back(vertex.at);
}

std::vector<Instant> instants_of(const Chart& chart) {
  std::vector<Instant> instants = {chart.begin, chart.end};
  for (const ChartRow& row : chart.rows)
    add_instants(instants, row);
  for (const Flight& flight : chart.flights) {
    instants.push_back(flight.sent);
    instants.push_back(flight.arrived);
  }
  for (const Step& step : chart.steps)
    instants.push_back(step.at);
  if (chart.band) {
    instants.push_back(chart.band->begin);
    instants.push_back(chart.band->end);
  }
  std::erase_if(instants, [&chart](Instant at) { return at < chart.begin || at > chart.end; });
  std::sort(instants.begin(), instants.end());
  instants.erase(std::unique(instants.begin(), instants.end()), instants.end());
  return instants;
}

}  // namespace

int text_width(std::string_view text) {
  return static_cast<int>(columns_of(escaped(text))) * 13 / 2 + 2;
}

int extra_for_names(const Chart& chart) {
  int most = 0;
  for (const ChartRow& row : chart.rows) {
    // Groups are bold, which is wider.
    const int group = static_cast<int>(columns_of(escaped(row.group))) * 15 / 2;
    most = std::max(most, group + text_width(row.name) + 24 - SvgLayout::kGutter);
  }
  return std::min(most, kMostExtra);
}

TimeScale scale_of(const Chart& chart, Duration longest) {
  std::vector<Instant> instants = instants_of(chart);
  const int wanted = static_cast<int>(std::min<std::size_t>(instants.size(), 1000)) * kPerInstant;
  const int least = kLeastLanes - extra_for_names(chart);
  return {std::move(instants), longest, std::clamp(wanted, least, kMostLanes)};
}

SvgLayout layout_of(const Chart& chart, const TimeScale& scale, std::size_t step_lines) {
  SvgLayout layout;
  layout.lanes = scale.width();
  layout.extra = extra_for_names(chart);
  layout.width = SvgLayout::kOrigin + layout.lanes + SvgLayout::kRight;
  layout.rows_top = SvgLayout::kAxisHeight + static_cast<int>(step_lines) * SvgLayout::kStepHeight +
                    (chart.band ? SvgLayout::kBandHeight : 4);
  int y = layout.rows_top;
  for (const ChartRow& row : chart.rows) {
    layout.tops.push_back(y);
    y += row.line.empty() ? SvgLayout::kRowHeight : SvgLayout::kLineHeight;
  }
  layout.bottom = y;
  layout.height = y + SvgLayout::kAxisHeight + 2;
  return layout;
}

std::vector<PlacedStep> place_steps(const Chart& chart, const TimeScale& scale) {
  std::vector<PlacedStep> placed;
  std::array<int, SvgLayout::kStepLines> ends = {};
  ends.fill(INT_MIN / 2);
  for (std::size_t i = 0; i < chart.steps.size(); ++i) {
    const int begin = scale.x(chart.steps[i].at) - PlacedStep::kHeight / 2;
    const auto* const line = std::find_if(ends.begin(), ends.end(),
                                          [begin](int end) { return begin - end >= kStepsApart; });
    if (line != ends.end()) {
      placed.push_back({i, i, begin, 0, static_cast<std::size_t>(line - ends.begin()), {}});
    }
    PlacedStep& box = placed.back();
    box.last = i;
    box.text = std::to_string(chart.steps[box.first].number);
    if (box.first != i) box.text += "–" + std::to_string(chart.steps[i].number);
    box.width = std::max(PlacedStep::kHeight, text_width(box.text) + 4);
    const int most = scale.width() + SvgLayout::kRight - 2;
    box.x = std::min(box.x, most - box.width);
    ends[box.line] = box.x + box.width;
  }
  return placed;
}

}  // namespace locklab
