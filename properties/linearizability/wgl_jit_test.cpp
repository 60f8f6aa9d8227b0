// Tests of the searches: textbook histories, unknown results, budgets, and many under way at once.
// SPDX-License-Identifier: Apache-2.0

#include <memory>
#include <string_view>

#include <gtest/gtest.h>

#include "properties/linearizability/checker.h"
#include "properties/linearizability/jit.h"
#include "properties/linearizability/testing.h"

namespace locklab::linearizability::testing {
namespace {

class Searches : public ::testing::TestWithParam<Method> {
 protected:
  Verdict verdict_of(const Sample& sample, const Spec& spec, const Budget& budget = {}) {
    return check_history(sample.history, spec, sample.names, budget, GetParam()).verdict;
  }
  void expect(Kind kind, std::string_view text, Verdict verdict) {
    EXPECT_EQ(verdict_of(written(text), {kind}), verdict) << text;
  }
};

TEST_P(Searches, ReadsDuringAWriteMaySeeEither) {
  expect(Kind::reg, "A(w1 B(r B) C(r1 C) A)", Verdict::holds);
  expect(Kind::reg, "A(w1 B(r1 B) C(r C) A)", Verdict::violated);
  expect(Kind::reg, "A(w1 B(r1 C(r B) C) A)", Verdict::holds);
}

TEST_P(Searches, TwoOfTheSameQueueElementAreOne) {
  expect(Kind::queue, "A(e1 B(e2 A) B) A(d2 A) B(d1 B)", Verdict::holds);
  expect(Kind::queue, "A(e1 A) B(e2 B) A(d2 A)", Verdict::violated);
  expect(Kind::queue, "A(e1 A) A(d1 B(d1 A) B)", Verdict::violated);
}

TEST_P(Searches, UnknownMayHaveHappenedLaterOrNever) {
  expect(Kind::reg, "A(w1 B(r B) C(r1 C)", Verdict::holds);
  expect(Kind::reg, "A(w1 B(r B) C(r C)", Verdict::holds);
  expect(Kind::reg, "A(w1 B(r1 B) C(r C)", Verdict::violated);
  expect(Kind::mutex, "A(+ B(+ B) B(- B) B(+ B)", Verdict::holds);
  expect(Kind::mutex, "A(+ A) A(- B(+ B)", Verdict::holds);
  expect(Kind::mutex, "A(+ A) A(- B(+ B) C(+ C)", Verdict::violated);
}

TEST_P(Searches, AnUnknownWriteHappensAtMostOnce) {
  expect(Kind::reg, "A(w1 B(r1 B) C(w2 C) B(r1 B)", Verdict::violated);
  expect(Kind::reg, "A(w1 D(w1 B(r1 B) C(w2 C) B(r1 B)", Verdict::holds);
}

TEST_P(Searches, UnknownAcquiresOfTwoClientsAreNotAlike) {
  expect(Kind::owner_aware_mutex, "A(+ B(+ B(- B)", Verdict::holds);
  expect(Kind::owner_aware_mutex, "B(+ A(+ B(- B)", Verdict::holds);
  expect(Kind::owner_aware_mutex, "A(+ B(+ C(- C)", Verdict::violated);
}

TEST_P(Searches, EmptyAndUnansweredHistoriesHold) {
  EXPECT_EQ(verdict_of({}, {Kind::reg}), Verdict::holds);
  expect(Kind::reg, "A(w1 B(c12 C(r1", Verdict::holds);
}

/// `width` writes at once, of which a read sees one and a later read another.
Sample wide(std::uint32_t width, bool legal) {
  Sample sample;
  std::vector<Operation> operations;
  sample.names.keys.emplace_back("k");
  const auto add = [&](Function function, Value value, Position from, Position to) {
    Operation operation;
    operation.client = static_cast<std::uint32_t>(operations.size());
    operation.function = function;
    (function == Function::read ? operation.output : operation.input) = value;
    operation.invoked = from;
    operation.returned = to;
    operation.result = to == kNever ? Result::unknown : Result::ok;
    operations.push_back(operation);
  };
  for (std::uint32_t i = 0; i < width; ++i)
    add(Function::write, i + 1, i, kNever);
  for (std::uint32_t i = 0; i < 3; ++i)
    add(Function::read, i == 2 && !legal ? 1 : i + 1, width + 2 * i, width + 2 * i + 1);
  sample.names.values.resize(width + 1);
  sample.history = history_of(operations);
  return sample;
}

TEST_P(Searches, AreUnknownWhenTheBudgetEnds) {
  const Sample sample = wide(18, false);

  Budget few;
  few.steps = 10;
  EXPECT_EQ(verdict_of(sample, {Kind::reg}, few), Verdict::unknown);
  Budget small;
  small.bytes = 10'000;
  EXPECT_EQ(verdict_of(sample, {Kind::reg}, small), Verdict::unknown);
  int asked = 0;
  Budget stopped;
  stopped.stop = [&] { return ++asked == 2; };
  EXPECT_EQ(verdict_of(sample, {Kind::reg}, stopped), Verdict::unknown);
  EXPECT_EQ(asked, 2);
}

TEST_P(Searches, SameStepsEachTime) {
  const Sample sample = random_history({Kind::reg}, {.clients = 6, .operations = 60}, 7);
  const auto steps = [&] {
    return check_history(sample.history, {Kind::reg}, sample.names, {}, GetParam()).steps;
  };

  EXPECT_GT(steps(), 10U);
  EXPECT_EQ(steps(), steps());
}

TEST_P(Searches, TryNoMoreThanTheyMust) {
  const auto steps = [&](std::string_view text) {
    const Sample sample = written(text);
    const Answer answer = check_history(sample.history, {Kind::reg}, sample.names, {}, GetParam());
    EXPECT_EQ(answer.verdict, Verdict::violated) << text;
    return answer.steps;
  };
  const bool jit = GetParam() == Method::jit;

  // All orders of three writes, each set and last value once.
  EXPECT_EQ(steps("A(w1 B(w2 C(w3 D(r4 A) B) C) D)"), 28U);
  // To JIT one of four that are alike is as good as another.
  EXPECT_EQ(steps("A(w1 B(w1 C(w1 D(w1 E(r1 E) F(r4 F)"), jit ? 4U : 91U);
  EXPECT_EQ(steps("A(w1 B(c21 C(w1 C) D(r1 D) F(r4 F)"), jit ? 12U : 15U);
}

INSTANTIATE_TEST_SUITE_P(Of, Searches,
                         ::testing::Values(Method::wgl, Method::jit, Method::automatic));

TEST(Checker, KeysAreJudgedApart) {
  Sample sample = written("A(w1 A) B(r2 B) A(w2 A) B(r2 B)");
  sample.names.keys.emplace_back("other");
  sample.history.operations[2].key = 1;
  sample.history.operations[3].key = 1;

  const Answer answer = check_history(sample.history, {Kind::reg}, sample.names, {});

  EXPECT_EQ(answer.verdict, Verdict::violated);
  ASSERT_TRUE(answer.object);
  EXPECT_EQ(answer.object->operations.size(), 2U);
  EXPECT_EQ(answer.object->operations[0].key, 0U);
}

TEST(Checker, TheFirstIllegalObjectEndsIt) {
  Sample sample = written("A(r2 A) B(r2 B) A(w1 A) B(r B)");
  sample.names.keys = {"illegal", "illegal, too", "never used"};
  sample.history.operations[1].key = 1;
  sample.history.operations[2].key = 1;
  sample.history.operations[3].key = 1;
  const auto steps = [&](const History& history) {
    const Answer answer = check_history(history, {Kind::reg}, sample.names, {});
    EXPECT_EQ(answer.verdict, Verdict::violated);
    EXPECT_EQ(answer.object->operations[0].key, 0U);
    return answer.steps;
  };

  EXPECT_EQ(steps(sample.history), steps(partitioned(sample.history)[0]));
}

TEST(Checker, NamesAnObjectUnlessAllHold) {
  Sample sample = written("A(w1 A) B(w2 B)");
  sample.history.operations[1].key = 1;
  sample.names.keys.emplace_back("other");

  EXPECT_FALSE(check_history(sample.history, {Kind::reg}, sample.names, {}).object);
  Budget none;
  none.steps = 0;
  const Answer answer = check_history(sample.history, {Kind::reg}, sample.names, none);
  EXPECT_EQ(answer.verdict, Verdict::unknown);
  EXPECT_EQ(answer.object->operations[0].key, 0U);
}

TEST(Partition, HasNoEmptyParts) {
  Sample sample = written("A(w1 B(w2 A) B)");
  for (Operation& operation : sample.history.operations)
    operation.key = 3 * operation.client;

  const std::vector<History> parts = partitioned(sample.history);

  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[1].operations[0].key, 3U);
  EXPECT_EQ(parts[1].operations[0].invoked, 0U);
  EXPECT_EQ(parts[1].operations[0].returned, 1U);
}

TEST(Jit, TakesManyOperationsUnderWay) {
  for (const std::uint32_t width : {3U, 64U, 200U, 1000U}) {
    const Sample sample = wide(width, true);
    for (const Method method : {Method::jit, Method::automatic}) {
      const Answer answer = check_history(sample.history, {Kind::reg}, sample.names, {}, method);
      EXPECT_EQ(answer.verdict, Verdict::holds) << width;
    }
  }
  const Sample bad = wide(10, false);
  EXPECT_EQ(check_history(bad.history, {Kind::reg}, bad.names, {}).verdict, Verdict::violated);
}

TEST(Jit, PaysForTheEventsThatItReadsAgain) {
  // Each set of writes that ends with 1 fits all reads but the last.
  Sample sample = written("A(w2 B(w3 C(w4 D(w5 E(w1");
  std::vector<Operation> operations = sample.history.operations;
  for (Position i = 0; i < 4000; ++i) {
    Operation read;
    read.client = 9;
    read.output = i == 3999 ? 9 : 1;
    read.invoked = 5 + 2 * i;
    read.returned = 6 + 2 * i;
    operations.push_back(read);
  }
  const Answer answer =
      check_history(history_of(operations), {Kind::reg}, sample.names, {}, Method::jit);

  EXPECT_EQ(answer.verdict, Verdict::violated);
  EXPECT_GT(answer.steps, 8000U);
}

TEST(Jit, BeyondItsWidthItDoesNotKnow) {
  const Sample sample = wide(static_cast<std::uint32_t>(kJitWidth) + 1, true);

  EXPECT_EQ(check_history(sample.history, {Kind::reg}, sample.names, {}, Method::jit).verdict,
            Verdict::unknown);
}

}  // namespace
}  // namespace locklab::linearizability::testing
