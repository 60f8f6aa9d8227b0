// Tests of why, compare and shrink: what they print, as what, and how they end.
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "cli/exit_code.h"
#include "cli/testing.h"
#include "reports/text.h"

namespace locklab::cli {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using testing::lines_in;
using ::testing::Not;
using testing::Outcome;
using testing::run_program;
using testing::Scratch;
using testing::token_in;

constexpr const char* kBroken = R"({
  "schema": 1, "name": "my-lock",
  "clients": [{ "count": 2, "algorithm": "set-nx-px-fenced" }],
  "search": { "faults": { "of": ["pause"], "at": ["acq.return"], "max": 1 } }
})";

void expect_columns(const Outcome& outcome, std::size_t columns) {
  for (const std::string& line : lines_in(outcome.out)) {
    // A command is for copying and never wrapped.
    if (line.find("locklab replay ") != std::string::npos) continue;
    EXPECT_LE(columns_of(line), columns) << line;
  }
}

TEST(WhyVerb, NamesCauseThresholdAndNearestRun) {
  const Outcome outcome = run_program({"why", "late-write", "--forks", "20"});

  EXPECT_EQ(outcome.exit_code, kOk);
  EXPECT_EQ(outcome.err, "");
  expect_columns(outcome, 80);
  EXPECT_THAT(outcome.out, HasSubstr("◀ cause"));
  EXPECT_THAT(outcome.out, HasSubstr("the link between client-1 and resource"));
  EXPECT_THAT(outcome.out, HasSubstr("a delay of "));
  EXPECT_THAT(outcome.out, HasSubstr("nearest run that holds"));
}

TEST(WhyVerb, FitsNarrowPaperInAscii) {
  const Outcome outcome =
      run_program({"why", "late-write", "--forks", "5", "--width", "60", "--ascii"});

  EXPECT_EQ(outcome.exit_code, kOk);
  expect_columns(outcome, 60);
  for (const char c : outcome.out)
    EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~')) << outcome.out;
}

TEST(WhyVerb, TheCommandsThatItPrintsDoWhatItSays) {
  const Outcome outcome = run_program({"why", "late-write", "--forks", "5"});
  const std::size_t nearest = outcome.out.find("nearest run that holds");
  ASSERT_NE(nearest, std::string::npos);
  const std::string holds = token_in(outcome.out.substr(nearest));
  const std::string fails = token_in(outcome.out.substr(outcome.out.find("\nreplay  ")));

  const Outcome holding = run_program({"replay", holds});
  EXPECT_EQ(holding.exit_code, kOk);
  EXPECT_THAT(holding.out, Not(HasSubstr("◀")));
  const Outcome failing = run_program({"replay", fails});
  EXPECT_THAT(failing.out, HasSubstr("✗ serializable-effects"));
}

TEST(WhyVerb, TakesWhatItPrints) {
  const Outcome of_story = run_program({"why", "late-write", "--forks", "5"});
  const std::string token = token_in(of_story.out.substr(of_story.out.find("\nreplay  ")));
  const Outcome of_token = run_program({"why", token, "--forks", "5"});

  EXPECT_EQ(of_token.exit_code, kOk);
  // All but the line that says where the run is from.
  const std::string body = of_story.out.substr(of_story.out.find("\nIf the run"));
  EXPECT_THAT(of_token.out, HasSubstr(body));
}

TEST(WhyVerb, SpeaksJson) {
  const Outcome outcome = run_program({"why", "late-write", "--forks", "10", "--json"});
  const json why = json::parse(outcome.out);

  EXPECT_EQ(why["schema"], "locklab.why/1");
  EXPECT_EQ(why["property"], "serializable-effects");
  EXPECT_EQ(why["forks"], 10);
  EXPECT_TRUE(why["complete"].get<bool>());
  EXPECT_EQ(why["rewinds"][0]["answers"], 0);
  EXPECT_TRUE(why["rewinds"][why["cause"].get<std::size_t>()]["decided_by"].is_string());
  EXPECT_TRUE(why["roles"][0]["needed"].get<bool>());
  EXPECT_FALSE(why["nearest"]["command"].get<std::string>().empty());
}

