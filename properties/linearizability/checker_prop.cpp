// Each checker is the others' oracle, and a judge that tries all orders is that of them all.
// SPDX-License-Identifier: Apache-2.0

#include <memory>

#include <gtest/gtest.h>

#include "properties/linearizability/checker.h"
#include "properties/linearizability/lock_checker.h"
#include "properties/linearizability/testing.h"

namespace locklab::linearizability::testing {
namespace {

Verdict verdict_of(const Sample& sample, const Spec& spec, Method method) {
  const std::unique_ptr<Model> model = make_model(spec, sample.names);
  const Budget budget;
  Meter meter(budget);
  return check_object(sample.history, *model, spec, meter, method);
}

Verdict oracle(const Sample& sample, const Spec& spec) {
  const std::unique_ptr<Model> model = make_model(spec, sample.names);
  return has_some_order(sample.history, *model) ? Verdict::holds : Verdict::violated;
}

/// How often each verdict was seen: a test that saw one of them only has shown nothing.
struct Tally {
  int holds = 0;
  int violated = 0;

  void count(Verdict verdict) { ++(verdict == Verdict::holds ? holds : violated); }
  void expect_both(int at_least) const {
    EXPECT_GE(holds, at_least);
    EXPECT_GE(violated, at_least);
  }
};

class Checkers : public ::testing::TestWithParam<Spec> {};
class Locks : public ::testing::TestWithParam<Spec> {};

TEST_P(Checkers, AgreeWithAllOrdersOnSmallHistories) {
  const Spec spec = GetParam();
  Tally tally;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    const Shape shape{.operations = static_cast<std::uint32_t>(3 + seed % 5),
                      .values = 2,
                      .unknown = static_cast<std::uint32_t>(seed % 2 * 30),
                      .refusals = 40,
                      .spoils = static_cast<std::uint32_t>(1 + seed % 3)};
    const Sample sample = random_history(spec, shape, seed);
    const Verdict expected = oracle(sample, spec);

    tally.count(expected);
    EXPECT_EQ(verdict_of(sample, spec, Method::wgl), expected) << seed;
    EXPECT_EQ(verdict_of(sample, spec, Method::jit), expected) << seed;
    EXPECT_EQ(verdict_of(sample, spec, Method::automatic), expected) << seed;
  }
  tally.expect_both(300);
}

TEST_P(Checkers, AgreeWithEachOtherOnLargerHistories) {
  const Spec spec = GetParam();
  Tally tally;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const Shape shape{.clients = 5,
                      .operations = 40,
                      .values = 4,
                      .unknown = 4,
                      .refusals = 20,
                      .spoils = static_cast<std::uint32_t>(seed % 4 * 2)};
    const Sample sample = random_history(spec, shape, seed);
    const Verdict wgl = verdict_of(sample, spec, Method::wgl);

    tally.count(wgl);
    EXPECT_EQ(verdict_of(sample, spec, Method::jit), wgl) << seed;
    EXPECT_EQ(verdict_of(sample, spec, Method::automatic), wgl) << seed;
  }
  tally.expect_both(40);
}

TEST_P(Checkers, AcceptWhatARealObjectDid) {
  // A queue does not show in which order values went in until they come out: that is hard early.
  const std::uint32_t operations = GetParam().kind == Kind::queue ? 30 : 80;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Shape shape{.clients = 6,
                      .operations = operations,
                      .values = 40,
                      .unknown = 1,
                      .refusals = 20,
                      .spoils = 0};
    const Sample sample = random_history(GetParam(), shape, seed);

    EXPECT_EQ(verdict_of(sample, GetParam(), Method::automatic), Verdict::holds) << seed;
    EXPECT_EQ(verdict_of(sample, GetParam(), Method::jit), Verdict::holds) << seed;
  }
}

TEST_P(Locks, ScanAgreesWithAllOrdersWhereverItApplies) {
  const Spec spec = GetParam();
  Tally tally;
  int not_applicable = 0;
  for (std::uint64_t seed = 1; seed <= 10000; ++seed) {
    const Shape shape{.operations = static_cast<std::uint32_t>(3 + seed % 6),
                      .unknown = static_cast<std::uint32_t>(seed % 2 * 30),
                      .refusals = seed % 10 == 0 ? 40U : 0U,
                      .spoils = static_cast<std::uint32_t>(1 + seed % 6)};
    const Sample sample = random_history(spec, shape, seed);
    const std::optional<Verdict> scan = check_lock(sample.history, spec);
    if (!scan) {
      ++not_applicable;
      continue;
    }

    tally.count(*scan);
    ASSERT_EQ(*scan, oracle(sample, spec)) << seed;
  }
  tally.expect_both(300);
  EXPECT_GT(not_applicable, 100);
  EXPECT_LT(not_applicable, 7000);
}

TEST_P(Locks, ScanAgreesWithASearchOnLargerHistories) {
  const Spec spec = GetParam();
  Tally tally;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const Shape shape{.clients = 6,
                      .operations = 60,
                      .unknown = 3,
                      .spoils = static_cast<std::uint32_t>(seed % 5 * 2)};
    const Sample sample = random_history(spec, shape, seed);
    const std::optional<Verdict> scan = check_lock(sample.history, spec);
    if (!scan) continue;

    tally.count(*scan);
    EXPECT_EQ(verdict_of(sample, spec, Method::jit), *scan) << seed;
  }
  tally.expect_both(10);
}

std::string shown(const ::testing::TestParamInfo<Spec>& info) {
  std::string name;
  bool capital = true;
  for (const char c : model_names()[static_cast<std::size_t>(info.param.kind)]) {
    if (c != '-') name += capital ? static_cast<char>(c - 'a' + 'A') : c;
    capital = c == '-';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Of, Checkers, ::testing::ValuesIn(kSpecs), shown);
INSTANTIATE_TEST_SUITE_P(Of, Locks,
                         ::testing::ValuesIn(kSpecs.begin() + static_cast<int>(Kind::mutex),
                                             kSpecs.end()),
                         shown);

}  // namespace
}  // namespace locklab::linearizability::testing
