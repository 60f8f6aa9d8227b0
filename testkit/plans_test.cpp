// Plans: what is smaller, in which order it is tried, and that it comes to an end.
// SPDX-License-Identifier: Apache-2.0
#include "testkit/plans.h"

#include <sstream>

#include <gmock/gmock.h>

namespace locklab::testkit {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Not;

template <class T>
std::string text(const T& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

/// How many steps it takes when the boldest step is always accepted, or always the most timid.
template <class T>
unsigned descent(T value, bool bold) {
  for (unsigned steps = 0;; ++steps) {
    const std::vector<T> next = smaller(value);
    if (next.empty() || steps == 1000) return steps;
    EXPECT_THAT(next, Not(Contains(value)));
    value = bold ? next.front() : next.back();
  }
}

Plan largest() {
  Plan plan;
  plan.faults = plan_of({.of = {FaultKind::pause, FaultKind::kill, FaultKind::jump},
                         .at = {Label::acq_sent, Label::rel_sent},
                         .max = 2});
  plan.deployment = {4, 2, 3, 2};
  plan.lock = {milliseconds(1234), milliseconds(37), milliseconds(777), milliseconds(99)};
  plan.seed = seed(42);
  return plan;
}

TEST(Plans, ShrinkToAnEnd) {
  EXPECT_EQ(descent(largest(), true) > 3, true);
  EXPECT_LT(descent(largest(), true), 100U);
  EXPECT_LT(descent(largest(), false), 100U);
}

TEST(Plans, DropFaultsBeforeClientsAndRoundTimesLast) {
  const std::vector<Plan> plans = smaller(largest());

  ASSERT_FALSE(plans.empty());
  EXPECT_EQ(plans.front().faults, FaultPlan{});
  EXPECT_EQ(plans.front().deployment, largest().deployment);
  EXPECT_NE(plans.back().lock, largest().lock);
  // Nothing that changes clients comes before the last that changes faults, and so on.
  int stage = 0;
  for (const Plan& plan : plans) {
    const int part = !(plan.faults == largest().faults)           ? 0
                     : !(plan.deployment == largest().deployment) ? 1
                                                                  : 2;
    EXPECT_GE(part, stage);
    stage = part;
    EXPECT_EQ(plan.seed, largest().seed);
  }
  EXPECT_EQ(stage, 2);
}

TEST(Plans, OfWhatIsSmallestHaveNothingSmaller) {
  EXPECT_THAT(smaller(FaultPlan{}), IsEmpty());
  EXPECT_THAT(smaller(LockParams{}), IsEmpty());
  EXPECT_THAT(smaller(Deployment{1, 0, 1, 1}), IsEmpty());
}

TEST(Plans, OfFaultsLoseThemAllThenOneThenAKindThenALabel) {
  const FaultPlan plan =
      plan_of({.of = {FaultKind::pause, FaultKind::kill}, .at = {Label::acq_sent}, .max = 2});

  const std::vector<FaultPlan> plans = smaller(plan);

  ASSERT_EQ(plans.size(), 4U);
  EXPECT_EQ(text(plans[0]), "no faults");
  EXPECT_EQ(text(plans[1]), "at most 1 of pause kill, at acq.sent");
  EXPECT_EQ(text(plans[2]), "at most 2 of kill, at acq.sent");
  EXPECT_EQ(text(plans[3]), "at most 2 of pause, at acq.sent");
}

TEST(Plans, OfTimesBecomeUsualOrRounder) {
  LockParams params;
  params.ttl = milliseconds(1234);

  const std::vector<LockParams> all = smaller(params);

  std::vector<std::string> ttls;
  ttls.reserve(all.size());
  for (const LockParams& less : all)
    ttls.push_back(to_string(less.ttl));
  EXPECT_THAT(ttls, ::testing::ElementsAre("1s", "1.2s", "1230ms"));
}

TEST(Plans, NeverMakeAMarginThatIsNotShorterThanTheTtl) {
  LockParams params;
  params.ttl = milliseconds(15);
  params.margin = milliseconds(9);
  for (const LockParams& less : smaller(params))
    EXPECT_LT(less.margin, less.ttl);
}

TEST(Plans, AreTold) {
  EXPECT_EQ(text(largest()),
            "at most 2 of pause kill jump, at acq.sent rel.sent; 4 clients, 2 replicas, 3 rounds "
            "of 2 effects; ttl 1234ms, margin 37ms, work 777ms, poll 99ms; seed 42");
}

}  // namespace
}  // namespace locklab::testkit
