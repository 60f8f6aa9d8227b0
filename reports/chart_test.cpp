// Tests of the chart: lanes become bars, records become signs, bars become rectangles.
// SPDX-License-Identifier: Apache-2.0
#include "reports/chart.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "properties/history_testing.h"
#include "reports/beliefs.h"
#include "reports/chart_rows.h"
#include "reports/report_testing.h"
#include "reports/svg_chart.h"

namespace locklab {
namespace {

using testing::HistoryBuilder;
using testing::kClient1;
using testing::kClient2;
using testing::kRedis1;
using testing::kRedis2;
using testing_reports::embedded;
using testing_reports::Judged;

/// A run that somebody wrote down.
struct Written {
  explicit Written(const HistoryBuilder& builder) : history(builder.history()) {
    lanes.read(history);
    view.scenario = &scenario;
    view.history = &history;
    view.lanes = &lanes;
  }
  Chart chart() const { return chart_of(view, {}, 2000); }

  Scenario scenario;
  History history;
  Lanes lanes;
  RunView view;
};

const ChartRow& row_of(const Chart& chart, std::string_view group, std::string_view name) {
  const auto row = std::find_if(chart.rows.begin(), chart.rows.end(), [&](const ChartRow& r) {
    return r.group == group && r.name == name;
  });
  if (row == chart.rows.end()) throw std::runtime_error("no row " + std::string(name));
  return *row;
}

std::vector<Bar> bars_of(const ChartRow& row, Fill fill) {
  std::vector<Bar> bars;
  std::copy_if(row.bars.begin(), row.bars.end(), std::back_inserter(bars),
               [fill](const Bar& bar) { return bar.fill == fill; });
  return bars;
}

Instant at(std::int64_t ms) {
  return Instant::origin() + milliseconds(ms);
}

void expect_bar(const Bar& bar, std::int64_t begin, std::int64_t end) {
  EXPECT_EQ(bar.begin, at(begin)) << bar.title;
  EXPECT_EQ(bar.end, at(end)) << bar.title;
}

/// client-1 holds from 10 to 40 and is inside until 60; client-2 holds from 50 on.
HistoryBuilder overlap() {
  HistoryBuilder h;
  h.at(10_ms);
  const HoldId first = h.grant(kClient1, {.fence = 1});
  h.enter(first);
  h.at(40_ms).claim_end(first);
  h.at(50_ms);
  const HoldId second = h.grant(kClient2, {.fence = 2});
  h.enter(second);
  h.at(60_ms).leave(first);
  h.at(90_ms).refused(h.begin(kClient1));
  return h;
}

TEST(Chart, InsideAndClaimsAreTheIntervalsOfTheLanes) {
  const Written run(overlap());
  const Chart chart = run.chart();

  const ChartRow& inside = row_of(chart, "client-1", "inside");
  const ChartRow& claims = row_of(chart, "client-1", "claims");
  ASSERT_EQ(bars_of(inside, Fill::inside).size(), 1U);
  ASSERT_EQ(bars_of(claims, Fill::claims).size(), 1U);
  expect_bar(bars_of(inside, Fill::inside)[0], 10, 60);
  expect_bar(bars_of(claims, Fill::claims)[0], 10, 40);
  EXPECT_EQ(bars_of(inside, Fill::inside)[0].label, "fence 1");
  EXPECT_EQ(claims.ticks, std::vector<Instant>{at(90)});
  // What never ends ends with the run and says that it goes on.
  const Bar open = bars_of(row_of(chart, "client-2", "inside"), Fill::inside)[0];
  expect_bar(open, 50, 90);
  EXPECT_TRUE(open.open);
}

TEST(Chart, TwoAtOnceAreMarkedOnBothAndOnlyWhereTheyAre) {
  const Written run(overlap());
  const Chart chart = run.chart();

  for (const char* const client : {"client-1", "client-2"}) {
    const std::vector<Bar> clashes = bars_of(row_of(chart, client, "inside"), Fill::clash);
    ASSERT_EQ(clashes.size(), 1U);
    expect_bar(clashes[0], 50, 60);
    EXPECT_TRUE(bars_of(row_of(chart, client, "claims"), Fill::clash).empty());
  }
}

TEST(Chart, APauseLiesOverTheClaimAndADeathReachesToTheEnd) {
  HistoryBuilder h;
  h.at(10_ms).grant(kClient1);
  Record record;
  record.actor = kClient1.value;
  record.kind = EventKind::paused;
  record.result = record_bits(100_ms);
  h.at(20_ms).add(record);
  record.kind = EventKind::resumed;
  h.at(120_ms).add(record);
  h.at(150_ms).kill(kClient1);
  h.at(200_ms).run_end(EndReason::finished);
  const Written run(h);
  const Chart chart = run.chart();

  for (const char* const name : {"inside", "claims"}) {
    const ChartRow& row = row_of(chart, "client-1", name);
    ASSERT_EQ(bars_of(row, Fill::stopped).size(), 1U);
    expect_bar(bars_of(row, Fill::stopped)[0], 20, 120);
    ASSERT_EQ(bars_of(row, Fill::dead).size(), 1U);
    expect_bar(bars_of(row, Fill::dead)[0], 150, 200);
  }
  expect_bar(bars_of(row_of(chart, "client-1", "claims"), Fill::claims)[0], 10, 150);
}

TEST(Chart, AKeyIsStoredUntilItIsDeletedTakenOrCopied) {
  HistoryBuilder h;
  h.at(5_ms);
  const HoldId first = h.begin(kClient1);
  h.key_set(first);
  h.granted(first);
  h.at(30_ms);
  const HoldId second = h.begin(kClient2);
  h.key_deleted(second, first);
  h.key_set(second, {.expiry = testing::kNoExpiry});
  h.at(40_ms).resynced(kRedis2, kRedis1);
  h.at(50_ms).kill(kRedis1);
  h.at(60_ms).run_end(EndReason::finished);
  const Written run(h);
  const Chart chart = run.chart();

  const ChartRow& row = row_of(chart, "owner", "redis-1");
  ASSERT_EQ(row.bars.size(), 2U);
  expect_bar(row.bars[0], 5, 30);
  EXPECT_EQ(row.bars[0].label, "client-1");
  expect_bar(row.bars[1], 30, 50);
  EXPECT_EQ(row.bars[1].label, "client-2, no expiry");
  ASSERT_EQ(row.spots.size(), 1U);
  EXPECT_EQ(row.spots[0].label, "by client-2");
}

TEST(Chart, AnExpiryThatFollowsAtTheSameInstantIsThatOfTheKey) {
  HistoryBuilder h;
  h.at(5_ms);
  const HoldId hold = h.begin(kClient1);
  h.key_set(hold, {.expiry = testing::kNoExpiry});
  h.key_ttl(hold, hold);
  h.at(60_ms).run_end(EndReason::finished);
  const Written run(h);

  const ChartRow row = row_of(run.chart(), "owner", "redis-1");
  ASSERT_EQ(row.bars.size(), 1U);
  EXPECT_EQ(row.bars[0].label, "client-1");
}

TEST(Chart, AnExpiryThatFollowsLaterEndsTheTimeWithoutOne) {
  HistoryBuilder h;
  h.at(5_ms);
  const HoldId hold = h.begin(kClient1);
  h.key_set(hold, {.expiry = testing::kNoExpiry});
  h.at(15_ms).key_ttl(hold, hold);
  h.at(25_ms).key_ttl(hold, hold, {.expiry = 1'700'000'002'000});
  h.at(60_ms).run_end(EndReason::finished);
  const Written run(h);

  const ChartRow row = row_of(run.chart(), "owner", "redis-1");
  ASSERT_EQ(row.bars.size(), 2U);
  expect_bar(row.bars[0], 5, 15);
  EXPECT_EQ(row.bars[0].label, "client-1, no expiry");
  expect_bar(row.bars[1], 15, 60);
  EXPECT_EQ(row.bars[1].label, "client-1");
}

TEST(Chart, AStallOfAWatchdogStopsNoProgram) {
  HistoryBuilder h;
  h.fiber_began(kClient1, 0);
  const HoldId hold = h.at(10_ms).grant(kClient1);
  h.fiber_began(kClient1, 1, hold);
  Record record;
  record.actor = kClient1.value;
  record.kind = EventKind::stalled;
  record.arg = 1;
  record.result = record_bits(100_ms);
  h.at(20_ms).add(record);
  record.arg = 0;
  h.at(150_ms).add(record);
  h.at(400_ms).run_end(EndReason::finished);
  const Written run(h);
  const Chart chart = run.chart();

  const ChartRow& inside = row_of(chart, "client-1", "inside");
  ASSERT_EQ(bars_of(inside, Fill::stopped).size(), 1U);
  expect_bar(bars_of(inside, Fill::stopped)[0], 150, 250);
  EXPECT_TRUE(bars_of(row_of(chart, "client-1", "claims"), Fill::stopped).empty());
  const Beliefs beliefs(run.view);
  EXPECT_FALSE(beliefs.of(kClient1, 5).stopped);
  EXPECT_TRUE(beliefs.of(kClient1, 6).stopped);
}

TEST(Chart, ACopyHoldsWhatItsSourceHadWhenItWasSent) {
  HistoryBuilder h;
  h.at(5_ms);
  const HoldId hold = h.begin(kClient1);
  const std::uint32_t set = h.key_set(hold);
  h.at(20_ms).key_deleted(hold, hold);
  Record record;
  record.actor = kRedis2.value;
  record.kind = EventKind::resynced;
  record.arg = kRedis1.value;
  record.cause = set;
  h.at(30_ms).add(record);
  h.at(60_ms).run_end(EndReason::finished);
  const Written run(h);

  const ChartRow row = row_of(run.chart(), "owner", "redis-2");
  ASSERT_EQ(row.bars.size(), 1U);
  expect_bar(row.bars[0], 30, 60);
}

TEST(Chart, TheBandIsWhereTheWitnessOfTheHeadlineLies) {
  Written run(overlap());
  const Property property{"my-property", "It holds.", Severity::harm, nullptr};
  const std::vector<NamedFinding> findings = {
      {&property, {Verdict::violated, "it broke", {3, 5}, 1}}};
  run.view.findings = findings;

  const Chart chart = run.chart();

  ASSERT_TRUE(chart.band);
  EXPECT_EQ(chart.band->property, "my-property");
  EXPECT_EQ(chart.band->begin, run.history.at(3).at());
  EXPECT_EQ(chart.band->end, run.history.at(5).at());
  EXPECT_FALSE(Written(overlap()).chart().band);
}

TEST(Chart, RectanglesFollowTheScale) {
  const Written run(overlap());
  const Chart chart = run.chart();
  const TimeScale scale = scale_of(chart, 1_s);
  const Bar bar = bars_of(row_of(chart, "client-1", "claims"), Fill::claims)[0];

  const Box box = box_of(bar, scale, 100);

  EXPECT_EQ(box.x, SvgLayout::kOrigin + scale.x(at(10)));
  EXPECT_EQ(box.x + box.width, SvgLayout::kOrigin + scale.x(at(40)));
  EXPECT_GT(box.y, 100);
  EXPECT_LT(box.y + box.height, 100 + SvgLayout::kRowHeight);
  // What began and ended at once can still be seen.
  Bar instant;
  EXPECT_GE(box_of(instant, scale, 0).width, 3);
}

TEST(Chart, RowsStandBelowEachOther) {
  Judged judged(embedded("failover-forgets-lock"));
  const RunView view = judged.run(2);
  const Chart chart = chart_of(view, {}, 2000);
  const TimeScale scale = scale_of(chart, view.history->facts.ttl_max);
  const SvgLayout layout = layout_of(chart, scale, 2);

  ASSERT_EQ(layout.tops.size(), chart.rows.size());
  for (std::size_t i = 1; i < layout.tops.size(); ++i) {
    EXPECT_EQ(layout.tops[i] - layout.tops[i - 1],
              chart.rows[i - 1].line.empty() ? SvgLayout::kRowHeight : SvgLayout::kLineHeight);
  }
  EXPECT_LT(layout.bottom, layout.height);
}

TEST(Chart, ALostWriteShowsInTheLagOfTheReplica) {
  Judged judged(embedded("failover-forgets-lock"));
  const RunView view = judged.run(2);
  const auto promoted =
      std::find_if(view.history->records().begin(), view.history->records().end(),
                   [](const Record& record) { return record.kind == EventKind::promoted; });
  ASSERT_NE(promoted, view.history->records().end());

  const std::vector<ChartRow> rows = lag_rows(view);

  ASSERT_EQ(rows.size(), 1U);
  std::int64_t behind = 0;
  for (const Vertex& vertex : rows[0].line) {
    if (vertex.at <= promoted->at()) behind = std::max(behind, vertex.value);
  }
  EXPECT_GE(behind, promoted->arg);
  EXPECT_EQ(rows[0].line.back().value, 0);
}

TEST(Chart, AJumpShowsAsAStepOfTheWallClock) {
  Judged judged(embedded("redlock-clock-jump"));
  const RunView view = judged.run(7);
  const auto jump = std::find_if(
      view.history->records().begin(), view.history->records().end(), [](const Record& record) {
        return record.kind == EventKind::fault_begin &&
               FaultValue::unpack(static_cast<std::uint64_t>(record.arg)).kind == FaultKind::jump;
      });
  ASSERT_NE(jump, view.history->records().end());

  const std::vector<ChartRow> rows = clock_rows(view);

  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].line.front().value, 0);
  EXPECT_EQ(rows[0].line.back().value, jump->local);
  EXPECT_TRUE(clock_rows(Judged(embedded("calm")).calm()).empty());
}