TEST(WhyVerb, AsksForAnotherProperty) {
  const Outcome outcome =
      run_program({"why", "late-write", "--property", "effect-exclusion", "--forks", "5"});
  EXPECT_EQ(outcome.exit_code, kOk);
  EXPECT_THAT(outcome.out, HasSubstr("effect-exclusion violated?"));

  const Outcome holds =
      run_program({"why", "late-write", "--property", "double-ownership", "--forks", "5"});
  EXPECT_EQ(holds.exit_code, kNotViolated);
  EXPECT_THAT(holds.err, HasSubstr("double-ownership"));

  const Outcome unknown = run_program({"why", "late-write", "--property", "double-owner"});
  EXPECT_EQ(unknown.exit_code, kUsage);
  EXPECT_THAT(unknown.err, HasSubstr("double-ownership"));
}

TEST(WhyVerb, HasNothingToSayOfARunThatHolds) {
  const Outcome story = run_program({"why", "late-write-fenced", "--forks", "5"});
  EXPECT_EQ(story.exit_code, kNotViolated);

  const std::string token = token_in(run_program({"run", "calm", "--seed", "3"}).out);
  const Outcome run = run_program({"why", token});
  EXPECT_EQ(run.exit_code, kNotViolated);
  EXPECT_EQ(run.out, "");
}

TEST(WhyVerb, RefusesATokenOfAnotherScenario) {
  const std::string token = token_in(run_program({"run", "late-write", "--seed", "28"}).out);
  const Outcome outcome = run_program({"why", token, "--set", "resource.mode=ge_rw"});
  EXPECT_EQ(outcome.exit_code, kDiverged);
  EXPECT_THAT(outcome.err, HasSubstr("diverged"));
}

TEST(WhyVerb, TakesAScenarioFileATokenOfItAndATraceFile) {
  const Scratch scratch;
  const std::string file = scratch.write("my-lock.json", kBroken);
  const Outcome of_file = run_program({"why", file, "--forks", "5"});
  EXPECT_EQ(of_file.exit_code, kOk);
  const std::string token = token_in(of_file.out.substr(of_file.out.find("\nreplay  ")));
  EXPECT_EQ(run_program({"why", token, file, "--forks", "5"}).exit_code, kOk);
  EXPECT_EQ(run_program({"why", token, "--forks", "5"}).exit_code, kNoInput);

  const std::string out = scratch.path("kept");
  ASSERT_EQ(run_program({"shrink", file, "--out", out}).exit_code, kOk);
  std::string trace;
  for (const auto& entry : std::filesystem::directory_iterator(out)) {
    const std::string name = entry.path().filename().string();
    if (name.size() == 21) trace = entry.path().string();
  }
  ASSERT_FALSE(trace.empty());
  const Outcome of_trace = run_program({"why", trace, "--forks", "5"});
  EXPECT_EQ(of_trace.exit_code, kOk) << of_trace.err;
}

TEST(WhyVerb, TellsWhatItKnowsOnCtrlC) {
  testing::Surroundings around;
  around.interrupt_after_ms = 1500;
  const Outcome outcome = run_program({"why", "late-write", "--forks", "1000000"}, around);

  EXPECT_EQ(outcome.exit_code, kInterrupted);
  EXPECT_THAT(outcome.out, HasSubstr("interrupted"));
  // What is needed had been found before the forks began.
  EXPECT_THAT(outcome.out, HasSubstr("a delay of "));
}

// --- Compare ------------------------------------------------------------------------------------

TEST(CompareVerb, NamesTheFirstEventThatDiffers) {
  const Outcome outcome =
      run_program({"compare", "late-write", "--set", "resource.mode=ge_rw", "--seeds", "1..200"});

  EXPECT_EQ(outcome.exit_code, kOk);
  expect_columns(outcome, 80);
  EXPECT_THAT(outcome.out, HasSubstr("The first event that differs is number "));
  EXPECT_THAT(outcome.out, HasSubstr("resource accepts client-1's append"));
  EXPECT_THAT(outcome.out, HasSubstr("resource refuses client-1's append"));
  EXPECT_THAT(outcome.out, HasSubstr("one at a time"));
}

TEST(CompareVerb, BothCommandsReplay) {
  const Outcome outcome =
      run_program({"compare", "late-write", "--set", "resource.mode=ge_rw", "--seeds", "1..2"});
  const std::string a = token_in(outcome.out.substr(outcome.out.find("\nA  locklab")));
  const std::string b = token_in(outcome.out.substr(outcome.out.find("\nB  locklab")));

  EXPECT_THAT(run_program({"replay", a}).out, HasSubstr("✓ identical"));
  EXPECT_THAT(run_program({"replay", b, "--set", "resource.mode=ge_rw"}).out,
              HasSubstr("✓ identical"));
}

