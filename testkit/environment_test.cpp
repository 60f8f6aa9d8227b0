// LOCKLAB_ variables: what is read, what is wrong, and what somebody misspelt.
// SPDX-License-Identifier: Apache-2.0
#include "testkit/environment.h"

#include <gmock/gmock.h>

#include "testkit/locks_testing.h"

namespace locklab::testkit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(EnvironmentVariables, SayTheFirstSeedAndTheOneRun) {
  const Environment read =
      environment_of({"LOCKLAB_SEED=42", "LOCKLAB_REPLAY=ll1:a@0123abcd:s7.00000000", "HOME=/"});

  EXPECT_EQ(read.problem, "");
  EXPECT_EQ(read.seed, 42U);
  ASSERT_TRUE(read.replay.has_value());
  EXPECT_EQ(read.replay->scenario, "a");
  EXPECT_EQ(read.replay->scenario_hash, 0x0123abcdU);
  EXPECT_THAT(read.warnings, IsEmpty());
}

TEST(EnvironmentVariables, ThatAreEmptyOrMissingSayNothing) {
  for (const Environment& read :
       {environment_of({}), environment_of({"LOCKLAB_SEED=", "LOCKLAB_REPLAY=", "LOCKLAB_SEED"})}) {
    EXPECT_EQ(read.problem, "");
    EXPECT_FALSE(read.seed.has_value());
    EXPECT_FALSE(read.replay.has_value());
  }
}

TEST(EnvironmentVariables, ThatAreWrongAreAProblem) {
  for (const char* const value : {"x", "-1", "1 ", "0x10", "18446744073709551616", "\x1b[31m"}) {
    const std::string variable = std::string("LOCKLAB_SEED=") + value;
    EXPECT_THAT(environment_of({variable}).problem, HasSubstr("a seed is a number")) << value;
  }
  EXPECT_THAT(environment_of({"LOCKLAB_REPLAY=ll1:a"}).problem, HasSubstr("and no token: "));
  EXPECT_FALSE(environment_of({"LOCKLAB_REPLAY=ll1:a"}).replay.has_value());
}

TEST(EnvironmentVariables, ThatNobodyReadsAreWarnedOf) {
  EXPECT_THAT(environment_of({"LOCKLAB_SED=1", "LOCKLAB_BUILD=/x", "LOCK=1"}).warnings,
              ElementsAre("LOCKLAB_SED means nothing to locklab; did you mean \"LOCKLAB_SEED\"?"));
}

TEST(EnvironmentVariables, AreThoseOfTheProcessAtThatTime) {
  const std::optional<std::uint64_t> before = environment().seed;
  {
    const locklab::testing::Variable variable("LOCKLAB_SEED", "77");
    EXPECT_EQ(environment().seed, 77U);
  }
  EXPECT_FALSE(environment().seed.has_value());
  EXPECT_FALSE(before.has_value());
}

}  // namespace
}  // namespace locklab::testkit
