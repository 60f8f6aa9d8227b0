// A small edition of docs/strategies.md: three stories, three strategies, five master seeds.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/strategies/table.h"

namespace locklab::strategies {
namespace {

TEST(StrategyTable, HasTheFiguresOfFixedSeeds) {
  const std::vector<const StrategyInfo*> strategies = {
      find_strategy("uniform"), find_strategy("swarm"), find_strategy("pct-3")};
  const Effort effort{5, 200};
  std::string text = heading(strategies);
  std::vector<Row> rows;
  for (const char* const name : {"late-write", "pause-outlives-lease", "get-then-del"}) {
    const std::optional<Case> about = case_named(name, "effect-exclusion");
    ASSERT_TRUE(about.has_value());
    rows.push_back(measure_all(*about, name, strategies, effort));
    text += line_of(rows.back(), effort);
  }
  text += summary(strategies, rows, effort);
  EXPECT_EQ(text,
            "                                     uniform     swarm     pct-3\n"
            "  late-write                           15/39      7/28     18/69\n"
            "  pause-outlives-lease                  3/10      7/10      8/17\n"
            "  get-then-del                           2/4     10/28      3/13\n"
            "                 found    best  sooner   later  median      cost\n"
            "  uniform            3       2       0       0       3      1.00\n"
            "  swarm              3       1       1       2       7      1.29\n"
            "  pct-3              3       0       0       3       8      1.00\n");
}

TEST(StrategyTable, SaysMoreWhereNothingIsFound) {
  const std::vector<const StrategyInfo*> strategies = {find_strategy("swarm")};
  const std::optional<Case> about = case_named("calm", "double-ownership");
  ASSERT_TRUE(about.has_value());
  const Effort effort{4, 10};
  const Row row = measure_all(*about, "calm", strategies, effort);
  EXPECT_EQ(row.cells[0].schedules, 30U);  // Three of four have failed: neither figure is open.
  EXPECT_EQ(line_of(row, effort).substr(2), "calm" + std::string(35, ' ') + ">10\n");
}

TEST(StrategyCases, AreTheStoriesThatBreakAndThoseOfTheClaims) {
  EXPECT_FALSE(case_named("no-such-story", "double-ownership").has_value());
  EXPECT_FALSE(case_named("set-nx-px under no-such-fault", "double-ownership").has_value());
  const std::optional<Case> about = case_named("set-nx-px under pause", "double-ownership");
  ASSERT_TRUE(about.has_value());
  EXPECT_EQ(about->scenario.properties, std::vector<std::string>{"double-ownership"});
}

}  // namespace
}  // namespace locklab::strategies
