// Tests of Judge, expectations and tallies.
// SPDX-License-Identifier: Apache-2.0
#include "properties/judge.h"

#include <gtest/gtest.h>

#include "properties/history_testing.h"

namespace locklab::testing {
namespace {

HistoryBuilder two_inside() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1, {.named = false});
  h.enter(first);
  h.at(20_ms).grant(kClient2, {.named = false});
  return h;
}

const NamedFinding& named(std::span<const NamedFinding> findings, std::string_view name) {
  for (const NamedFinding& finding : findings) {
    if (finding.property->name == name) return finding;
  }
  throw std::logic_error("no such property");
}

TEST(AllProperties, HaveTheNamesOfTheKernelContract) {
  std::vector<std::string_view> names;
  for (const Property& property : all_properties()) {
    names.push_back(property.name);
    EXPECT_FALSE(property.statement.empty());
  }

  EXPECT_EQ(names,
            (std::vector<std::string_view>{
                "double-ownership", "claimed-exclusion", "serializable-effects", "no-stale-write",
                "no-lost-update", "no-foreign-mutation", "no-orphan-key", "eventual-release",
                "fence-order", "effect-exclusion", "lease-safety", "honest-outcome",
                "watchdog-termination", "no-open-door", "reentrancy-balance"}));
}

TEST(ChooseProperties, TakesAllWithoutNamesAndKeepsTheOrder) {
  const std::vector<Property> all = all_properties();
  const std::vector<std::string> names = {"fence-order", "double-ownership"};

  EXPECT_EQ(choose_properties(all, {})->size(), all.size());
  const auto chosen = choose_properties(all, names);
  ASSERT_TRUE(chosen.has_value());
  ASSERT_EQ(chosen->size(), 2U);
  EXPECT_EQ((*chosen)[0].name, "double-ownership");
  EXPECT_EQ((*chosen)[1].name, "fence-order");
}

TEST(ChooseProperties, RefusesAnUnknownName) {
  const std::vector<std::string> names = {"fence-order", "fence-ordre"};

  EXPECT_FALSE(choose_properties(all_properties(), names).has_value());
  EXPECT_EQ(first_unknown(all_properties(), names), "fence-ordre");
}

TEST(Judge, GivesOneFindingForEachPropertyAndCanBeUsedAgain) {
  Judge judge(all_properties());
  const History bad = two_inside().history();
  const History good = HistoryBuilder().history();

  judge.judge(bad);
  EXPECT_EQ(judge.findings().size(), all_properties().size());
  EXPECT_EQ(named(judge.findings(), "double-ownership").finding.verdict, Verdict::violated);
  EXPECT_EQ(worst(judge.findings()), Verdict::violated);

  judge.judge(good);
  EXPECT_EQ(named(judge.findings(), "double-ownership").finding.verdict, Verdict::holds);
  EXPECT_EQ(named(judge.findings(), "double-ownership").finding.why, "");
  EXPECT_EQ(worst(judge.findings()), Verdict::unknown);  // There was no probe.
}

TEST(Judge, ARunThatWasGivenUpProvesNothing) {
  Judge judge(all_properties());
  HistoryBuilder h = two_inside();
  h.at(30_ms).run_end(EndReason::unsupported);

  judge.judge(h.history());

  EXPECT_EQ(named(judge.findings(), "double-ownership").finding.verdict, Verdict::violated);
  EXPECT_EQ(named(judge.findings(), "fence-order").finding.verdict, Verdict::unknown);
  EXPECT_EQ(named(judge.findings(), "fence-order").finding.why,
            "the run was given up at 30.000ms: a kill or cancel reached a fiber inside a foreign "
            "primitive");
}

TEST(UnexpectedViolation, IsOneThatIsNotListed) {
  Judge judge(all_properties());
  judge.judge(two_inside().history());

  ASSERT_NE(unexpected_violation(judge.findings(), {}), nullptr);
  EXPECT_EQ(unexpected_violation(judge.findings(), {})->property->name, "double-ownership");
  const Expectation one = {{"double-ownership", Verdict::violated}};
  EXPECT_EQ(unexpected_violation(judge.findings(), one)->property->name, "claimed-exclusion");
  const Expectation both = {{"double-ownership", Verdict::violated},
                            {"claimed-exclusion", Verdict::violated}};
  EXPECT_EQ(unexpected_violation(judge.findings(), both), nullptr);
  const Expectation no_promise = {{"double-ownership", Verdict::unknown},
                                  {"claimed-exclusion", Verdict::violated}};
  EXPECT_EQ(unexpected_violation(judge.findings(), no_promise), nullptr);
}

TEST(Tallies, OneViolationInManyRunsIsAViolation) {
  const std::vector<std::string> names = {"double-ownership", "fence-order", "eventual-release"};
  Judge judge(*choose_properties(all_properties(), names));
  HistoryBuilder probed;
  probed.at(10_ms).probe_begin(1_s);
  probed.at(20_ms).probe_acquired(kClient1);
  Tallies tallies(judge.properties());
  tallies.add(judge.judge(probed.history()));
  Tallies more(judge.properties());
  more.add(judge.judge(two_inside().history()));

  tallies.merge(more);

  EXPECT_EQ(tallies.all()[0].runs, 2U);
  EXPECT_EQ(tallies.all()[0].violated, 1U);
  EXPECT_EQ(tallies.all()[0].exercised_runs, 1U);
  EXPECT_EQ(tallies.all()[0].verdict(), Verdict::violated);
  EXPECT_EQ(tallies.all()[1].verdict(), Verdict::unknown);
  EXPECT_EQ(tallies.all()[2].verdict(), Verdict::holds);
}

TEST(Tallies, AnExpectedViolationThatNeverComesIsAMismatch) {
  const std::vector<std::string> names = {"double-ownership", "fence-order"};
  Judge judge(*choose_properties(all_properties(), names));
  Tallies tallies(judge.properties());
  tallies.add(judge.judge(two_inside().history()));

  const Expectation expect = {{"fence-order", Verdict::violated},
                              {"no-stale-write", Verdict::violated}};
  const std::vector<Mismatch> mismatches = tallies.mismatches(expect);

  ASSERT_EQ(mismatches.size(), 2U);
  EXPECT_EQ(mismatches[0].property, "double-ownership");
  EXPECT_EQ(mismatches[0].expected, Verdict::holds);
  EXPECT_EQ(mismatches[0].actual, Verdict::violated);
  EXPECT_EQ(mismatches[1].property, "fence-order");
  EXPECT_EQ(mismatches[1].expected, Verdict::violated);
  EXPECT_EQ(mismatches[1].actual, Verdict::holds);
  EXPECT_TRUE(tallies.mismatches({{"double-ownership", Verdict::violated}}).empty());
}

}  // namespace
}  // namespace locklab::testing
