// Searches over embedded stories: what they count, where they stop, that threads change nothing.
// SPDX-License-Identifier: Apache-2.0
#include "search/explore.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "search/search_testing.h"
#include "sim/sources.h"

namespace locklab {
namespace {

using testing_search::story;

void expect_equal(const std::optional<FoundRun>& a, const std::optional<FoundRun>& b) {
  ASSERT_EQ(a.has_value(), b.has_value());
  if (!a) return;
  EXPECT_EQ(a->seed, b->seed);
  EXPECT_EQ(a->choices, b->choices);
  EXPECT_EQ(a->digest, b->digest);
  ASSERT_EQ(a->findings.size(), b->findings.size());
  for (std::size_t i = 0; i < a->findings.size(); ++i) {
    EXPECT_EQ(a->findings[i].property->name, b->findings[i].property->name);
    EXPECT_EQ(a->findings[i].finding.verdict, b->findings[i].finding.verdict);
    EXPECT_EQ(a->findings[i].finding.why, b->findings[i].finding.why);
    EXPECT_EQ(a->findings[i].finding.witness, b->findings[i].finding.witness);
  }
}

void expect_equal(const SearchResult& a, const SearchResult& b) {
  EXPECT_EQ(a.runs, b.runs);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.complete, b.complete);
  EXPECT_EQ(a.runs_with, b.runs_with);
  ASSERT_EQ(a.tallies.all().size(), b.tallies.all().size());
  for (std::size_t i = 0; i < a.tallies.all().size(); ++i) {
    const Tally& x = a.tallies.all()[i];
    const Tally& y = b.tallies.all()[i];
    EXPECT_EQ(x.property->name, y.property->name);
    EXPECT_EQ(x.runs, y.runs);
    EXPECT_EQ(x.violated, y.violated);
    EXPECT_EQ(x.unknown, y.unknown);
    EXPECT_EQ(x.exercised_runs, y.exercised_runs);
    EXPECT_EQ(x.exercised, y.exercised);
    expect_equal(a.first_violations[i], b.first_violations[i]);
  }
  expect_equal(a.unexpected, b.unexpected);
}

TEST(Explore, GivesTheSameForAnyNumberOfJobs) {
  const Scenario scenario = story("failover-forgets-lock");
  const Budget budget{7, 7 + 299, false};
  const SearchResult one = explore(scenario, budget, 1);
  EXPECT_EQ(one.runs, 300U);
  EXPECT_TRUE(one.complete);
  EXPECT_TRUE(one.first_violations[0].has_value());
  for (const unsigned jobs : {2U, 5U})
    expect_equal(one, explore(scenario, budget, jobs));
}

TEST(Explore, CountsEveryRunOnce) {
  const SearchResult result = explore(story("calm"), {1, 130, false}, 3);
  EXPECT_EQ(result.runs, 130U);
  for (const Tally& tally : result.tallies.all())
    EXPECT_EQ(tally.runs, 130U);
  EXPECT_EQ(result.runs_with[static_cast<std::size_t>(EventKind::run_end)], 130U);
  EXPECT_EQ(result.runs_with[static_cast<std::size_t>(EventKind::fault_begin)], 0U);
}

TEST(Explore, StopsAtTheFirstUnexpectedViolationOnAnyNumberOfJobs) {
  Scenario scenario = story("pause-outlives-lease");
  scenario.expect.clear();
  const SearchResult whole = explore(scenario, {3, 1000, false});
  ASSERT_TRUE(whole.unexpected.has_value());
  const SearchResult one = explore(scenario, {3, 1000, true}, 1);
  EXPECT_FALSE(one.complete);
  ASSERT_TRUE(one.unexpected.has_value());
  EXPECT_EQ(one.unexpected->seed, whole.unexpected->seed);
  EXPECT_EQ(one.runs, one.unexpected->seed - 3 + 1);
  expect_equal(one, explore(scenario, {3, 1000, true}, 4));
}

TEST(Explore, DoesNotStopAtWhatIsExpected) {
  const SearchResult result = explore(story("pause-outlives-lease"), {1, 200, true});
  EXPECT_TRUE(result.complete);
  EXPECT_GT(result.tallies.all()[0].violated, 0U);
  EXPECT_FALSE(result.unexpected.has_value());
}

TEST(Explore, CancelledIsAShorterRangeOfSeeds) {
  const Scenario scenario = story("pause-outlives-lease");
  int left = 150;
  SearchHooks hooks;
  hooks.cancelled = [&left] { return --left <= 0; };
  const SearchResult cut = explore(scenario, {1, 100000, false}, 1, hooks);
  EXPECT_FALSE(cut.complete);
  EXPECT_EQ(cut.runs, 150U);
  SearchResult again = explore(scenario, {1, 150, false});
  again.complete = false;
  expect_equal(cut, again);
}

TEST(Explore, CancelledOnManyJobsLeavesNoGap) {
  SearchHooks hooks;
  hooks.cancelled = [] { return true; };
  const SearchResult cut = explore(story("calm"), {5, 100000, false}, 3, hooks);
  EXPECT_FALSE(cut.complete);
  EXPECT_EQ(cut.runs, 1U);  // Each thread ends after one run; the first chunk is the result.
}

TEST(Explore, ReportsProgressUpToTheLastRun) {
  SearchHooks hooks;
  std::vector<std::uint64_t> seen;
  hooks.progress = [&seen](const SearchProgress& progress) {
    EXPECT_EQ(progress.runs_total, 200U);
    seen.push_back(progress.runs);
  };
  explore(story("calm"), {1, 200, false}, 2, hooks);
  ASSERT_GT(seen.size(), 1U);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_EQ(seen.back(), 200U);
}

TEST(Explore, FoundRunsRepeatFromTheirChoicesAlone) {
  const Scenario scenario = story("redlock-clock-jump");
  const FoundRun found = testing_search::first_violation(scenario, "double-ownership");
  Runner runner;
  ReplaySource source;
  source.load(found.choices);
  EXPECT_EQ(runner.run(scenario, source).digest, found.digest);
  EXPECT_TRUE(source.missed().empty());
}

class Broken : public Lock {
 public:
  Acquired acquire(Client&, const LockRequest&) override {
    throw std::runtime_error("the lock has a bug");
  }
  Outcome release(Client&, const Lease&) override { return Outcome::released; }
};

TEST(Explore, NamesTheSeedOfARunThatThrows) {
  const LockInfo broken{.name = "broken", .summary = {}, .source = {}, .make = make_lock<Broken>};
  Laboratory laboratory;
  laboratory.find = [&broken](std::string_view) { return &broken; };
  try {
    explore(story("calm"), {42, 50, false}, 2, {}, laboratory);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const RunFailed& failure) {
    EXPECT_EQ(failure.seed(), 42U);
    EXPECT_STREQ(failure.what(), "seed 42: the lock has a bug");
  }
}

TEST(VerdictOf, IsAsExpectedForTrapsThatBiteAndForTheCalm) {
  EXPECT_EQ(verdict_of(explore(story("pause-outlives-lease"), {1, 300, false})),
            CheckVerdict::as_expected);
  EXPECT_EQ(verdict_of(explore(story("calm"), {1, 50, false})), CheckVerdict::as_expected);
}

TEST(VerdictOf, IsViolatedWhenSomethingUnlistedIs) {
  Scenario scenario = story("pause-outlives-lease");
  scenario.expect.erase("double-ownership");
  EXPECT_EQ(verdict_of(explore(scenario, {1, 300, false})), CheckVerdict::violated);
}

TEST(VerdictOf, IsNotViolatedWhenATrapNoLongerBites) {
  Scenario scenario = story("calm");
  scenario.expect["double-ownership"] = Verdict::violated;
  EXPECT_EQ(verdict_of(explore(scenario, {1, 50, false})), CheckVerdict::not_violated);
}

TEST(VerdictOf, IsInconclusiveWhenAGoalIsNotMet) {
  Scenario scenario = story("calm");
  scenario.sometimes = {"section_enter", "promoted"};
  const SearchResult result = explore(scenario, {1, 50, false});
  EXPECT_EQ(unmet_goals(result), std::vector<std::string>{"promoted"});
  EXPECT_EQ(verdict_of(result), CheckVerdict::inconclusive);
}

TEST(NeverExercised, NamesWhatASearchSaysNothingAbout) {
  const SearchResult alone =
      explore(story("calm", {"clients.0.count=1", "workload.rounds=1"}), {1, 20, false});
  std::vector<std::string_view> names;
  for (const Property* property : never_exercised(alone))
    names.push_back(property->name);
  EXPECT_NE(std::find(names.begin(), names.end(), "double-ownership"), names.end());
  const SearchResult together = explore(story("calm"), {1, 20, false});
  for (const Property* property : never_exercised(together)) {
    EXPECT_NE(property->name, "double-ownership");
  }
}

}  // namespace
}  // namespace locklab
