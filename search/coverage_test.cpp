// Coverage: what a search counts of its faults, and what it says it never met.
// SPDX-License-Identifier: Apache-2.0
#include "search/coverage.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "search/explore.h"
#include "search/search_testing.h"
#include "sim/sources.h"

namespace locklab {
namespace {

using testing_search::story;

SearchResult search(const Scenario& scenario, std::uint64_t last = 200, unsigned jobs = 1) {
  return explore(scenario, {1, last, false}, jobs);
}

/// Pauses and lost replies at two points, of which a client without a watchdog passes one.
Scenario two_points() {
  return story("pause-outlives-lease",
               {"search.faults.of=pause,lost-reply", "search.faults.at=acq.return,wd.sent"});
}

TEST(Coverage, CountsTheRunsOfEachFaultAndWhatTheyTested) {
  const Scenario scenario = two_points();
  const SearchResult result = search(scenario);
  // Counted anew, from the histories alone.
  std::uint64_t paused = 0;
  std::uint64_t tested = 0;
  Runner runner;
  Judge judge(judged_properties(scenario, {}));
  SeededSource source(0);
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    source.reseed(seed);
    const Execution& execution = runner.run(scenario, source);
    const auto records = execution.history->records();
    const bool struck = std::any_of(records.begin(), records.end(), [](const Record& record) {
      return record.kind == EventKind::fault_begin && record.label == Label::acq_return &&
             (record.arg & 0xff) == static_cast<int>(FaultKind::pause);
    });
    paused += struck;
    tested += struck && judge.judge(*execution.history)[0].finding.exercised > 0;
  }
  ASSERT_GT(paused, 0U);
  const StruckRuns& runs = result.coverage.struck.at({Label::acq_return, FaultKind::pause});
  EXPECT_EQ(runs.runs, paused);
  EXPECT_EQ(runs.tested.at(0), tested);
  EXPECT_EQ(runs.tested.size(), result.properties->size());
  EXPECT_EQ(result.coverage.reached[static_cast<std::size_t>(Label::acq_return)], 200U);
}

TEST(Coverage, NamesPointsThatNoRunReached) {
  const Scenario scenario = two_points();
  const SearchResult result = search(scenario);
  EXPECT_EQ(never_reached(result.coverage, scenario), std::vector<Label>{Label::wd_sent});
  const Scenario everywhere = story("pause-outlives-lease", {"search.faults.at=[]"});
  EXPECT_TRUE(never_reached(search(everywhere).coverage, everywhere).empty());
}

TEST(Coverage, NamesKindsThatWereDrawnAndNeverApplied) {
  // At acq.return no reply is awaited that could be lost.
  const Scenario scenario = two_points();
  const SearchResult result = search(scenario);
  EXPECT_GT(result.coverage.drawn[static_cast<std::size_t>(FaultKind::lost_reply)], 0U);
  EXPECT_EQ(never_applied(result.coverage, scenario),
            std::vector<FaultKind>{FaultKind::lost_reply});
  const Scenario possible = story("pause-outlives-lease", {"search.faults.of=pause,lost-reply",
                                                           "search.faults.at=acq.return,acq.sent"});
  EXPECT_TRUE(never_applied(search(possible).coverage, possible).empty());
}

TEST(Coverage, SumsUpOpenPointsAndKinds) {
  const Scenario scenario = two_points();
  const CoverageSummary summary = summary_of(search(scenario).coverage, scenario);
  EXPECT_EQ(summary.points_reached, 1U);
  EXPECT_EQ(summary.points_struck, 1U);
  EXPECT_EQ(summary.kinds_applied, 1U);
  EXPECT_EQ(summary.kinds_possible, 2U);
  const CoverageSummary calm = summary_of(search(story("calm")).coverage, story("calm"));
  EXPECT_EQ(calm.points_reached, 0U);
  EXPECT_EQ(calm.kinds_possible, 0U);
}

TEST(Coverage, CountsFaultsThatTheStorySets) {
  const Scenario scenario = story("calm", {"search.faults.of=[]"});
  Scenario planned = scenario;
  PlannedFault pause;
  pause.kind = FaultKind::pause;
  pause.trigger.label = Label::acq_return;
  pause.target = "client-1";
  pause.length = milliseconds(5);
  planned.world.faults.push_back(pause);
  pause.trigger = {};
  pause.trigger.at = Instant::origin() + milliseconds(10);
  planned.world.faults.push_back(pause);
  planned.hash = scenario_hash(planned);
  const SearchResult result = search(planned, 20);
  EXPECT_EQ(result.coverage.struck.at({Label::acq_return, FaultKind::pause}).runs, 20U);
  EXPECT_EQ(result.coverage.struck.at({Label::none, FaultKind::pause}).runs, 20U);
  const CoverageSummary summary = summary_of(result.coverage, planned);
  EXPECT_EQ(summary.points_reached, 1U);
  EXPECT_EQ(summary.points_struck, 1U);
  EXPECT_EQ(summary.kinds_possible, 1U);
}

TEST(Coverage, CountsEachScheduleOnce) {
  // One client alone, and nothing that could go otherwise but when it starts.
  const Scenario one = story("calm", {"clients.0.count=1", "workload.rounds=1"});
  const SearchResult result = search(one, 300);
  std::vector<std::uint64_t> digests;
  Runner runner;
  SeededSource source(0);
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    source.reseed(seed);
    digests.push_back(runner.run(one, source).digest);
  }
  std::sort(digests.begin(), digests.end());
  digests.erase(std::unique(digests.begin(), digests.end()), digests.end());
  EXPECT_EQ(result.coverage.schedules.sorted().size(), digests.size());
  EXPECT_LT(digests.size(), 300U);
}

TEST(Coverage, IsTheSameForAnyNumberOfJobs) {
  const Scenario scenario = story("failover-forgets-lock");
  EXPECT_EQ(search(scenario, 300, 1).coverage, search(scenario, 300, 3).coverage);
}

TEST(Distinct, IsExactUpToItsBoundAndSaysMoreBeyond) {
  Distinct some;
  for (std::uint64_t i = 0; i < 2 * Distinct::kMost + 5; ++i)
    some.add(i % Distinct::kMost);
  some.settle();
  EXPECT_TRUE(some.exact());
  EXPECT_EQ(some.sorted().size(), Distinct::kMost);
  Distinct more = some;
  more.add(Distinct::kMost);
  more.settle();
  EXPECT_FALSE(more.exact());
  EXPECT_TRUE(more.sorted().empty());
  Distinct joined;
  joined.add(1);
  joined.add(more);
  EXPECT_EQ(joined, Distinct::too_many());
}

TEST(Distinct, JoinsParts) {
  Distinct a;
  Distinct b;
  for (const std::uint64_t value : {5U, 1U, 5U})
    a.add(value);
  for (const std::uint64_t value : {9U, 1U})
    b.add(value);
  a.settle();
  a.add(b);
  a.settle();
  EXPECT_EQ(std::vector<std::uint64_t>(a.sorted().begin(), a.sorted().end()),
            (std::vector<std::uint64_t>{1, 5, 9}));
}

}  // namespace
}  // namespace locklab
