// Chart: all rows, what flies between them, where it is wrong, and how much of it is drawn.
// SPDX-License-Identifier: Apache-2.0
#include "reports/chart.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "reports/chart_rows.h"
#include "reports/marks.h"
#include "reports/requests.h"
#include "reports/words.h"

namespace locklab {
namespace {

std::vector<ChartRow> rows_of(const RunView& run) {
  std::vector<ChartRow> rows;
  for (const auto sort : {fault_rows, client_rows, probe_rows, owner_rows, node_rows, lag_rows,
                          clock_rows, resource_rows}) {
    std::vector<ChartRow> some = sort(run);
    std::move(some.begin(), some.end(), std::back_inserter(rows));
  }
  return rows;
}

std::optional<std::size_t> row_named(const std::vector<ChartRow>& rows, std::string_view group,
                                     std::string_view name) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].group == group && rows[i].name == name) return i;
  }
  return std::nullopt;
}

/// Where a request was decided.
std::optional<std::size_t> target_row(const RunView& run, const std::vector<ChartRow>& rows,
                                      const Record& decided) {
  if (decided.kind == EventKind::resource_op) {
    const std::int64_t object = decided.arg >> 8 & 0xff;
    const std::string number = run.scenario->world.objects == 1 ? "" : fmt::format(" {}", object);
    const bool append = static_cast<ResourceOp>(decided.arg & 0xff) == ResourceOp::append;
    return row_named(rows, "resource", (append ? "appends" : "reads") + number);
  }
  if (decided.kind != EventKind::applied) return std::nullopt;
  const std::string node = actor_name(*run.history, decided.who());
  const std::optional<std::size_t> owner = row_named(rows, "owner", node);
  return owner ? owner : row_named(rows, "servers", node);
}

/// Requests that took more than two round trips, as the story calls them late.
std::vector<Flight> flights_of(const RunView& run, const std::vector<ChartRow>& rows) {
  const Requests requests(*run.history);
  std::vector<Flight> flights;
  for (const Record& record : run.history->records()) {
    if (record.cause == 0) continue;
    const Record& sent = run.history->at(record.cause);
    const bool late =
        sent.kind == EventKind::sent && record.at() - sent.at() > run.history->facts.round_trip * 2;
    if (!late) continue;
    const std::string sender = actor_name(*run.history, sent.who());
    const std::optional<std::size_t> from = row_named(rows, sender, "claims");
    const std::optional<std::size_t> to = target_row(run, rows, record);
    if (!from || !to) continue;
    const bool again = requests.arrival(sent.seq) != record.seq;
    flights.push_back(
        {*from, *to, sent.at(), record.at(),
         fmt::format("{} of {} is under way {}", again ? "the duplicate of a request" : "a request",
                     sender, span_text(sent.at(), record.at(), false))});
  }
  return flights;
}

std::optional<Band> band_of(const RunView& run) {
  const NamedFinding* const headline = headline_of(run);
  if (headline == nullptr || headline->finding.witness.empty()) return std::nullopt;
  Band band{Instant::never(), {}, std::string(headline->property->name)};
  for (const std::uint32_t seq : headline->finding.witness) {
    band.begin = std::min(band.begin, run.history->at(seq).at());
    band.end = std::max(band.end, run.history->at(seq).at());
  }
  return band;
}

std::vector<Step> steps_of(const std::vector<Line>& lines) {
  std::vector<Step> steps;
  for (const Line& line : lines) {
    if (line.folded > 0) continue;
    steps.push_back({line.at, steps.size() + 1, line.text, line.fault, !line.marks.empty()});
  }
  return steps;
}

// --- How much is drawn --------------------------------------------------------------------------

/// When each thing begins, sorted.
std::vector<Instant> begins_of(const Chart& chart) {
  std::vector<Instant> begins;
  for (const ChartRow& row : chart.rows) {
    for (const Bar& bar : row.bars)
      begins.push_back(bar.begin);
    for (const Spot& spot : row.spots)
      begins.push_back(spot.at);
    for (const Vertex& vertex : row.line)
      begins.push_back(vertex.at);
    begins.insert(begins.end(), row.ticks.begin(), row.ticks.end());
  }
  for (const Flight& flight : chart.flights)
    begins.push_back(flight.sent);
  std::sort(begins.begin(), begins.end());
  return begins;
}

/// Drops what lies outside and cuts bars to what is left.
void clip(Chart& chart) {
  const auto outside = [&chart](Instant begin, Instant end) {
    return end < chart.begin || begin > chart.end;
  };
  for (ChartRow& row : chart.rows) {
    std::erase_if(row.bars, [&](const Bar& bar) { return outside(bar.begin, bar.end); });
    std::erase_if(row.spots, [&](const Spot& spot) { return outside(spot.at, spot.at); });
    std::erase_if(row.ticks, [&](Instant at) { return outside(at, at); });
    std::erase_if(row.line, [&](const Vertex& vertex) { return outside(vertex.at, vertex.at); });
    for (Bar& bar : row.bars) {
      bar.open = bar.open || bar.end > chart.end;
      bar.begin = std::max(bar.begin, chart.begin);
      bar.end = std::min(bar.end, chart.end);
    }
  }
  std::erase_if(chart.flights,
                [&](const Flight& flight) { return outside(flight.sent, flight.arrived); });
  std::erase_if(chart.steps, [&](const Step& step) { return outside(step.at, step.at); });
}

/// The window of time in which at most `most` things begin.
void choose_window(Chart& chart, std::size_t most) {
  const std::vector<Instant> begins = begins_of(chart);
  chart.drawn = begins.size();
  if (begins.size() <= most) return;
  std::size_t last = most - 1;
  if (chart.band) {
    const auto after = std::upper_bound(begins.begin(), begins.end(), chart.band->end);
    last = std::max(last, static_cast<std::size_t>(after - begins.begin()) - 1);
  }
  // Whole instants only: what happened at the same time is not told apart.
  std::size_t first = last + 1 - most;
  while (first > 0 && first < last && begins[first - 1] == begins[first])
    ++first;
  while (last > first && last + 1 < begins.size() && begins[last + 1] == begins[last])
    --last;
  if (first > 0) chart.begin = begins[first];
  chart.end = begins[last];
  chart.drawn = last + 1 - first;
  chart.left_out = begins.size() - chart.drawn;
  clip(chart);
}

}  // namespace

Chart chart_of(const RunView& run, const std::vector<Line>& lines, std::size_t most) {
  Chart chart;
  chart.rows = rows_of(run);
  chart.flights = flights_of(run, chart.rows);
  chart.band = band_of(run);
  chart.steps = steps_of(lines);
  chart.end = end_of(run);
  choose_window(chart, most);
  return chart;
}

}  // namespace locklab
