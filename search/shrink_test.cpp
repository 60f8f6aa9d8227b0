// Shrinking found failures: how small they get, and that they stay the same failure.
// SPDX-License-Identifier: Apache-2.0
#include "search/shrink.h"

#include <gtest/gtest.h>

#include "search/questions.h"
#include "search/search_testing.h"
#include "sim/sources.h"

namespace locklab {
namespace {

using testing_search::first_violation;
using testing_search::story;

struct Failure {
  std::string_view story;
  std::string_view property;
  std::uint32_t deviations_most;
};
constexpr Failure kFailures[] = {
    {"pause-outlives-lease", "double-ownership", 1},
    {"late-write", "serializable-effects", 1},
    {"late-blind-del", "no-foreign-mutation", 1},
    {"failover-forgets-lock", "no-lost-update", 1},
    {"crash-between-setnx-and-expire", "eventual-release", 1},
    {"redlock-clock-jump", "double-ownership", 3},
};

/// Judges a set of choices from outside the shrinker.
class Judgement {
 public:
  Judgement(const Scenario& scenario, std::string_view property) : scenario_(scenario) {
    for (const Property& each : all_properties()) {
      if (each.name == property) properties_.push_back(each);
    }
    judge_ = std::make_unique<Judge>(properties_);
  }
  /// nullopt: it holds.
  std::optional<Signature> operator()(std::span<const Deviation> choices) {
    source_.load(choices);
    const Execution& execution = runner_.run(scenario_, source_);
    const NamedFinding& named = judge_->judge(*execution.history)[0];
    if (named.finding.verdict != Verdict::violated) return std::nullopt;
    return signature_of(*execution.history, judge_->lanes(), named);
  }

