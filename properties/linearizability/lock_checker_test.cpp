// Tests of the lock checker: what it decides, and what it leaves to a search.
// SPDX-License-Identifier: Apache-2.0

#include "properties/linearizability/lock_checker.h"

#include <optional>
#include <string_view>

#include <gtest/gtest.h>

#include "properties/linearizability/testing.h"

namespace locklab::linearizability::testing {
namespace {

constexpr Spec kMutex{Kind::mutex};
constexpr Spec kOwned{Kind::owner_aware_mutex};

std::optional<Verdict> scan(const Spec& spec, std::string_view text) {
  return check_lock(written(text).history, spec);
}

TEST(LockChecker, HoldsAreAsShortAsTheyCanBe) {
  EXPECT_EQ(scan(kOwned, "A(+ B(+ B) B(- A) B)"), Verdict::holds);
  EXPECT_EQ(scan(kOwned, "A(+ B(+ B) A) B(- B)"), Verdict::violated);
}

TEST(LockChecker, FencesFollowTheOrderThatTheHoldsForce) {
  const Spec spec{Kind::fenced_mutex};
  EXPECT_EQ(scan(spec, "A(+2 B(+1 B) B(- A) B)"), Verdict::holds);
  EXPECT_EQ(scan(spec, "A(+1 B(+2 B) B(- A) B)"), Verdict::violated);
}

TEST(LockChecker, UnknownAcquireIsNotHeldAndUnknownReleaseEndsAtOnce) {
  EXPECT_EQ(scan(kOwned, "A(+ B(+ B)"), Verdict::holds);
  EXPECT_EQ(scan(kOwned, "A(+ A) A(- B(+ B)"), Verdict::holds);
  EXPECT_EQ(scan(kOwned, "A(+ A) A(- B(+ B) C(+ C)"), Verdict::violated);
}

TEST(LockChecker, ReleaseOfNothingIsWrongUnlessAnybodyMay) {
  EXPECT_EQ(scan(kOwned, "A(- A)"), Verdict::violated);
  EXPECT_EQ(scan(kMutex, "A(+ A) B(- B)"), std::nullopt);
  EXPECT_EQ(scan(kOwned, "A(-"), std::nullopt);
}

TEST(LockChecker, LeavesToASearchWhereLongerHoldsCouldHelp) {
  EXPECT_EQ(scan(kOwned, "A(+ B(+! B) A)"), std::nullopt);
}

TEST(LockChecker, LeavesToASearchClientsThatDoTwoThingsAtOnce) {
  EXPECT_EQ(scan(kOwned, "A(+ A(- A) A)"), std::nullopt);
}

TEST(LockChecker, FewClientsOfManyAreToldApart) {
  for (const bool same : {true, false}) {
    Sample sample = written("A(+ A) B(- B)");
    for (Operation& operation : sample.history.operations)
      operation.client = operation.client == 0 || same ? 4'000'000'000 : 3'999'999'999;

    EXPECT_EQ(check_lock(sample.history, kOwned), same ? Verdict::holds : Verdict::violated);
  }
}

}  // namespace
}  // namespace locklab::linearizability::testing