TEST(Chart, EveryStepHasABoxAndBoxesDoNotOverlap) {
  Chart chart;
  chart.end = at(1000);
  for (std::size_t i = 0; i < 40; ++i)
    chart.steps.push_back({at(i < 30 ? 500 : 990), i + 1, "step", false, false});
  const TimeScale scale = scale_of(chart, 1_s);

  const std::vector<PlacedStep> placed = place_steps(chart, scale);

  std::size_t next = 0;
  for (const PlacedStep& box : placed) {
    EXPECT_EQ(box.first, next);
    next = box.last + 1;
    EXPECT_LE(box.x + box.width, scale.width() + SvgLayout::kRight);
    for (const PlacedStep& other : placed) {
      const bool same_line = &other != &box && other.line == box.line;
      EXPECT_FALSE(same_line && other.x < box.x + box.width && box.x < other.x + other.width);
    }
  }
  EXPECT_EQ(next, chart.steps.size());
}

TEST(Chart, LongNamesGetRoomAndTheDrawingStaysAsWide) {
  Judged short_names(embedded("calm"));
  Judged long_names(embedded("two-spellings"));
  const Chart narrow = chart_of(short_names.calm(), {}, 2000);
  const Chart wide = chart_of(long_names.calm(), {}, 2000);

  EXPECT_GT(size_of(wide, 1_s).names, size_of(narrow, 1_s).names);
  EXPECT_EQ(size_of(wide, 1_s).width, size_of(narrow, 1_s).width);
  Markup out;
  draw_chart(out, wide, 1_s, "", "");
  EXPECT_NE(out.str().find(">owner lock:order:42<"), std::string::npos);
}

TEST(Chart, BeyondTheMostThingsAWindowAroundTheWitnessIsDrawn) {
  Judged judged(embedded("late-blind-del"));
  const RunView view = judged.run(21);
  const Chart whole = chart_of(view, {}, 2000);
  ASSERT_TRUE(whole.band);
  ASSERT_EQ(whole.left_out, 0U);

  const Chart part = chart_of(view, {}, 60);

  EXPECT_LE(part.drawn, 60U);
  EXPECT_EQ(part.drawn + part.left_out, whole.drawn);
  EXPECT_GT(part.begin, whole.begin);
  EXPECT_GE(part.end, whole.band->end);
  for (const ChartRow& row : part.rows) {
    for (const Bar& bar : row.bars) {
      EXPECT_GE(bar.begin, part.begin);
      EXPECT_LE(bar.end, part.end);
    }
  }
}

}  // namespace
}  // namespace locklab