 private:
  const Scenario& scenario_;
  std::vector<Property> properties_;
  std::unique_ptr<Judge> judge_;
  Runner runner_;
  ReplaySource source_;
};

struct ShrunkStory {
  Scenario scenario;
  FoundRun found;
  ShrinkResult shrunk;
};

ShrunkStory shrunk_story(const Failure& failure) {
  ShrunkStory result{story(failure.story), {}, {}};
  result.found = first_violation(result.scenario, failure.property);
  result.shrunk = shrink(result.scenario, result.found.choices, failure.property);
  return result;
}

TEST(Shrink, LeavesOnlyWhatTheFailureNeeds) {
  for (const Failure& failure : kFailures) {
    SCOPED_TRACE(failure.story);
    const auto [scenario, found, shrunk] = shrunk_story(failure);
    EXPECT_TRUE(shrunk.reproduced);
    EXPECT_TRUE(shrunk.minimal);
    EXPECT_TRUE(shrunk.verified);
    EXPECT_LE(shrunk.deviations_after, failure.deviations_most);
    EXPECT_LT(shrunk.executions, 500U);
    EXPECT_LE(size_of(shrunk.choices), size_of(found.choices));
  }
}

TEST(Shrink, IsTheSameFailureAndNoChoiceCanBeLeftOut) {
  for (const Failure& failure : kFailures) {
    SCOPED_TRACE(failure.story);
    const auto [scenario, found, shrunk] = shrunk_story(failure);
    Judgement judgement(scenario, failure.property);
    const std::optional<Signature> before = judgement(found.choices);
    const std::optional<Signature> after = judgement(shrunk.choices);
    ASSERT_TRUE(before && after);
    EXPECT_TRUE(before->same_failure(*after)) << to_string(*before) << " / " << to_string(*after);
    for (std::size_t i = 0; i < shrunk.choices.size(); ++i) {
      std::vector<Deviation> less = shrunk.choices;
      less.erase(less.begin() + static_cast<std::ptrdiff_t>(i));
      const std::optional<Signature> without = judgement(less);
      EXPECT_FALSE(without && without->same_failure(*after)) << "choice " << i;
    }
  }
}

TEST(Shrink, ChangesNothingTheSecondTime) {
  for (const Failure& failure : kFailures) {
    SCOPED_TRACE(failure.story);
    const auto [scenario, found, once] = shrunk_story(failure);
    const ShrinkResult twice = shrink(scenario, once.choices, failure.property);
    EXPECT_EQ(twice.choices, once.choices);
    EXPECT_EQ(twice.digest, once.digest);
    EXPECT_TRUE(twice.minimal);
  }
}

TEST(Shrink, ReplacesAFaultByAWeakerOneThatDoesTheSame) {
  // Whoever comes to that point stops beyond its lease, by a frozen machine or by a pause. (Another
  // client's machine can be frozen there, but only its own process be paused.)
  const Scenario scenario = story("pause-outlives-lease", {"search.faults.of=freeze,pause"});
  const auto freezes_itself = [](const FoundRun& run) {
    return std::any_of(run.choices.begin(), run.choices.end(), [](const Deviation& deviation) {
      const FaultValue fault = FaultValue::unpack(deviation.value);
      return deviation.address.kind() == ChoiceKind::fault_at_label &&
             fault.kind == FaultKind::freeze && fault.target == 1 + deviation.address.actor().value;
    });
  };
  FoundRun found = first_violation(scenario, "double-ownership");
  while (!freezes_itself(found)) {
    ASSERT_LT(found.seed, 5000U);
    found = first_violation(scenario, "double-ownership", found.seed + 1);
  }
  const ShrinkResult shrunk = shrink(scenario, found.choices, "double-ownership");
  ASSERT_EQ(shrunk.deviations_after, 1U);
  for (const Deviation& deviation : shrunk.choices) {
    if (deviation.address.kind() != ChoiceKind::fault_at_label) continue;
    EXPECT_EQ(FaultValue::unpack(deviation.value).kind, FaultKind::pause);
  }
}

TEST(Shrink, BringsSeedsOfOneBugToOneToken) {
  // Whichever client the seed had paused in whichever round, and whatever else had gone wrong.
  const Scenario scenario = story("redlock-clock-jump");
  const FoundRun one = first_violation(scenario, "double-ownership");
  const FoundRun other = first_violation(scenario, "double-ownership", one.seed + 1);
  ASSERT_NE(one.choices, other.choices);

  const ShrinkResult first = shrink(scenario, one.choices, "double-ownership");
  const ShrinkResult second = shrink(scenario, other.choices, "double-ownership");

  ASSERT_TRUE(first.signature.same_failure(second.signature));
  EXPECT_EQ(first.choices, second.choices);
  EXPECT_EQ(first.digest, second.digest);
}

/// Two pauses that fail together, and neither of them alone.
std::vector<Deviation> two_pauses(const Scenario& scenario, std::string_view property) {
  Runner runner;
  ZeroSource zeros;
  ListeningSource listening(zeros, runner.simulation().world().history());
  runner.run(scenario, listening);
  std::vector<Address> points;
  for (const Question& question : listening.questions()) {
    if (question.bound == 0) points.push_back(question.address);
  }
  const std::uint64_t pause =
      FaultValue{FaultKind::pause, 0, Bucket::constant(Bucket::third_of_ttl), 50, 0}.pack();
  Judgement judgement(scenario, property);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Deviation first{points[i], pause, kAnyWitness};
    if (judgement(std::span(&first, 1))) continue;
    for (std::size_t j = i + 1; j < points.size(); ++j) {
      const Deviation second{points[j], pause, kAnyWitness};
      std::vector<Deviation> both = {first, second};
      if (!judgement(std::span(&second, 1)) && judgement(both)) return both;
    }
  }
  return {};
}

TEST(Shrink, OneFaultThatLastsLongerDoesTheWorkOfTwo) {
  const Scenario scenario = story(
      "pause-outlives-lease",
      {"search.faults.of=pause", "search.faults.max=2", "search.faults.at=hold.check_ok,res.sent"});
  const std::vector<Deviation> both = two_pauses(scenario, "serializable-effects");
  ASSERT_EQ(both.size(), 2U);

  const ShrinkResult result = shrink(scenario, both, "serializable-effects");

  EXPECT_TRUE(result.reproduced);
  EXPECT_EQ(result.deviations_before, 2U);
  EXPECT_EQ(result.deviations_after, 1U);
}

TEST(Shrink, StaysWithinItsBudgetAndKeepsTheBestSoFar) {
  const Scenario scenario = story("redlock-clock-jump");
  const FoundRun found = first_violation(scenario, "double-ownership");
  const ShrinkResult whole = shrink(scenario, found.choices, "double-ownership");
  ShrinkOptions options;
  options.budget = 10;
  const ShrinkResult cut = shrink(scenario, found.choices, "double-ownership", options);
  EXPECT_FALSE(cut.minimal);
  EXPECT_TRUE(cut.verified);
  EXPECT_LE(cut.executions, options.budget + 2);  // The two that verify.
  EXPECT_LT(size_of(cut.choices), size_of(found.choices));
  EXPECT_LT(size_of(whole.choices), size_of(cut.choices));
}

TEST(Shrink, EndsWhenCancelledWithTheBestSoFar) {
  const Scenario scenario = story("redlock-clock-jump");
  const FoundRun found = first_violation(scenario, "double-ownership");
  std::uint32_t executions = 0;
  ShrinkOptions options;
  options.progress = [&executions](const ShrinkProgress& progress) {
    EXPECT_EQ(progress.budget, 2000U);
    executions = progress.executions;
  };
  options.cancelled = [&executions] { return executions >= 12; };
  const ShrinkResult cut = shrink(scenario, found.choices, "double-ownership", options);
  EXPECT_FALSE(cut.minimal);
  EXPECT_TRUE(cut.verified);
  EXPECT_EQ(cut.executions, 14U);
  EXPECT_LT(size_of(cut.choices), size_of(found.choices));
}

TEST(Shrink, SaysSoWhenTheChoicesDoNotFail) {
  const Scenario scenario = story("pause-outlives-lease");
  const ShrinkResult nothing = shrink(scenario, {}, "double-ownership");
  EXPECT_FALSE(nothing.reproduced);
  EXPECT_EQ(nothing.executions, 1U);
}

TEST(SizeOf, CountsDeviationsBeforeAnythingElse) {
  const Address order = Address::of(Span{}, ActorId{1}, ChoiceKind::delay_at_link, Label::none, 1);
  const Address free = Address::of(Span{}, ActorId{1}, ChoiceKind::start_phase, Label::none, 1);
  const std::vector<Deviation> one_large = {{order, 31, kAnyWitness}, {free, 31, kAnyWitness}};
  const std::vector<Deviation> free_only = {{free, 31, kAnyWitness}};
  const std::vector<Deviation> one_small = {{order, 1, kAnyWitness}, {free, 31, kAnyWitness}};
  EXPECT_LT(size_of(free_only), size_of(one_small));
  EXPECT_LT(size_of(one_small), size_of(one_large));
  EXPECT_EQ(size_of(one_large).deviations, 1U);
}

}  // namespace
}  // namespace locklab
