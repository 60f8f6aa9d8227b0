// Expectations: what passes, what fails, and what a failure says, in both directions.
// SPDX-License-Identifier: Apache-2.0
#include "testkit/gtest.h"

#include <gtest/gtest-spi.h>

#include "testkit/locks_testing.h"

namespace locklab {
namespace {

using testing::Blind;
using testing::Careful;
using testing::Closed;
using ::testing::HasSubstr;
using testing::Moody;
using testing::Open;
using testing::Plain;
using testing::Throwing;
using testing::Tiring;

/// Slow links while somebody unlocks: a DEL comes late. Breaks Blind in one run of twenty; the
/// seeds are fixed.
template <class L>
TestWorld slow_unlock(std::string_view name = "slow-unlock") {
  TestWorld world(name);
  world.clients<L>(3).faults({.of = {FaultKind::slow}, .at = {Label::rel_before_send}});
  return world;
}

/// The one failure of a statement.
class Failures {
 public:
  template <class F>
  static std::string of(F statement) {
    ::testing::TestPartResultArray results;
    {
      const ::testing::ScopedFakeTestPartResultReporter reporter(
          ::testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
      statement();
    }
    std::string text;
    for (int i = 0; i < results.size(); ++i) {
      const ::testing::TestPartResult& result = results.GetTestPartResult(i);
      text += std::string(result.file_name()) + ":" + std::to_string(result.line_number()) + ":" +
              (result.fatally_failed() ? " fatal: " : " ") + result.message();
    }
    return text;
  }
};

TEST(ExpectHolds, AcceptsALockThatIsRight) {
  EXPECT_HOLDS(slow_unlock<Careful>(), double_ownership, runs(200));
  EXPECT_HOLDS(slow_unlock<Plain>(), double_ownership, runs(200));
  ASSERT_HOLDS(slow_unlock<Careful>(), no_foreign_mutation);
}

TEST(ExpectHolds, TellsTheShrunkStoryOfALockThatIsWrongAtTheLineOfTheTest) {
  TestWorld world = slow_unlock<Blind>();
  int line = 0;
  const std::string text = Failures::of([&] {
    line = __LINE__ + 1;
    EXPECT_HOLDS(world, double_ownership, runs(200));
  });

  EXPECT_THAT(text, HasSubstr("gtest_test.cpp:" + std::to_string(line) +
                              ": double-ownership is "
                              "violated, in run "));
  EXPECT_THAT(text, HasSubstr(" to 1 deviation in "));
  EXPECT_THAT(text, HasSubstr("← fault"));
  EXPECT_THAT(text, HasSubstr("two inside from here"));
  EXPECT_THAT(text, HasSubstr("✗ double-ownership violated: "));
  EXPECT_THAT(text, HasSubstr("replay  LOCKLAB_REPLAY=ll1:slow-unlock@"));
  EXPECT_THAT(text, HasSubstr(" --gtest_filter=ExpectHolds.TellsTheShrunkStoryOf"));
}

TEST(ExpectHolds, EndsTheTestWhenItIsAssertHolds) {
  bool went_on = false;
  const std::string text = Failures::of([&] {
    ASSERT_HOLDS(slow_unlock<Blind>(), double_ownership, runs(200));
    went_on = true;
  });
  EXPECT_THAT(text, HasSubstr(" fatal: double-ownership is violated"));
  EXPECT_FALSE(went_on);
}

TEST(ExpectHolds, TellsTheProperyThatWasAskedFor) {
  const std::string text =
      Failures::of([] { EXPECT_HOLDS(slow_unlock<Blind>(), no_foreign_mutation, runs(200)); });
  EXPECT_THAT(text, HasSubstr("✗ no-foreign-mutation violated: "));
}

TEST(ExpectHolds, JudgesAPropertyOfTheTestsOwn) {
  const PropertyMaker calm = [] {
    return Property{.name = "nobody-waits",
                    .statement = "No acquire is refused.",
                    .check = [](const History& history, const Lanes&) {
                      Finding finding;
                      finding.exercised = 1;
                      for (const Record& record : history.records()) {
                        const bool refused =
                            record.kind == EventKind::op_return &&
                            record.result == static_cast<std::int64_t>(Outcome::refused);
                        if (!refused) continue;
                        return Finding{Verdict::violated, "somebody was refused", {record.seq}, 1};
                      }
                      return finding;
                    }};
  };
  EXPECT_HOLDS(TestWorld("alone").clients<Careful>(1), calm, runs(20));
  EXPECT_NONFATAL_FAILURE(EXPECT_HOLDS(TestWorld("two").clients<Careful>(2), calm, runs(20)),
                          "✗ nobody-waits violated: somebody was refused");
}

TEST(ExpectHolds, DoesNotPassWhenNothingIsShown) {
  EXPECT_NONFATAL_FAILURE(EXPECT_HOLDS(slow_unlock<Closed>(), double_ownership, runs(20)),
                          "was never put to the test in seeds 1 to 20: nothing is shown");
  EXPECT_NONFATAL_FAILURE(EXPECT_HOLDS(slow_unlock<Careful>(), fence_order, runs(20)),
                          "was never put to the test");
}

TEST(ExpectHolds, DoesNotPassWhenNobodyCanTell) {
  TestWorld world("short");
  world.clients<Careful>(2).set("limits.virtual=1s");
  EXPECT_NONFATAL_FAILURE(EXPECT_HOLDS(world, eventual_release, runs(20)),
                          "eventual-release is unknown in 20 of 20 runs, first with seed 1: ");
}

TEST(ExpectHolds, RefusesANumberOfRunsThatProvesNothing) {
  EXPECT_NONFATAL_FAILURE(EXPECT_HOLDS(slow_unlock<Careful>(), double_ownership, runs(0)),
                          "runs(0) tries no schedule");
  EXPECT_NONFATAL_FAILURE(EXPECT_HOLDS(slow_unlock<Careful>(), double_ownership, runs(-3)),
                          "runs(-3) tries no schedule");
}

TEST(ExpectHolds, RefusesAWorldThatCannotBe) {
  EXPECT_NONFATAL_FAILURE(EXPECT_HOLDS(TestWorld("a"), double_ownership), "has no clients");
  EXPECT_NONFATAL_FAILURE(EXPECT_HOLDS(TestWorld("a").clients<Careful>(0), double_ownership),
                          "count: out of range: 1 to 16");
  EXPECT_NONFATAL_FAILURE(EXPECT_HOLDS(slow_unlock<Careful>(), nullptr), "no such property");
}

TEST(ExpectHolds, TellsCodeThatCannotBeRepeatedFromALockThatIsWrong) {
  EXPECT_NONFATAL_FAILURE(EXPECT_HOLDS(slow_unlock<Moody>(), double_ownership, runs(50)),
                          "not repeatable: seed 1, run twice, gives two runs. They part at event ");
  // Alone each run is the same; only after others it is not.
  const std::string text = Failures::of([] {
    TestWorld world("tiring");
    world.clients<Tiring>(3).ttl(200_ms).margin(0_ms);
    world.faults({.of = {FaultKind::pause}, .at = {Label::res_before_send}});
    EXPECT_HOLDS(world, double_ownership, runs(200));
  });
  EXPECT_THAT(text, HasSubstr("gives another run when other runs come before it"));
}

TEST(ExpectHolds, TellsWhatALockThrows) {
  EXPECT_NONFATAL_FAILURE(EXPECT_HOLDS(slow_unlock<Throwing>(), double_ownership, runs(5)),
                          "a run threw, seed 1: the pool is empty");
}

TEST(ExpectViolates, AcceptsATrapThatBites) {
  EXPECT_VIOLATES(slow_unlock<Blind>(), double_ownership, runs(200));
  EXPECT_VIOLATES(TestWorld("open").clients<Open>(2), double_ownership, runs(5));
  ASSERT_VIOLATES(TestWorld("open").clients<Open>(2), double_ownership);
}

TEST(ExpectViolates, FailsWhenTheTrapIsGone) {
  EXPECT_NONFATAL_FAILURE(EXPECT_VIOLATES(slow_unlock<Careful>(), double_ownership, runs(100)),
                          "double-ownership should be violated, and never was in seeds 1 to 100");
}

TEST(ExpectReaches, AcceptsWhatHappens) {
  EXPECT_REACHES(slow_unlock<Careful>(), "fault_begin", runs(100));
  ASSERT_REACHES(TestWorld("two").clients<Careful>(2), "section_enter");
}

TEST(ExpectReaches, FailsWhenItNeverDoesOrIsNoEvent) {
  EXPECT_NONFATAL_FAILURE(EXPECT_REACHES(slow_unlock<Careful>(), "promoted", runs(30)),
                          "promoted never happened in seeds 1 to 30");
  EXPECT_NONFATAL_FAILURE(EXPECT_REACHES(slow_unlock<Careful>(), "promotd"),
                          "did you mean \"promoted\"?");
}

TEST(Expectations, BeginWithTheSeedOfTheEnvironment) {
  const testing::Variable variable("LOCKLAB_SEED", "500");
  EXPECT_NONFATAL_FAILURE(EXPECT_VIOLATES(slow_unlock<Careful>(), double_ownership, runs(10)),
                          "in seeds 500 to 509");
}

TEST(Expectations, RefuseASeedThatIsNone) {
  {
    const testing::Variable variable("LOCKLAB_SEED", "many");
    EXPECT_NONFATAL_FAILURE(EXPECT_HOLDS(slow_unlock<Careful>(), double_ownership),
                            "LOCKLAB_SEED is \"many\"");
  }
  const testing::Variable variable("LOCKLAB_SEED", "18446744073709551615");
  EXPECT_NONFATAL_FAILURE(EXPECT_HOLDS(slow_unlock<Careful>(), double_ownership, runs(2)),
                          "there are no 2 seeds");
}

TEST(Expectations, KeepTheTokenForTheXmlReport) {
  const Judgement judgement = slow_unlock<Blind>().violates(double_ownership, runs(200));
  EXPECT_THAT(judgement.token, ::testing::StartsWith("ll1:slow-unlock@"));
  EXPECT_TRUE(testkit::is_yes("", judgement));
  const ::testing::TestResult* const result =
      ::testing::UnitTest::GetInstance()->current_test_info()->result();
  ASSERT_EQ(result->test_property_count(), 1);
  EXPECT_STREQ(result->GetTestProperty(0).key(), "locklab.replay");
  EXPECT_EQ(result->GetTestProperty(0).value(), judgement.token);
}

}  // namespace
}  // namespace locklab
