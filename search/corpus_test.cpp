// Tests of the corpus: entries read back exactly, and what a changed world makes of them.
// SPDX-License-Identifier: Apache-2.0
#include "search/corpus.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "search/search_testing.h"
#include "search/shrink.h"
#include "search/strategies/neighbours.h"
#include "search/token_testing.h"

namespace locklab {
namespace {

using ::testing::HasSubstr;
using testing_samples::any_deviations;
using testing_samples::three_deviations;
using testing_search::first_violation;
using testing_search::story;

constexpr std::string_view kProperty = "double-ownership";

CorpusEntry sample() {
  CorpusEntry entry;
  entry.status = EntryStatus::fixed;
  entry.property = kProperty;
  entry.first_wrong = EventKind::key_lost;
  entry.detail = 2;
  entry.summary = "double-ownership, first key_lost, under pause";
  entry.scenario = "stories/\"mine\".json";
  entry.set = {"clients.0.ttl=2s", "resource.mode=none"};
  entry.scenario_hash = 0x0123456789abcdef;
  entry.model_epoch = 1;
  entry.digest = 0xfedcba9876543210;
  entry.deviations = three_deviations();
  entry.story = {" 1  5.000  A \\ B", "…"};
  return entry;
}

// --- The file -----------------------------------------------------------------------------------

TEST(CorpusEntry, ReadsBackExactly) {
  const CorpusEntry entry = sample();
  const EntryResult read = parse_entry(entry_text(entry), "here");
  ASSERT_TRUE(read.entry) << render(read.errors);
  EXPECT_EQ(entry_text(*read.entry), entry_text(entry));
  EXPECT_EQ(read.entry->deviations, entry.deviations);
  EXPECT_EQ(read.entry->status, entry.status);
  EXPECT_EQ(read.entry->first_wrong, entry.first_wrong);
  EXPECT_EQ(entry_name(*read.entry), entry_name(entry));
}

RC_GTEST_PROP(CorpusEntry, ReadsBackAnyDeviations, ()) {
  CorpusEntry entry = sample();
  entry.deviations = *any_deviations();
  const EntryResult read = parse_entry(entry_text(entry), "here");
  RC_ASSERT(read.entry.has_value());
  RC_ASSERT(read.entry->deviations == entry.deviations);
}

TEST(CorpusEntry, WithoutItsEndIsRefusedWhereverItIsCut) {
  const std::string text = entry_text(sample());
  for (std::size_t length = 0; length + 2 < text.size(); ++length) {
    const EntryResult read = parse_entry(text.substr(0, length), "here");
    EXPECT_FALSE(read.entry) << length;
    EXPECT_FALSE(read.errors.empty()) << length;
  }
}

std::string complaint_about(std::string text, const std::string& from, const std::string& to) {
  text.replace(text.find(from), from.size(), to);
  const EntryResult read = parse_entry(text, "here");
  return read.entry ? "" : read.errors[0].headline();
}

TEST(CorpusEntry, SaysWhatIsWrongAndWhere) {
  const std::string text = entry_text(sample());
  EXPECT_THAT(complaint_about(text, "\"fixed\"", "\"done\""),
              HasSubstr("here:3:13: error: a status is open, fixed or expected"));
  EXPECT_THAT(complaint_about(text, "key_lost", "key_eaten"), HasSubstr("no event has this name"));
  EXPECT_THAT(complaint_about(text, "\"corpus\": 1", "\"corpus\": 2"), HasSubstr("version 1"));
  EXPECT_THAT(complaint_about(text, "\"token\": \"\"", "\"token\": \"ll1\""),
              HasSubstr("is no token"));
  EXPECT_THAT(complaint_about(text, "\"epoch\"", "\"age\""), HasSubstr("epoch"));
}

TEST(CorpusEntry, IsNamedByItsFailureAndNotByItsRun) {
  CorpusEntry other = sample();
  other.digest = 1;
  other.deviations.clear();
  other.status = EntryStatus::open;
  EXPECT_EQ(entry_name(other), entry_name(sample()));
  other.summary += " and cut";
  EXPECT_NE(entry_name(other), entry_name(sample()));
}

// --- Reruns -------------------------------------------------------------------------------------

CorpusEntry entry_of(const Scenario& scenario) {
  const FoundRun found = first_violation(scenario, kProperty);
  const ShrinkResult shrunk = shrink(scenario, found.choices, kProperty);
  CorpusEntry entry;
  entry.property = kProperty;
  entry.first_wrong = shrunk.signature.first_wrong;
  entry.detail = shrunk.signature.detail;
  entry.model_epoch = History::kModelEpoch;
  entry.scenario_hash = scenario.hash;
  entry.digest = shrunk.digest;
  entry.deviations = normalised(shrunk.choices);
  return entry;
}

TEST(Rerun, OfAnUnchangedScenarioIsIdentical) {
  const Scenario scenario = story("pause-outlives-lease");
  const CorpusEntry entry = entry_of(scenario);
  const RerunResult again = rerun(scenario, entry);
  EXPECT_EQ(again.rerun, Rerun::identical);
  EXPECT_EQ(again.executions, 1U);
  EXPECT_EQ(again.divergence, "");
  EXPECT_EQ(again.digest, entry.digest);
}

TEST(Rerun, OfAChangeThatLeavesTheFailureIsTheSame) {
  const CorpusEntry entry = entry_of(story("pause-outlives-lease"));
  const Scenario slower = story("pause-outlives-lease", {"topology.idle_clients=1"});
  const RerunResult again = rerun(slower, entry);
  EXPECT_EQ(again.rerun, Rerun::same);
  EXPECT_NE(again.divergence, "");
}

TEST(Rerun, SearchesAroundWhatNoLongerFits) {
  const Scenario scenario = story("pause-outlives-lease");
  CorpusEntry entry = entry_of(scenario);
  // As if the code had made one attempt less before it.
  bool moved = false;
  for (Deviation& deviation : entry.deviations) {
    const Address& a = deviation.address;
    if (a.kind() != ChoiceKind::fault_at_label) continue;
    const Span cause = a.cause();
    const Span later = Span::of_operation(cause.actor(), cause.fiber(), cause.operation(),
                                          static_cast<std::uint16_t>(cause.attempt() + 1));
    deviation.address = Address::of(later, a.actor(), a.kind(), a.label(), a.n());
    moved = true;
  }
  ASSERT_TRUE(moved);
  const RerunResult again = rerun(scenario, entry);
  EXPECT_EQ(again.rerun, Rerun::near);
  EXPECT_GT(again.executions, 1U);
  EXPECT_THAT(again.divergence, HasSubstr("fault@label"));
  // What it found fails by itself.
  entry.deviations = normalised(again.choices);
  entry.digest = again.digest;
  EXPECT_EQ(rerun(scenario, entry).rerun, Rerun::identical);
}

TEST(Rerun, OfAMendedScenarioPasses) {
  const CorpusEntry entry = entry_of(story("failover-forgets-lock"));
  // Without a failover nobody forgets.
  const Scenario mended = story("failover-forgets-lock", {"search.faults.max=0"});
  RerunOptions options;
  options.neighbours = 50;
  const RerunResult again = rerun(mended, entry, options);
  EXPECT_EQ(again.rerun, Rerun::passes);
  EXPECT_EQ(again.executions, 51U);
  // A run that is recorded as passing owes no search.
  CorpusEntry fixed = entry;
  fixed.deviations = normalised(again.choices);
  fixed.digest = again.digest;
  EXPECT_EQ(rerun(mended, fixed, options).executions, 1U);
}

TEST(Standing, IsByWhatTheEntryIsKeptFor) {
  for (const Rerun fails : {Rerun::identical, Rerun::same, Rerun::near}) {
    EXPECT_EQ(standing_of(EntryStatus::open, fails), Standing::as_recorded);
    EXPECT_EQ(standing_of(EntryStatus::fixed, fails), Standing::regression);
    EXPECT_EQ(standing_of(EntryStatus::expected, fails), Standing::as_recorded);
  }
  EXPECT_EQ(standing_of(EntryStatus::open, Rerun::passes), Standing::mended);
  EXPECT_EQ(standing_of(EntryStatus::fixed, Rerun::passes), Standing::as_recorded);
  EXPECT_EQ(standing_of(EntryStatus::expected, Rerun::passes), Standing::dead);
}

// --- Neighbours ---------------------------------------------------------------------------------

RC_GTEST_PROP(Neighbour, IsAFunctionOfSetAndNumber, ()) {
  const std::vector<Deviation> set = *any_deviations();
  const auto number = *rc::gen::inRange<std::uint64_t>(0, 1000);
  const std::vector<Deviation> near = neighbour_of(set, number);
  RC_ASSERT(near == neighbour_of(set, number));
  RC_ASSERT(near.size() <= set.size());
  RC_ASSERT(near == normalised(near));
}

TEST(Neighbour, ZeroIsTheSetWithoutItsWitnesses) {
  std::vector<Deviation> set = three_deviations();
  const std::vector<Deviation> near = neighbour_of(set, 0);
  for (Deviation& deviation : set)
    deviation.witness = kAnyWitness;
  EXPECT_EQ(near, normalised(set));
}

TEST(Neighbour, OthersDifferFromEachOther) {
  std::vector<std::vector<Deviation>> seen;
  for (std::uint64_t number = 1; number <= 200; ++number) {
    const std::vector<Deviation> near = neighbour_of(three_deviations(), number);
    if (std::find(seen.begin(), seen.end(), near) == seen.end()) seen.push_back(near);
  }
  EXPECT_GT(seen.size(), 100U);
}

}  // namespace
}  // namespace locklab
