// Tests of compare: what two runs of one schedule share, where they part, and the four quadrants.
// SPDX-License-Identifier: Apache-2.0
#include "search/compare.h"

#include <gtest/gtest.h>

#include "search/search_testing.h"
#include "search/shrink.h"
#include "sim/sources.h"

namespace locklab {
namespace {

using testing_search::first_violation;
using testing_search::story;

std::vector<Deviation> shrunk_choices(const Scenario& scenario, std::string_view property) {
  return shrink(scenario, first_violation(scenario, property).choices, property).choices;
}

/// Two runs side by side; the runners keep their histories.
struct Both {
  Runner a_runner;
  Runner b_runner;
  const Execution* a = nullptr;
  const Execution* b = nullptr;
  std::uint32_t part = 0;

  Both(const Scenario& one, const Scenario& other, std::span<const Deviation> choices) {
    ReplaySource source;
    source.load(choices);
    a = &a_runner.run(one, source);
    source.load(fit(other, choices).choices);
    b = &b_runner.run(other, source);
    part = first_difference(*a->history, *b->history);
  }
};

TEST(Compare, ARunDoesNotDifferFromItself) {
  const Scenario scenario = story("late-write");
  const Both both(scenario, scenario, shrunk_choices(scenario, "no-lost-update"));
  EXPECT_EQ(both.part, 0U);
}

TEST(Compare, EnforcingTheFenceChangesNothingBeforeTheFirstRejection) {
  const Scenario open = story("late-write");
  const Scenario fenced = story("late-write", {"resource.mode=ge_rw"});
  const std::vector<Deviation> choices = shrunk_choices(open, "no-lost-update");
  const Fit fits = fit(fenced, choices);
  EXPECT_EQ(fits.met, choices.size());
  EXPECT_EQ(fits.changed, 0U);
  EXPECT_TRUE(fits.missed.empty());

  const Both both(open, fenced, choices);
  ASSERT_NE(both.part, 0U);
  const Record& accepted = both.a->history->at(both.part);
  const Record& refused = both.b->history->at(both.part);
  EXPECT_EQ(accepted.kind, EventKind::resource_op);
  EXPECT_FALSE(accepted.has(event_flags::kRejected));
  EXPECT_TRUE(accepted.has(event_flags::kWouldReject));
  EXPECT_TRUE(refused.has(event_flags::kRejected));
}

TEST(Compare, WorksInBothDirections) {
  const Scenario open = story("late-write");
  const Scenario fenced = story("late-write", {"resource.mode=ge_rw"});
  const std::vector<Deviation> choices = shrunk_choices(open, "no-lost-update");
  const Both there(open, fenced, choices);
  const Both back(fenced, open, choices);
  EXPECT_EQ(there.part, back.part);
  EXPECT_TRUE(back.a->history->at(back.part).has(event_flags::kRejected));
}

TEST(Compare, AnotherLockMeetsTheSameDeviationWithAnotherCommand) {
  // A pause in front of the release: one lock sends DEL there, the other a script.
  const Scenario blind = story("late-blind-del");
  const Scenario compare = story("late-compare-and-delete");
  const std::vector<Deviation> choices = shrunk_choices(blind, "no-foreign-mutation");
  const Fit fits = fit(compare, choices);
  EXPECT_EQ(fits.all(), choices.size());
  EXPECT_TRUE(fits.missed.empty());
  const Both both(blind, compare, choices);
  EXPECT_NE(both.part, 0U);
}

TEST(Compare, SaysWhichDeviationsAreNotMet) {
  const Scenario failover = story("failover-forgets-lock");
  const Scenario alone = story("failover-forgets-lock", {"topology.replicas=0"});
  const std::vector<Deviation> choices = shrunk_choices(failover, "double-ownership");
  const Fit fits = fit(alone, choices);
  ASSERT_FALSE(fits.missed.empty());  // Nothing is replicated, so nothing can fail over.
  EXPECT_EQ(fits.missed.front().address.kind(), ChoiceKind::fault_at_label);
  EXPECT_EQ(fits.all(), choices.size());
}

TEST(Compare, HistoriesOfOtherWorldsAreComparedByNames) {
  // With two more nodes every later actor has another number, and the same name.
  const Scenario two = story("late-write");
  const Scenario three = story("late-write", {"clients.0.count=3"});
  Runner a;
  Runner b;
  ZeroSource zeros;
  const Execution& first = a.run(two, zeros);
  const Execution& second = b.run(three, zeros);
  const std::uint32_t part = first_difference(*first.history, *second.history);
  // Not the first record: who begins first is the same in both.
  EXPECT_GT(part, 1U);
  EXPECT_LT(part, first.history->records().size());
}

TEST(Compare, AHistoryThatEndsEarlyDiffersOnePastItsEnd) {
  const Scenario scenario = story("late-write");
  Runner runner;
  ZeroSource zeros;
  const History whole = *runner.run(scenario, zeros).history;
  History half;
  half.begin(0);
  half.actors = whole.actors;
  const std::size_t kept = whole.records().size() / 2;
  for (const Record& record : whole.records().first(kept)) {
    // Texts are numbered in the order in which they are met.
    Record copy = record;
    copy.lock = static_cast<std::uint16_t>(half.intern(whole.text(record.lock)).value);
    copy.nonce = half.intern(whole.text(record.nonce)).value;
    if (record.kind == EventKind::applied) {
      const auto low = half.intern(whole.text(static_cast<std::uint32_t>(record.arg))).value;
      const auto high = half.intern(whole.text(static_cast<std::uint32_t>(
                                        static_cast<std::uint64_t>(record.arg) >> 32)))
                            .value;
      copy.arg = static_cast<std::int64_t>(static_cast<std::uint64_t>(high) << 32 | low);
    }
    half.append(copy);
  }
  EXPECT_EQ(first_difference(whole, half), kept + 1);
  EXPECT_EQ(first_difference(half, whole), kept + 1);
}

TEST(Quadrants, AFenceTakesTheHarmAndLeavesTheOverlap) {
  const Quadrants open = quadrants(story("pause-outlives-lease"), 1, 300);
  const Quadrants fenced = quadrants(story("pause-outlives-lease-fenced"), 1, 300);
  EXPECT_EQ(open.runs, 300U);
  EXPECT_GT(open.count[1][1], 0U);
  EXPECT_GT(fenced.count[1][0], 0U);
  EXPECT_EQ(fenced.count[0][1] + fenced.count[1][1], 0U);
}

TEST(Quadrants, ALateWriteIsHarmWithoutDoubleOwnership) {
  const Quadrants late = quadrants(story("late-write"), 1, 300);
  EXPECT_GT(late.count[0][1], 0U);
  EXPECT_EQ(late.count[1][0] + late.count[1][1], 0U);
  EXPECT_EQ(late.count[0][0] + late.count[0][1] + late.unknown, late.runs);
}

TEST(Quadrants, EndWhenCancelled) {
  int asked = 0;
  const Quadrants some = quadrants(story("late-write"), 1, 300, [&asked] { return ++asked == 5; });
  EXPECT_EQ(some.runs, 5U);
}

}  // namespace
}  // namespace locklab
