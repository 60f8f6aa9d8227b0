// Tests of the failing part: it fails, it is small, and no step makes a good history bad.
// SPDX-License-Identifier: Apache-2.0

#include "properties/linearizability/failing_part.h"

#include <memory>
#include <numeric>

#include <gtest/gtest.h>

#include "properties/linearizability/checker.h"
#include "properties/linearizability/testing.h"

namespace locklab::linearizability::testing {
namespace {

constexpr std::uint64_t kSteps = 1'000'000;

Part whole(const History& history) {
  Part part{history, std::vector<std::uint32_t>(history.operations.size())};
  std::iota(part.origin.begin(), part.origin.end(), 0U);
  return part;
}

bool has_order(const History& history, const Spec& spec, const Names& names) {
  const std::unique_ptr<Model> model = make_model(spec, names);
  return has_some_order(history, *model);
}

FailingPart part_of(const Sample& sample, const Spec& spec) {
  return failing_part(sample.history, spec, sample.names, kSteps, {});
}

TEST(FailingPart, TwoHoldersAreTwoAcquires) {
  const Sample sample =
      written("A(+ A) A(- A) B(+ B) B(- B) A(+ A) C(+ C) A(- A) B(+ B) B(- B) C(- C)");

  const FailingPart failing = part_of(sample, {Kind::owner_aware_mutex});

  EXPECT_TRUE(failing.is_smallest);
  EXPECT_EQ(failing.part.origin, (std::vector<std::uint32_t>{4, 5}));
}

TEST(FailingPart, AStaleReadNeedsTheReadBeforeIt) {
  const Sample sample = written("A(w1 A) B(r1 B) A(w2 A) C(w3 B(r2 B) D(r1 D) C) A(r3 A)");

  const FailingPart failing = part_of(sample, {Kind::reg});

  // The first r1 shows that w1 came early; w2 may have come at any time before r2. w3 is not
  // needed.
  EXPECT_TRUE(failing.is_smallest);
  EXPECT_EQ(failing.part.origin, (std::vector<std::uint32_t>{0, 1, 2, 4, 5}));
  EXPECT_FALSE(has_order(failing.part.history, {Kind::reg}, sample.names));
}

TEST(FailingPart, AWriteIsNeverLeftOutFromUnderItsRead) {
  const Sample sample = written("A(w1 A) B(r1 B) B(r2 B)");

  const FailingPart failing = part_of(sample, {Kind::reg});

  // Nobody wrote 2: that needs no other operation. That r1 has no write any more is no reason.
  EXPECT_EQ(failing.part.origin, (std::vector<std::uint32_t>{2}));
}

TEST(FailingPart, OfALongLogItIsFoundQuickly) {
  std::vector<Operation> operations;
  Names names;
  for (std::uint32_t i = 0; i < 4'000; ++i) {
    Operation operation;
    operation.function = i == 3'999 ? Function::read : Function::write;
    (i == 3'999 ? operation.output : operation.input) = i == 3'999 ? 3 : i + 1;
    operation.invoked = 2 * i;
    operation.returned = 2 * i + 1;
    operations.push_back(operation);
    names.values.push_back(std::to_string(i + 1));
  }
  std::uint64_t asked = 0;
  Budget budget;
  budget.stop = [&] { return ++asked > 1'000; };

  const FailingPart failing =
      failing_part(history_of(operations), {Kind::reg}, names, kSteps, budget);

  // The write of 3, any write after it, and the read of 3.
  EXPECT_TRUE(failing.is_smallest);
  EXPECT_EQ(failing.part.origin.size(), 3U);
  EXPECT_EQ(failing.part.origin.front(), 2U);
}

TEST(FailingPart, WhenStoppedItIsTheWholeBeginningAndSaysSo) {
  const Sample sample = written("A(w1 A) B(r1 B) A(w2 A) B(r2 B) A(r1 A) A(w3 A)");
  Budget budget;
  int asked = 0;
  budget.stop = [&] { return ++asked > 0; };

  const FailingPart failing =
      failing_part(sample.history, {Kind::reg}, sample.names, kSteps, budget);

  EXPECT_FALSE(failing.is_smallest);
  EXPECT_EQ(failing.part.origin, (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_LT(asked, 10);  // And not for each operation again.
}

std::vector<std::uint32_t> seen_of(std::string_view text, const Spec& spec) {
  const Sample sample = written(text);
  return without_unseen(whole(sample.history), spec, sample.names).origin;
}

TEST(WithoutUnseen, AValueGoesWithTheLastThatPassesItOn) {
  EXPECT_EQ(seen_of("A(w1 B(c12 C(c23 D(r4 D) E(r", {Kind::reg}), (std::vector<std::uint32_t>{3}));
  EXPECT_EQ(seen_of("A(w1 B(c12 C(c23 D(r3 D)", {Kind::reg}),
            (std::vector<std::uint32_t>{0, 1, 2, 3}));
  EXPECT_EQ(seen_of("A(w1 B(c12 C(c13 D(r3 D)", {Kind::reg}),
            (std::vector<std::uint32_t>{0, 2, 3}));
}

TEST(WithoutUnseen, ARefusalShowsThatSomethingElseWasThere) {
  EXPECT_EQ(seen_of("A(w1 B(c23! B)", {Kind::reg}), (std::vector<std::uint32_t>{0, 1}));
}

TEST(WithoutUnseen, AReadThatFindsNothingShowsTheEmptyText) {
  Sample sample = written("A(w1 A) B(w2 C(r C)");
  sample.names.values[2] = "";
  const Spec spec{Kind::key_value};
  ASSERT_TRUE(has_order(sample.history, spec, sample.names));

  const Part part = without_unseen(whole(sample.history), spec, sample.names);

  EXPECT_EQ(part.origin.size(), 3U);
  EXPECT_TRUE(has_order(part.history, spec, sample.names));
}

class Steps : public ::testing::TestWithParam<Spec> {};

TEST_P(Steps, NeverMakeAGoodHistoryBad) {
  const Spec spec = GetParam();
  int taken = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    const Shape shape{.operations = static_cast<std::uint32_t>(4 + seed % 3),
                      .unknown = static_cast<std::uint32_t>(seed % 2 * 30),
                      .refusals = seed % 3 == 0 ? 40U : 0U,
                      .spoils = static_cast<std::uint32_t>(seed % 3)};
    const Sample sample = random_history(spec, shape, seed);
    if (!has_order(sample.history, spec, sample.names)) continue;

    const Part part = whole(sample.history);
    const std::vector<Unit> units = units_of(part.history, spec);
    for (std::size_t u = 0; u < units.size(); ++u) {
      std::vector<bool> chosen(units.size());
      chosen[u] = true;
      ++taken;
      const Part less = without_unseen(without(part, units, chosen), spec, sample.names);
      EXPECT_TRUE(has_order(less.history, spec, sample.names)) << seed << ", unit " << u;
    }
    const Position end = static_cast<Position>(part.history.events.size() / 2);
    const Part begun = without_unseen(beginning(part, end), spec, sample.names);
    EXPECT_TRUE(has_order(begun.history, spec, sample.names)) << seed;
  }
  EXPECT_GT(taken, 1000);
}

TEST_P(Steps, LeaveAPartThatFailsAndIsSmaller) {
  const Spec spec = GetParam();
  const std::uint32_t operations = spec.kind == Kind::queue ? 14 : 24;  // The hardest.
  int failing = 0;
  std::size_t before = 0;
  std::size_t after = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const Shape shape{
        .clients = 4, .operations = operations, .unknown = 3, .refusals = 10, .spoils = 8};
    const Sample sample = random_history(spec, shape, seed);
    const Answer answer = check_history(sample.history, spec, sample.names, {});
    if (answer.verdict != Verdict::violated) continue;

    ++failing;
    const FailingPart small = part_of(sample, spec);
    EXPECT_EQ(check_history(small.part.history, spec, sample.names, {}).verdict, Verdict::violated)
        << seed;
    before += sample.history.operations.size();
    after += small.part.history.operations.size();
  }
  EXPECT_GT(failing, 10);
  EXPECT_LT(after * 2, before);
}

INSTANTIATE_TEST_SUITE_P(Of, Steps, ::testing::ValuesIn(kSpecs));

}  // namespace
}  // namespace locklab::linearizability::testing
