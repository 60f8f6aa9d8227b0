// Matchers: what they see in one run, and what they say when they do not see it.
// SPDX-License-Identifier: Apache-2.0
#include "testkit/matchers.h"

#include <gtest/gtest-spi.h>

#include "testkit/gtest.h"
#include "testkit/locks_testing.h"

namespace locklab {
namespace {

using testing::Blind;
using testing::Careful;
using ::testing::Not;

/// client-1 is paused for two seconds before its first write; its key expires meanwhile.
TestWorld paused() {
  PlannedFault pause;
  pause.kind = FaultKind::pause;
  pause.trigger.label = Label::res_before_send;
  pause.trigger.client = "client-1";
  pause.trigger.nth = 2;
  pause.length = 2_s;
  TestWorld world("paused");
  world.clients<Careful>(2).fault(pause);
  return world;
}

TEST(Matchers, SeeWhetherAPropertyHolds) {
  const TestRun calm = TestWorld("calm").clients<Careful>(2).run();
  EXPECT_THAT(calm, Holds(double_ownership));
  EXPECT_THAT(calm, Not(Violates(double_ownership)));
  EXPECT_THAT(paused().run(), Violates(double_ownership));
  EXPECT_THAT(paused().run(), Not(Holds(double_ownership)));
}

TEST(Matchers, TellTheStoryOfARunInWhichItDoesNotHold) {
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(paused().run(), Holds(double_ownership)),
                          "✗ double-ownership violated: ");
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(paused().run(), Holds(double_ownership)),
                          "replay  LOCKLAB_REPLAY=ll1:paused@");
  EXPECT_NONFATAL_FAILURE(
      EXPECT_THAT(TestWorld("calm").clients<Careful>(2).run(), Violates(double_ownership)),
      "in which it holds");
}

TEST(Matchers, DoNotTakeARunForAProofThatPutsNothingToTheTest) {
  EXPECT_NONFATAL_FAILURE(
      EXPECT_THAT(TestWorld("calm").clients<Careful>(2).run(), Holds(fence_order)),
      "which never puts it to the test");
}

TEST(Matchers, SeeTheOrderOfEvents) {
  const TestRun run = paused().run();
  EXPECT_THAT(run, HappensBefore(granted("client-1"), entered("client-1")));
  EXPECT_THAT(run, HappensBefore(struck(FaultKind::pause), expired("lock:order-42")));
  EXPECT_THAT(run, HappensBefore(expired("lock:order-42"), granted("client-2")));
  EXPECT_THAT(run, HappensBefore(entered("client-2"), left("client-1")));
  EXPECT_THAT(run, HappensBefore(left("client-2"), released("client-2")));
  EXPECT_THAT(run, HappensBefore(event(EventKind::paused, "client-1"),
                                 event(EventKind::resumed, "client-1")));
  EXPECT_THAT(run, Not(HappensBefore(granted("client-2"), expired("lock:order-42"))));
  EXPECT_THAT(run, Not(HappensBefore(granted("client-1"), granted("client-1"))));
  EXPECT_THAT(run, Not(HappensBefore(granted("client-1"), promoted("replica-1"))));
}

TEST(Matchers, SayWhenEventsHappenInAnotherOrderOrNever) {
  EXPECT_NONFATAL_FAILURE(
      EXPECT_THAT(paused().run(), HappensBefore(granted("client-2"), granted("client-1"))),
      "client-1 is granted the lock first at ");
  EXPECT_NONFATAL_FAILURE(
      EXPECT_THAT(paused().run(), HappensBefore(granted("client-3"), granted("client-1"))),
      "client-3 is granted the lock never");
}

TEST(Runs, SayWhatIsStoredAtTheirEnd) {
  const TestRun run = TestWorld("calm").clients<Careful>(2).run();
  EXPECT_EQ(run.final_value("lock:order-42"), std::nullopt);
  EXPECT_EQ(run.final_value("other"), std::nullopt);
  EXPECT_EQ(run.final_version(), 4U);  // Two clients, two rounds.
  EXPECT_EQ(run.final_version(1), 0U);
}

TEST(Runs, OfOneSeedAreTheSame) {
  EXPECT_EQ(paused().run(seed(5)).digest(), paused().run(seed(5)).digest());
  EXPECT_NE(paused().run(seed(5)).digest(), paused().run(seed(6)).digest());
  const TestRun run = paused().run(seed(5));
  EXPECT_EQ(paused().replay(run.token()).digest(), run.digest());
}

TEST(Schedules, AreTakenToAnotherWorld) {
  TestWorld trap("one");
  trap.clients<Blind>(3).faults({.of = {FaultKind::slow}, .at = {Label::rel_before_send}});
  TestWorld mend("two");
  mend.clients<Careful>(3).faults({.of = {FaultKind::slow}, .at = {Label::rel_before_send}});
  const std::string token = trap.violates(double_ownership, runs(200)).token;
  ASSERT_NE(token, "");

  const TestRun bad = trap.replay(token);
  const TestRun good = mend.run(bad);

  EXPECT_THAT(bad, Violates(double_ownership));
  EXPECT_THAT(good, Holds(double_ownership));
  EXPECT_SAME_SCHEDULE(bad, bad);
}

TEST(Schedules, ThatDifferAreToldByTheirFirstDifference) {
  EXPECT_NONFATAL_FAILURE(EXPECT_SAME_SCHEDULE(paused().run(), paused().run(seed(3))),
                          "the first choice that only one of them has, or has so, is ");
  EXPECT_NONFATAL_FAILURE(EXPECT_SAME_SCHEDULE(paused().run(), TestWorld("a").run()),
                          "has no clients");
  EXPECT_SAME_SCHEDULE(paused().run(), TestWorld("calm").clients<Careful>(2).run());
}

}  // namespace
}  // namespace locklab
