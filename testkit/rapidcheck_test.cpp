// Properties of worlds: what RapidCheck draws, what it shrinks, and what a failure says.
// SPDX-License-Identifier: Apache-2.0
#include "testkit/rapidcheck.h"

#include <gtest/gtest-spi.h>

#include "testkit/locks_testing.h"

namespace locklab {
namespace {

using testing::Blind;
using testing::Careful;
using testing::Closed;
using testing::Plain;

// A slow link may not break these; a pause may, as it breaks every lease.
LOCKLAB_PROP(Worlds, WithSlowLinksHoldACarefulLock, (const LockParams& params, Seed first)) {
  return world.with(params)
      .with(first)
      .clients<Careful>(2)
      .faults({.of = {FaultKind::slow}, .at = {Label::rel_before_send}})
      .holds(no_foreign_mutation, runs(5));
}

LOCKLAB_PROP(Worlds, OfAnyPlanCanBe, (const Plan& plan)) {
  return world.with(plan).clients<Plain>().reaches("op_begin", runs(1));
}

LOCKLAB_PROP(Worlds, OfAnyPartsCanBe,
             (const FaultPlan& faults, const Deployment& deployment, const LockParams& params)) {
  return world.with(faults)
      .with(deployment)
      .with(params)
      .clients<Careful>()
      .reaches("op_begin", runs(1));
}

Judgement blind_holds(TestWorld& world, const Plan& plan) {
  return world.with(plan).clients<Blind>().holds(no_foreign_mutation, runs(10));
}

/// The text of the failures of a property, with their place.
template <class... Parts>
std::string failure_of(Judgement (*body)(TestWorld&, Parts...)) {
  ::testing::TestPartResultArray results;
  {
    const ::testing::ScopedFakeTestPartResultReporter reporter(
        ::testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
    testkit::check_worlds(body, "user_test.cpp", 77);
  }
  std::string text;
  for (int i = 0; i < results.size(); ++i) {
    const ::testing::TestPartResult& result = results.GetTestPartResult(i);
    text += std::string(result.file_name()) + ":" + std::to_string(result.line_number()) + ": " +
            result.message();
  }
  return text;
}

TEST(PropertiesOfWorlds, FailWithTheSmallestWorldAndItsShrunkSchedule) {
  const std::string text = failure_of(blind_holds);
  // With or without a fault, by the length of the work; what plays no part is small or as usual.
  EXPECT_THAT(text, ::testing::ContainsRegex(
                        "^user_test.cpp:77: .(no faults|at most 1 of [a-z-]+, anywhere); "
                        "2 clients, 0 replicas, 1 rounds of 1 effects; ttl [^,]+, margin 20ms, "
                        "work [^,]+, poll 100ms; seed "));
  EXPECT_THAT(text, ::testing::HasSubstr("✗ no-foreign-mutation violated: "));
  EXPECT_THAT(text, ::testing::ContainsRegex(" to [01] deviations? in "));
  EXPECT_THAT(text, ::testing::HasSubstr("replay  RC_PARAMS="));
  EXPECT_THAT(text, ::testing::HasSubstr(" LOCKLAB_REPLAY=ll1:properties-of-worlds-"));
}

TEST(PropertiesOfWorlds, LoseTheFaultsThatTheyDoNotNeed) {
  const std::string text = failure_of(+[](TestWorld& world, const FaultPlan& faults) {
    return world.with(faults).clients<Careful>(2).holds(double_ownership, runs(20));
  });
  // "at most 1 of pause, anywhere": one kind, and once.
  EXPECT_THAT(text, ::testing::ContainsRegex("^user_test.cpp:77: .at most 1 of [a-z-]+, a"));
}

TEST(PropertiesOfWorlds, FailWhenNoWorldPutsThemToTheTest) {
  const std::string text = failure_of(+[](TestWorld& world, const Plan& plan) {
    return world.with(plan).clients<Closed>().holds(double_ownership, runs(1));
  });
  EXPECT_THAT(text, ::testing::HasSubstr("none of "));
}

TEST(PropertiesOfWorlds, FailWhenAWorldCannotBe) {
  const std::string text = failure_of(+[](TestWorld& world, const Plan&) {
    return world.clients<Closed>(0).holds(double_ownership);
  });
  EXPECT_THAT(text, ::testing::HasSubstr("count: out of range: 1 to 16"));
}

TEST(PropertiesOfWorlds, DrawOnlyTheFaultsThatTheyAreGiven) {
  const bool holds = rc::check([] {
    const FaultPlan plan =
        *any_faults({.of = {FaultKind::pause, FaultKind::kill}, .at = {Label::rel_sent}, .max = 3});
    RC_ASSERT(plan.search.max <= 3U);
    const FaultKinds both = FaultKinds{}.with(FaultKind::pause).with(FaultKind::kill);
    RC_ASSERT((plan.search.of.bits & ~both.bits) == 0U);
    RC_ASSERT((plan.search.at_labels & ~(1U << static_cast<unsigned>(Label::rel_sent))) == 0U);
  });
  EXPECT_TRUE(holds);
}

}  // namespace
}  // namespace locklab
