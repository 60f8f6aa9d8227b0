// check --strategy and list strategies, as a user has them.
// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "cli/exit_code.h"
#include "cli/testing.h"

namespace locklab::cli {
namespace {

using json = nlohmann::json;
using testing::first_line;
using ::testing::HasSubstr;
using testing::lines_in;
using ::testing::Not;
using testing::Outcome;
using testing::run_program;

std::vector<std::string> strategies() {
  std::vector<std::string> names;
  for (const std::string& line : lines_in(run_program({"list", "strategies", "--json"}).out)) {
    const json strategy = json::parse(line);
    EXPECT_EQ(strategy["schema"], "locklab.strategy/1");
    names.push_back(strategy["name"]);
  }
  return names;
}

TEST(CheckStrategy, IsTheSwarmUnlessTold) {
  const std::vector<std::string> check = {"check", "late-write", "--seeds", "1..40"};
  std::vector<std::string> told = check;
  told.insert(told.end(), {"--strategy", "swarm"});
  const std::string out = run_program(check).out;
  EXPECT_EQ(out, run_program(told).out);
  EXPECT_THAT(out, HasSubstr("seeds 1..40"));
  EXPECT_THAT(out, HasSubstr("found at seed 28:  locklab replay ll1:late-write@"));
}

TEST(CheckStrategy, TokensOfAllReplayBeforeAndAfterShrinking) {
  for (const std::string& name : strategies()) {
    const Outcome outcome =
        run_program({"check", "late-write", "--seeds", "1..400", "--strategy", name, "--json"});
    const json result = json::parse(outcome.out);
    EXPECT_EQ(result["strategy"], name);
    EXPECT_EQ(result["exhausted"], false);
    for (const char* const key : {"token", "shrunk_token"}) {
      const Outcome again = run_program({"replay", result[key].get<std::string>()});
      EXPECT_EQ(again.exit_code, kOk) << name << " " << key << again.err;
      EXPECT_THAT(first_line(again.out), HasSubstr("identical"));
    }
    EXPECT_THAT(result["shrunk_token"].get<std::string>(), HasSubstr(":c."));
  }
}

TEST(CheckStrategy, SaysWhoseNumbersTheyAreOnAnyNumberOfJobs) {
  const auto out = [](const std::string& name, const std::string& jobs) {
    return run_program(
               {"check", "late-write", "--strategy", name, "--seeds", "1..400", "--jobs", jobs})
        .out;
  };
  for (const std::string name : {"pct-3", "mutation"}) {
    EXPECT_THAT(out(name, "1"), HasSubstr("strategy " + name + ", numbers 1..400 · 400 runs\n"));
    EXPECT_EQ(out(name, "1"), out(name, "3"));
  }
  EXPECT_THAT(out("uniform", "1"), HasSubstr("found at number 3:  locklab replay 'll1:"));
}

TEST(CheckStrategy, SaysThatThereIsNothingLeft) {
  const std::vector<std::string> check = {
      "check",   "calm",          "--set",     "clients.0.count=1", "--set", "workload.rounds=1",
      "--seeds", "1..1000000000", "--strategy"};
  std::vector<std::string> told = check;
  told.emplace_back("single");
  EXPECT_THAT(run_program(told).out, HasSubstr(" runs: it has no more\n"));
  told.emplace_back("--json");
  const json result = json::parse(run_program(told).out);
  EXPECT_EQ(result["exhausted"], true);
  EXPECT_EQ(result["complete"], true);
}

TEST(CheckStrategy, ClaimsOddsOfDrawsOnly) {
  const auto out = [](const std::string& name) {
    return run_program({"check", "calm", "--strategy", name, "--seeds", "1..60"}).out;
  };
  for (const char* const name : {"swarm", "uniform", "pct-2"})
    EXPECT_THAT(out(name), HasSubstr("≤ 5 % (95 %)")) << name;
  for (const char* const name : {"single", "deepening", "mutation", "portfolio"})
    EXPECT_THAT(out(name), Not(HasSubstr("(95 %)"))) << name;
}

TEST(CheckStrategy, RefusesAnUnknownOne) {
  const Outcome outcome = run_program({"check", "calm", "--strategy", "singel"});
  EXPECT_EQ(outcome.exit_code, kUsage);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "locklab: there is no strategy \"singel\"; did you mean \"single\"?\n");
}

TEST(CheckStrategy, RefusesATokenThatANumberAloneDoesNotName) {
  const Outcome outcome = run_program({"replay", "ll1:late-write@12345678:s1~mutation.00000000"});
  EXPECT_EQ(outcome.exit_code, kBadData);
  EXPECT_THAT(outcome.err, HasSubstr("a number alone names no run of the strategy mutation"));
}

TEST(CheckStrategy, HasARowOfTheDocumentForEach) {
  std::ifstream file(LOCKLAB_SOURCE_DIR "/docs/strategies.md");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::vector<std::string> names = strategies();
  EXPECT_GT(names.size(), 5U);
  for (const std::string& name : names)
    EXPECT_THAT(text, HasSubstr("`" + name + "`"));
}

}  // namespace
}  // namespace locklab::cli
