// Tests of why: the planted cause of each trap is named, with its threshold; and so is its absence.
// SPDX-License-Identifier: Apache-2.0
#include "search/why.h"

#include <gtest/gtest.h>

#include "search/questions.h"
#include "search/search_testing.h"
#include "search/shrink.h"
#include "sim/sources.h"

namespace locklab {
namespace {

using testing_search::first_violation;
using testing_search::story;

/// A failing run of a story, shrunk and explained with few forks: odds are no exact science here.
struct Explained {
  Scenario scenario;
  Explanation why;
};

Explained explained(std::string_view name, std::string_view property, std::uint32_t forks = 20,
                    const std::vector<std::string>& set = {}) {
  Explained result{set.empty() ? story(name) : story(name, set), {}};
  const FoundRun found = first_violation(result.scenario, property);
  const ShrinkResult shrunk = shrink(result.scenario, found.choices, property);
  WhyOptions options;
  options.forks = forks;
  result.why = explain(result.scenario, shrunk.choices, property, options);
  return result;
}

const Role* fault_of(const Explanation& why) {
  for (const Role& role : why.roles) {
    if (role.deviation.address.kind() == ChoiceKind::fault_at_label) return &role;
  }
  return nullptr;
}

FaultKind kind_of(const Role& role) {
  return FaultValue::unpack(role.deviation.value).kind;
}

const Threshold* threshold_of(const Role& role, Amount amount) {
  for (const Threshold& threshold : role.thresholds) {
    if (threshold.amount == amount) return &threshold;
  }
  return nullptr;
}

std::uint32_t violated_in(const Scenario& scenario, std::span<const Deviation> choices,
                          std::string_view property) {
  Runner runner;
  Judge judge(all_properties());
  ReplaySource source;
  source.load(choices);
  for (const NamedFinding& named : judge.judge(*runner.run(scenario, source).history)) {
    if (named.property->name == property && named.finding.verdict == Verdict::violated) return 1;
  }
  return 0;
}

struct Planted {
  std::string_view story;
  std::string_view property;
  FaultKind cause;
};
/// What each trap's story lets strike, one or more of each trap.
constexpr Planted kPlanted[] = {
    {"crash-between-setnx-and-expire", "no-orphan-key", FaultKind::kill},
    {"late-blind-del", "no-foreign-mutation", FaultKind::pause},
    {"pause-outlives-lease", "serializable-effects", FaultKind::pause},
    {"retried-unlock", "reentrancy-balance", FaultKind::lost_reply},
    {"late-write", "no-lost-update", FaultKind::slow},
    {"failover-forgets-lock", "double-ownership", FaultKind::failover},
    {"redlock-clock-jump", "double-ownership", FaultKind::jump},
};

TEST(Why, NamesThePlantedCauseOfEachTrap) {
  for (const Planted& planted : kPlanted) {
    SCOPED_TRACE(planted.story);
    const auto [scenario, why] = explained(planted.story, planted.property);
    ASSERT_TRUE(why.reproduced);
    EXPECT_TRUE(why.complete);
    ASSERT_TRUE(why.cause.has_value());
    const std::optional<Deviation>& by = why.rewinds[*why.cause].by;
    ASSERT_TRUE(by.has_value());
    EXPECT_EQ(FaultValue::unpack(by->value).kind, planted.cause);
    const Role* const fault = fault_of(why);
    ASSERT_NE(fault, nullptr);
    EXPECT_TRUE(fault->needed);
    EXPECT_EQ(kind_of(*fault), planted.cause);
  }
}

TEST(Why, SaysThatNothingIsNeededWhereNothingStrikes) {
  const auto [scenario, why] = explained("ttl-without-unit", "double-ownership");
  ASSERT_TRUE(why.reproduced);
  EXPECT_TRUE(why.choices.empty());
  EXPECT_FALSE(why.cause.has_value());
  EXPECT_FALSE(why.nearest.has_value());
  // From the start on each fork fails.
  ASSERT_TRUE(why.no_return.has_value());
  EXPECT_EQ(*why.no_return, 0U);
}

TEST(Why, SaysSoWhenTheChoicesDoNotFail) {
  const Scenario scenario = story("late-write");
  const Explanation why = explain(scenario, {}, "no-lost-update");
  EXPECT_FALSE(why.reproduced);
  EXPECT_EQ(why.executions, 1U);
  EXPECT_TRUE(why.rewinds.empty());
}

TEST(Why, FindsTheLengthFromWhichAPauseDoesIt) {
  // From the check to where the next client is inside: the lease must be over, and another attempt
  // to get the lock must have come by, which is up to a poll interval later.
  const auto [scenario, why] = explained("pause-outlives-lease", "double-ownership", 1);
  const Role* const fault = fault_of(why);
  ASSERT_NE(fault, nullptr);
  const Threshold* const length = threshold_of(*fault, Amount::length);
  ASSERT_NE(length, nullptr);
  EXPECT_TRUE(length->exact);
  ASSERT_TRUE(length->below.has_value());
  EXPECT_LT(*length->below, length->least);
  EXPECT_LE(length->least - *length->below, milliseconds(1));
  EXPECT_GT(length->least, milliseconds(600));  // Of the lease some has been used before.
  EXPECT_LT(length->least, milliseconds(1150));
  EXPECT_FALSE(length->too_much.has_value());
}

TEST(Why, ThresholdsAreThoseOfPlannedFaultsOfThatLength) {
  // A fault written into the story by hand, at the length found, and one millisecond below.
  const auto [scenario, why] = explained("pause-outlives-lease", "double-ownership", 1);
  const Role* const fault = fault_of(why);
  ASSERT_NE(fault, nullptr);
  const Threshold* const length = threshold_of(*fault, Amount::length);
  ASSERT_TRUE(length != nullptr && length->below.has_value());
  Runner runner;
  ReplaySource run;
  run.load(why.choices);
  ListeningSource listening(run, runner.simulation().world().history());
  const Address& place = fault->deviation.address;
  const std::string actor =
      runner.run(scenario, listening).history->actors[place.actor().value].name;
  std::uint32_t visit = 0;
  for (const Question& question : listening.questions()) {
    const Address& met = question.address;
    const bool same = met.kind() == place.kind() && met.label() == place.label();
    if (same && met.actor() == place.actor()) ++visit;
    if (met == place) break;
  }
  const auto planned = [&, &story = scenario, &rest = why.choices](Duration pause) {
    Scenario copy = story;
    PlannedFault plan;
    plan.kind = FaultKind::pause;
    plan.trigger.label = fault->deviation.address.label();
    plan.trigger.actor = actor;
    plan.trigger.nth = visit;
    plan.length = pause;
    copy.world.faults.push_back(plan);
    copy.hash = scenario_hash(copy);
    std::vector<Deviation> others;
    for (const Deviation& choice : rest) {
      if (choice.address != fault->deviation.address) others.push_back(choice);
    }
    return violated_in(copy, others, "double-ownership");
  };
  EXPECT_EQ(planned(length->least), 1U);
  EXPECT_EQ(planned(*length->below), 0U);
}

TEST(Why, FindsTheSizeOfASlowLinkAndThatItsLengthIsFree) {
  const auto [scenario, why] = explained("late-write", "no-lost-update", 1);
  const Role* const fault = fault_of(why);
  ASSERT_NE(fault, nullptr);
  const Threshold* const size = threshold_of(*fault, Amount::size);
  ASSERT_NE(size, nullptr);
  EXPECT_TRUE(size->exact);
  ASSERT_TRUE(size->below.has_value());
  EXPECT_EQ(size->least - *size->below, milliseconds(1));
  const Threshold* const length = threshold_of(*fault, Amount::length);
  EXPECT_TRUE(length == nullptr || !length->below.has_value());
}

TEST(Why, AKillNeedsNoThreshold) {
  const auto [scenario, why] = explained("crash-between-setnx-and-expire", "no-orphan-key", 1);
  const Role* const fault = fault_of(why);
  ASSERT_NE(fault, nullptr);
  EXPECT_TRUE(fault->thresholds.empty());
  EXPECT_GT(fault->values_tried, 0U);
}

TEST(Why, TheNearestPassHoldsAndIsOneDeviationAway) {
  for (const Planted& planted : kPlanted) {
    SCOPED_TRACE(planted.story);
    const auto [scenario, why] = explained(planted.story, planted.property, 1);
    ASSERT_TRUE(why.nearest.has_value());
    EXPECT_EQ(violated_in(scenario, why.nearest->choices, planted.property), 0U);
    EXPECT_EQ(violated_in(scenario, why.choices, planted.property), 1U);
    const Address& changed = why.roles[why.nearest->role].deviation.address;
    for (const Deviation& choice : why.choices) {
      const auto same = std::find_if(
          why.nearest->choices.begin(), why.nearest->choices.end(),
          [&choice](const Deviation& other) { return other.address == choice.address; });
      const bool found = same != why.nearest->choices.end();
      if (choice.address == changed) {
        EXPECT_TRUE(why.nearest->dropped ? !found : found && same->value != choice.value);
      } else if (found) {
        EXPECT_EQ(same->value, choice.value);
      }
    }
  }
}

TEST(Why, RewindsGoFromNothingKeptToTheFailure) {
  const auto [scenario, why] = explained("failover-forgets-lock", "double-ownership", 20);
  ASSERT_GT(why.rewinds.size(), 2U);
  EXPECT_EQ(why.rewinds.front().answers, 0U);
  EXPECT_EQ(why.rewinds.front().first, 0U);
  for (std::size_t i = 1; i < why.rewinds.size(); ++i) {
    EXPECT_GT(why.rewinds[i].answers, why.rewinds[i - 1].answers);
    EXPECT_GT(why.rewinds[i].first, why.rewinds[i - 1].last);
    EXPECT_LE(why.rewinds[i].violated, why.forks);
  }
  EXPECT_EQ(why.rewinds.back().last, why.finding.witness.back());
  ASSERT_TRUE(why.no_return && why.cause);
  EXPECT_GE(*why.no_return, *why.cause);
  EXPECT_LT(why.rewinds.front().violated, why.forks);
}

TEST(Why, TheFirstRewindIsTheOrdinarySearch) {
  const auto [scenario, why] = explained("late-write", "no-lost-update", 60);
  const SearchResult search = explore(scenario, {1, 60, false});
  std::uint64_t violated = 0;
  for (const Tally& tally : search.tallies.all()) {
    if (tally.property->name == "no-lost-update") violated = tally.violated;
  }
  EXPECT_EQ(why.rewinds.front().violated, violated);
}

TEST(Why, IsTheSameTwice) {
  const auto once = explained("late-write", "no-lost-update", 10).why;
  const auto twice = explained("late-write", "no-lost-update", 10).why;
  EXPECT_EQ(once.executions, twice.executions);
  ASSERT_EQ(once.rewinds.size(), twice.rewinds.size());
  for (std::size_t i = 0; i < once.rewinds.size(); ++i)
    EXPECT_EQ(once.rewinds[i].violated, twice.rewinds[i].violated);
}

TEST(Why, EndsWhenCancelledWithWhatItHas) {
  const Scenario scenario = story("late-write");
  const FoundRun found = first_violation(scenario, "no-lost-update");
  const ShrinkResult shrunk = shrink(scenario, found.choices, "no-lost-update");
  std::uint64_t runs = 0;
  WhyOptions options;
  options.progress = [&runs](std::uint64_t done, std::uint64_t) { runs = done; };
  options.cancelled = [&runs] { return runs >= 30; };
  const Explanation why = explain(scenario, shrunk.choices, "no-lost-update", options);
  EXPECT_TRUE(why.reproduced);
  EXPECT_FALSE(why.complete);
  EXPECT_LE(why.executions, 33U);
  EXPECT_FALSE(why.roles.empty());
}

}  // namespace
}  // namespace locklab
