// Strategies: what they propose, counted by hand where that can be done.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <set>
#include <stdexcept>

#include <gtest/gtest.h>

#include "search/certificate_testing.h"
#include "search/strategies/alternatives.h"
#include "search/strategies/deepening.h"
#include "search/strategies/single_deviation.h"
#include "sim/sources.h"

namespace locklab {
namespace {

using testing_search::faults_only;
using testing_search::lost_answers;
using testing_search::story;

std::vector<std::uint64_t> values_below(std::uint64_t bound, std::uint32_t steps) {
  Bound limits;
  limits.steps = steps;
  std::vector<std::uint64_t> values;
  append_order_values(limits, bound, values);
  return values;
}

TEST(Alternatives, AreAllOfFewAndEvenlySpacedOfMany) {
  using Values = std::vector<std::uint64_t>;
  EXPECT_EQ(values_below(1, 2), Values());
  EXPECT_EQ(values_below(2, 2), Values({1}));
  EXPECT_EQ(values_below(3, 2), Values({1, 2}));
  EXPECT_EQ(values_below(32, 1), Values({31}));
  EXPECT_EQ(values_below(32, 2), Values({16, 31}));
  EXPECT_EQ(values_below(32, 4), Values({8, 16, 24, 31}));
  EXPECT_EQ(values_below(4, 9), Values({1, 2, 3}));
}

TEST(PhaseGrid, HasEveryCombinationOnce) {
  const PhasePoints points{2, 3, 2};
  ASSERT_EQ(cell_count(points, 2), 24U);
  std::set<std::vector<std::uint64_t>> cells;
  for (std::uint64_t number = 0; number < 24; ++number) {
    const PhaseCell cell(points, 2, number);
    cells.insert({cell.value(ChoiceKind::start_phase, 0, 32),
                  cell.value(ChoiceKind::start_phase, 1, 32),
                  cell.value(ChoiceKind::poll_phase, 1, 32), cell.value(ChoiceKind::work, 0, 32)});
    EXPECT_EQ(cell.value(ChoiceKind::poll_phase, 0, 32), cell.value(ChoiceKind::poll_phase, 1, 32));
    EXPECT_EQ(cell.value(ChoiceKind::work, 2, 32), 0U);  // The probe's.
  }
  EXPECT_EQ(cells.size(), 24U);
  EXPECT_EQ(*cells.begin(), std::vector<std::uint64_t>(4));
  EXPECT_EQ(*cells.rbegin(), std::vector<std::uint64_t>({16, 16, 21, 16}));
  EXPECT_EQ(cell_count({1000, 1000, 1000}, 9), 0U);
}

/// All that has happened, but for the fault's own record, which repeats its length.
std::vector<Record> without_faults(const History& history) {
  std::vector<Record> records;
  for (const Record& record : history.records()) {
    if (record.kind != EventKind::fault_begin) records.push_back(record);
  }
  return records;
}

std::vector<Record> struck(FaultKind kind, std::uint16_t second, Bucket::Constant length) {
  Scenario scenario = story("failover-forgets-lock");
  scenario.world.search.of = FaultKinds{}.with(kind);
  Runner runner;
  const std::vector<PathStep> steps =
      single_deviations(runner, scenario, faults_only(1), PhaseCell());
  const auto step = std::find_if(steps.begin(), steps.end(), [second](const PathStep& s) {
    return FaultValue::unpack(s.value).second == second;
  });
  if (step == steps.end()) throw std::runtime_error("no such fault");
  FaultValue value = FaultValue::unpack(step->value);
  value.length = Bucket::constant(length);
  PathSource source(faults_only(1));
  source.set_path(std::vector<PathStep>{{step->draw, true, value.pack()}});
  return without_faults(*runner.run(scenario, source).history);
}

TEST(Alternatives, LeaveOutOnlyLengthsThatMeanNothing) {
  for (unsigned k = 1; k < static_cast<unsigned>(FaultKind::count); ++k) {
    const auto kind = static_cast<FaultKind>(k);
    for (const std::uint16_t second : {std::uint16_t{0}, std::uint16_t{1}}) {
      if (reads_length(kind, second)) continue;
      std::vector<Record> a;
      try {
        a = struck(kind, second, Bucket::round_trip);
      } catch (const std::runtime_error&) {
        continue;  // It has no second size.
      }
      const std::vector<Record> b = struck(kind, second, Bucket::twice_ttl);
      ASSERT_EQ(a.size(), b.size()) << name_of(kind);
      for (std::size_t i = 0; i < a.size(); ++i)
        EXPECT_EQ(std::memcmp(&a[i], &b[i], sizeof(Record)), 0) << name_of(kind) << " " << i;
    }
  }
  EXPECT_TRUE(reads_length(FaultKind::pause, 0));
}

using Schedules = std::multiset<std::vector<Deviation>>;

Schedules schedules_of(Strategy& strategy, const Scenario& scenario) {
  Schedules schedules;
  Runner runner;
  while (ChoiceSource* const source = strategy.next()) {
    const Execution& execution = runner.run(scenario, *source);
    if (strategy.seen(execution)) {
      schedules.insert({execution.choices.begin(), execution.choices.end()});
    }
  }
  return schedules;
}

TEST(SingleDeviation, MeetsWhatDeepeningMeetsAtItsFirstLevel) {
  const Scenario scenario = lost_answers();
  Bound bound = faults_only(2);
  bound.orders = 1;
  Runner runner;
  const std::vector<PathStep> steps = single_deviations(runner, scenario, bound, PhaseCell());
  SingleDeviation single(bound, PhaseCell(), steps);
  Deepening deepening(bound);
  deepening.begin(PhaseCell(), {}, 1);
  const Schedules all = schedules_of(single, scenario);
  EXPECT_EQ(all, schedules_of(deepening, scenario));
  EXPECT_EQ(all.size(), steps.size());
  EXPECT_EQ(std::set(all.begin(), all.end()).size(), all.size());
}

TEST(Deepening, MeetsEachSetOnceAndReplaysByAddress) {
  const Scenario scenario = lost_answers();
  Deepening deepening(faults_only(3));
  Schedules all;
  for (std::uint32_t level = 0; level <= 3; ++level) {
    deepening.begin(PhaseCell(), {}, level);
    const Schedules found = schedules_of(deepening, scenario);
    for (const std::vector<Deviation>& schedule : found)
      EXPECT_EQ(schedule.size(), level);
    all.insert(found.begin(), found.end());
  }
  EXPECT_GT(all.size(), 100U);
  EXPECT_EQ(std::set(all.begin(), all.end()).size(), all.size());
  Runner runner;
  ReplaySource replay;
  for (const std::vector<Deviation>& schedule : all) {
    replay.load(schedule);
    runner.run(scenario, replay);
    EXPECT_EQ(replay.aligned(), schedule.size());
  }
}

TEST(Deepening, KeepsWithinFaultsAndOrders) {
  const Scenario scenario = lost_answers();
  Bound bound = faults_only(1);
  bound.orders = 1;
  bound.steps = 1;
  bound.deviations = 2;
  Deepening deepening(bound);
  deepening.begin(PhaseCell(), {}, 2);
  const Schedules all = schedules_of(deepening, scenario);
  EXPECT_GT(all.size(), 100U);
  for (const std::vector<Deviation>& schedule : all) {
    ASSERT_EQ(schedule.size(), 2U);
    const auto is_fault = [](const Deviation& d) {
      return d.address.kind() == ChoiceKind::fault_at_label;
    };
    EXPECT_EQ(std::count_if(schedule.begin(), schedule.end(), is_fault), 1);
  }
}

}  // namespace
}  // namespace locklab
