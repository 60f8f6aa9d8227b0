// LOCKLAB_REPLAY: the one run that it names, in the one world, and what does not fit.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest-spi.h>

#include "testkit/gtest.h"
#include "testkit/locks_testing.h"
#include "testkit/running.h"

namespace locklab {
namespace {

using testing::Blind;
using ::testing::HasSubstr;
using testing::Variable;

TestWorld blind(std::string_view name = "blind") {
  TestWorld world(name);
  world.clients<Blind>(3).faults({.of = {FaultKind::slow}, .at = {Label::rel_before_send}});
  return world;
}

std::string token_of_failure() {
  return blind().violates(double_ownership, runs(200)).token;
}

/// The token with another byte in its digest.
std::string with_other_digest(std::string token) {
  token.back() = token.back() == '0' ? '1' : '0';
  return token;
}

TEST(Replay, RunsThatScheduleAndSaysWhatItShows) {
  const Variable variable("LOCKLAB_REPLAY", token_of_failure());
  EXPECT_NONFATAL_FAILURE(EXPECT_HOLDS(blind(), double_ownership, runs(1)),
                          "replayed by LOCKLAB_REPLAY, identical: double-ownership violated");
  EXPECT_VIOLATES(blind(), double_ownership, runs(1));
  EXPECT_HOLDS(blind(), fence_order, runs(1));
  EXPECT_NONFATAL_FAILURE(EXPECT_VIOLATES(blind(), fence_order, runs(1)), "fence-order holds");
  EXPECT_REACHES(blind(), "fault_begin", runs(1));
  EXPECT_NONFATAL_FAILURE(EXPECT_REACHES(blind(), "promoted", runs(1)),
                          "promoted does not happen in this run");
}

TEST(Replay, GivesTheSameRunToThoseWhoAskForOne) {
  const std::string token = token_of_failure();
  const Variable variable("LOCKLAB_REPLAY", token);
  const TestRun run = blind().run(seed(1));
  EXPECT_EQ(run.problem(), "");
  EXPECT_EQ(run.token(), token);
  EXPECT_THAT(run, Violates(double_ownership));
}

TEST(Replay, SaysWhenTheRunIsNoLongerTheSame) {
  const Variable variable("LOCKLAB_REPLAY", with_other_digest(token_of_failure()));
  EXPECT_NONFATAL_FAILURE(EXPECT_HOLDS(blind(), double_ownership),
                          "LOCKLAB_REPLAY diverged: the digest differs");
}

TEST(Replay, RefusesATokenThatIsNone) {
  const Variable variable("LOCKLAB_REPLAY", "ll1:blind");
  EXPECT_NONFATAL_FAILURE(EXPECT_HOLDS(blind(), double_ownership), "and no token: ");
}

TEST(Replay, PassesOverOtherWorlds) {
  const std::string token = token_of_failure();
  const Variable variable("LOCKLAB_REPLAY", token);
  EXPECT_EQ(blind("other").holds(double_ownership).reason, Reason::passed_over);
  EXPECT_EQ(blind().ttl(2_s).holds(double_ownership).reason, Reason::passed_over);
  EXPECT_HOLDS(blind("other"), double_ownership);
  // Else this test would be skipped at its end, by the rule that the next test is about.
  EXPECT_EQ(blind().holds(double_ownership).reason, Reason::violated);
}

TEST(Replay, EndsATestInWhichNothingWasReplayed) {
  using testkit::AtEnd;
  const Token token = parse_token(token_of_failure()).token;

  EXPECT_EQ(testkit::at_end({1, {}, ""}, token).what, AtEnd::What::nothing);
  EXPECT_EQ(testkit::at_end({1, {"0123abcd"}, "other"}, token).what, AtEnd::What::nothing);
  EXPECT_EQ(testkit::at_end({0, {}, ""}, token).what, AtEnd::What::nothing);  // It has no world.
  const AtEnd other = testkit::at_end({0, {}, "other"}, token);
  EXPECT_EQ(other.what, AtEnd::What::skip);
  EXPECT_EQ(other.text, "LOCKLAB_REPLAY names blind, this is other");
  const AtEnd namesake = testkit::at_end({0, {"0123abcd"}, ""}, token);
  EXPECT_EQ(namesake.what, AtEnd::What::fail);
  EXPECT_THAT(namesake.text, HasSubstr("this test's 0123abcd"));
}

TEST(Replay, OfATokenInTheTestIsThatRun) {
  const std::string token = token_of_failure();
  const TestRun run = blind().replay(token);
  EXPECT_EQ(run.problem(), "");
  EXPECT_THAT(run, Violates(double_ownership));
}

TEST(Replay, OfATokenThatDoesNotFitSaysWhy) {
  const std::string token = token_of_failure();
  EXPECT_THAT(blind("other").replay(token).problem(),
              HasSubstr("the token is of blind, and this world is other"));
  EXPECT_THAT(blind().ttl(2_s).replay(token).problem(), HasSubstr("edited since?"));
  EXPECT_THAT(blind().replay(with_other_digest(token)).problem(), HasSubstr("diverged: "));
  EXPECT_THAT(blind().replay("").problem(), HasSubstr("is no token"));
  EXPECT_THAT(blind().replay("ll1:blind@00000000:f.0123456789abcdef.00000000").problem(),
              HasSubstr("trace file"));
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(blind().replay("x"), Holds(double_ownership)),
                          "\"x\" is no token");
}

TEST(Replay, CommandNamesTheProgramAndTheTest) {
  const std::string command = testkit::replay_command("ll1:a@00000000:s1.00000000");
  EXPECT_THAT(command, ::testing::StartsWith("LOCKLAB_REPLAY=ll1:a@00000000:s1.00000000 "));
  EXPECT_THAT(command,
              ::testing::EndsWith(" --gtest_filter=Replay.CommandNamesTheProgramAndTheTest"));
  const testkit::CommandPrefix prefix("A=b ");
  EXPECT_THAT(testkit::replay_command("t"), ::testing::StartsWith("A=b LOCKLAB_REPLAY=t "));
}

}  // namespace
}  // namespace locklab