TEST(CompareVerb, TakesAnotherScenarioAndAnotherLock) {
  const Outcome other =
      run_program({"compare", "late-write", "late-write-fenced", "--seeds", "1..50", "--json"});
  const json compared = json::parse(other.out);
  EXPECT_EQ(compared["schema"], "locklab.compare/1");
  EXPECT_EQ(compared["met"], compared["choices"]);
  EXPECT_GT(compared["first_different_event"].get<int>(), 1);
  EXPECT_EQ(compared["a"]["verdicts"]["no-lost-update"], "violated");
  EXPECT_EQ(compared["b"]["verdicts"]["no-lost-update"], "holds");
  EXPECT_GT(compared["a"]["runs"]["harm_only"].get<int>(), 0);
  EXPECT_EQ(compared["b"]["runs"]["harm_only"], 0);

  const Outcome lock =
      run_program({"compare", "late-blind-del", "--with", "set-nx-px", "--property",
                   "no-foreign-mutation", "--seeds", "1..50", "--json"});
  const json locks = json::parse(lock.out);
  EXPECT_EQ(locks["a"]["verdicts"]["no-foreign-mutation"], "violated");
  EXPECT_EQ(locks["b"]["verdicts"]["no-foreign-mutation"], "holds");
}

TEST(CompareVerb, AlsoARunThatHolds) {
  // The other direction: from the mended story to the broken one.
  const Outcome outcome = run_program({"compare", "late-write", "--base", "resource.mode=ge_rw",
                                       "--set", "resource.mode=none", "--seeds", "1..50"});
  EXPECT_EQ(outcome.exit_code, kOk);
}

TEST(CompareVerb, SaysWhenNothingDiffers) {
  const Outcome outcome = run_program({"compare", "late-write", "late-write", "--seeds", "1..20"});
  EXPECT_THAT(outcome.out, HasSubstr("No event differs"));
}

TEST(CompareVerb, NeedsSomethingToCompareWith) {
  EXPECT_EQ(run_program({"compare", "late-write"}).exit_code, kUsage);
  EXPECT_EQ(run_program({"compare", "late-write", "late-write", "late-write"}).exit_code, kUsage);
  EXPECT_EQ(run_program({"compare", "late-write", "no-such-story"}).exit_code, kNoInput);
  EXPECT_EQ(run_program({"compare", "late-write", "--with", "no-such-lock"}).exit_code, kUsage);
}

// --- Shrink -------------------------------------------------------------------------------------

TEST(ShrinkVerb, MakesASeedsRunAsSmallAsCheckDoes) {
  const std::string seed = token_in(run_program({"run", "late-write", "--seed", "28"}).out);
  const Outcome outcome = run_program({"shrink", seed});
  EXPECT_EQ(outcome.exit_code, kOk);
  EXPECT_THAT(outcome.out, HasSubstr("shrunk from "));
  EXPECT_THAT(outcome.out, HasSubstr("1 deviation from the calm run"));

  const std::string shrunk = token_in(outcome.out);
  const Outcome again = run_program({"shrink", shrunk});
  EXPECT_EQ(token_in(again.out), shrunk);
}

TEST(ShrinkVerb, TellsASmallerWorldAsFlagsThatReplay) {
  const Outcome outcome =
      run_program({"shrink", "failover-forgets-lock", "--property", "double-ownership", "--set",
                   "clients.0.count=3", "--actors"});
  EXPECT_EQ(outcome.exit_code, kOk);
  EXPECT_THAT(
      outcome.out,
      HasSubstr(" --set clients.0.count=3 --set clients.0.count=2 --set workload.rounds=1"));

  const Outcome replayed =
      run_program({"replay", token_in(outcome.out), "--set", "clients.0.count=3", "--set",
                   "clients.0.count=2", "--set", "workload.rounds=1"});
  EXPECT_THAT(replayed.out, HasSubstr("✓ identical"));
}

TEST(ShrinkVerb, EndsWithItsBudget) {
  const Outcome outcome = run_program({"shrink", "redlock-clock-jump", "--runs", "5"});
  EXPECT_EQ(outcome.exit_code, kOk);
  EXPECT_THAT(outcome.out, HasSubstr("not yet the smallest"));
  EXPECT_EQ(run_program({"shrink", "late-write", "--runs", "0"}).exit_code, kUsage);
}

}  // namespace
}  // namespace locklab::cli
