// Tests of the whole program: what it prints where, and the exit code of each ending.
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <regex>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "cli/exit_code.h"
#include "cli/testing.h"
#include "reports/text.h"
#include "scenarios/loader.h"

namespace locklab::cli {
namespace {

using nlohmann::json;
using testing::first_line;
using ::testing::HasSubstr;
using testing::lines_in;
using ::testing::Not;
using testing::Outcome;
using testing::run_program;
using testing::Scratch;
using ::testing::StartsWith;
using testing::token_in;

/// A lock that a pause breaks, in a scenario that expects it to hold.
constexpr const char* kBroken = R"({
  "schema": 1, "name": "my-lock",
  "clients": [{ "count": 2, "algorithm": "set-nx-px" }],
  "search": { "faults": { "of": ["pause"], "at": ["acq.return"], "max": 1 } }
})";
/// Nothing can go wrong here, and it expects that something does.
constexpr const char* kHarmlessTrap = R"({
  "schema": 1, "name": "my-trap",
  "clients": [{ "count": 2, "algorithm": "set-nx-px" }],
  "expect": { "double-ownership": "violated" }
})";
constexpr const char* kUnmetGoal = R"({
  "schema": 1, "name": "my-goal",
  "clients": [{ "count": 2, "algorithm": "set-nx-px" }],
  "sometimes": ["promoted"]
})";

// --- Demo and help ------------------------------------------------------------------------------

void expect_screen(const Outcome& outcome, std::size_t columns) {
  EXPECT_EQ(outcome.exit_code, kOk);
  EXPECT_EQ(outcome.err, "");
  const std::vector<std::string> lines = lines_in(outcome.out);
  EXPECT_LE(lines.size(), 40U);
  for (const std::string& line : lines) {
    // A token is for copying and never wrapped.
    if (line.find("locklab replay ") != std::string::npos) continue;
    EXPECT_LE(columns_of(line), columns) << line;
  }
}

TEST(Demo, TellsEachTrapAndItsFixOnOneScreenOf80Columns) {
  for (const char* const number : {"1", "2", "3", "4", "5"}) {
    const Outcome outcome = run_program({"demo", number});

    expect_screen(outcome, 80);
    EXPECT_THAT(first_line(outcome.out), HasSubstr("Trap " + std::string(number) + ": "));
    EXPECT_THAT(outcome.out, HasSubstr("✗ "));
    EXPECT_THAT(outcome.out, HasSubstr("✓ "));
    EXPECT_THAT(outcome.out, HasSubstr("locklab check "));
  }
}

TEST(Demo, WithoutAWordTellsAllFive) {
  const Outcome outcome = run_program({});

  std::string each;
  for (const char* const number : {"1", "2", "3", "4", "5"})
    each += run_program({"demo", number}).out + "\n";
  EXPECT_EQ(outcome.exit_code, kOk);
  EXPECT_THAT(outcome.out, HasSubstr(each));
  EXPECT_THAT(outcome.out, HasSubstr("locklab demo all"));
}

TEST(Demo, AllTellsEveryStory) {
  const Outcome outcome = run_program({"demo", "all"});

  EXPECT_EQ(outcome.exit_code, kOk) << outcome.err;
  for (const std::string& name : embedded_scenario_names())
    EXPECT_THAT(outcome.out, HasSubstr(name + ": ")) << name;
}

TEST(Demo, ItsTokenReplaysIdentically) {
  const std::string token = token_in(run_program({"demo", "5"}).out);
  ASSERT_NE(token, "");

  const Outcome outcome = run_program({"replay", token});

  EXPECT_EQ(outcome.exit_code, kOk) << outcome.err;
  EXPECT_THAT(first_line(outcome.out), HasSubstr("identical"));
}

TEST(Demo, SaysTheSameEachTime) {
  EXPECT_EQ(run_program({"demo"}).out, run_program({"demo"}).out);
}

TEST(Demo, AsciiHasOnlyAscii) {
  const Outcome outcome = run_program({"demo", "5", "--ascii"});

  expect_screen(outcome, 80);
  for (const char c : outcome.out)
    ASSERT_TRUE(c == '\n' || (c >= ' ' && c <= '~'));
}

TEST(Demo, ALocaleWithoutUtf8GetsAscii) {
  EXPECT_EQ(run_program({"demo"}, {.environment = {"LC_ALL=C"}}).out,
            run_program({"demo", "--ascii"}).out);
  EXPECT_EQ(run_program({"demo"}, {.environment = {"LC_ALL=C.UTF-8", "LANG=C"}}).out,
            run_program({"demo"}).out);
}

TEST(Flags, MayStandBeforeTheWordsOrBehindThem) {
  const Outcome behind =
      run_program({"check", "calm", "--seeds", "1..20", "--set", "workload.rounds=1"});
  const Outcome before =
      run_program({"check", "--seeds", "1..20", "--set", "workload.rounds=1", "calm"});
  EXPECT_EQ(before.exit_code, kOk) << before.err;
  EXPECT_EQ(before.out, behind.out);
}

TEST(Colour, FollowsFlagThenEnvironment) {
  const auto colored = [](const std::vector<std::string>& flags,
                          const std::vector<std::string>& environment) {
    std::vector<std::string> words = {"demo"};
    words.insert(words.end(), flags.begin(), flags.end());
    const Outcome outcome = run_program(words, {.environment = environment});
    return outcome.out.find('\x1b') != std::string::npos;
  };

  EXPECT_FALSE(colored({}, {}));
  EXPECT_TRUE(colored({"--color", "always"}, {"NO_COLOR=1"}));
  EXPECT_FALSE(colored({"--color", "never"}, {"CLICOLOR_FORCE=1"}));
  EXPECT_TRUE(colored({}, {"CLICOLOR_FORCE=1"}));
  EXPECT_FALSE(colored({}, {"CLICOLOR_FORCE=0"}));
  EXPECT_FALSE(colored({}, {"CLICOLOR_FORCE=1", "NO_COLOR=1"}));
  EXPECT_TRUE(colored({}, {"FORCE_COLOR=1", "NO_COLOR="}));
}

TEST(Colour, UsesA100ColumnScreen) {
  Outcome outcome = run_program({"demo", "5", "--color", "always"});
  outcome.out = std::regex_replace(outcome.out, std::regex("\x1b\\[[0-9;]*m"), "");

  expect_screen(outcome, 100);
}

const std::vector<std::string> kVerbs = {"demo",   "list",   "run",     "check",  "certify",
                                         "merge",  "replay", "history", "why",    "compare",
                                         "shrink", "corpus", "version", "publish"};

TEST(Help, FitsOneScreenAndBeginsWithExamples) {
  std::vector<std::vector<std::string>> texts = {{"-h"}, {"help"}, {"list", "--help"}};
  for (const std::string& verb : kVerbs)
    texts.push_back({"help", verb});
  for (const std::vector<std::string>& words : texts) {
    SCOPED_TRACE(words.back());
    const Outcome outcome = run_program(words);
    EXPECT_EQ(outcome.exit_code, kOk);
    EXPECT_EQ(outcome.err, "");
    const std::vector<std::string> lines = lines_in(outcome.out);
    ASSERT_GT(lines.size(), 4U);
    EXPECT_LE(lines.size(), 40U);
    EXPECT_EQ(lines[0], "Examples");
    for (std::size_t i = 1; i <= 3; ++i)
      EXPECT_THAT(lines[i], StartsWith("  locklab"));
    for (const std::string& line : lines)
      EXPECT_LE(line.size(), 80U) << line;
  }
}

TEST(Help, NamesEveryVerb) {
  std::vector<std::string> named;
  const std::regex row("  ([a-z]+) +[^ ].*");
  bool listed = false;  // The examples stand before.
  for (const std::string& line : lines_in(run_program({"--help"}).out)) {
    std::smatch match;
    listed = listed || line.starts_with("locklab VERB");
    if (listed && std::regex_match(line, match, row)) named.push_back(match[1]);
  }
  EXPECT_THAT(named, ::testing::UnorderedElementsAreArray(kVerbs));
}

TEST(Version, IsOneLineOrJson) {
  EXPECT_THAT(run_program({"--version"}).out, StartsWith("locklab "));
  const json version = json::parse(run_program({"version", "--json"}).out);
  EXPECT_EQ(version["schema"], "locklab.version/1");
}

TEST(List, NamesWhatThereIs) {
  EXPECT_THAT(run_program({"list"}).out, HasSubstr("late-write"));
  EXPECT_THAT(run_program({"list", "locks"}).out, HasSubstr("set-nx-px-fenced"));
  EXPECT_THAT(run_program({"list", "properties"}).out, HasSubstr("double-ownership"));
  EXPECT_THAT(run_program({"list", "faults"}).out, HasSubstr("lost-reply"));
  EXPECT_THAT(run_program({"list", "labels"}).out, HasSubstr("res.before_send"));
}

TEST(List, PrintsTheSchemaOfAScenarioFile) {
  EXPECT_TRUE(json::parse(run_program({"list", "schema"}).out)["properties"].contains("clients"));
}

TEST(List, IsNdjsonOnRequest) {
  for (const char* const kind :
       {"scenarios", "locks", "properties", "faults", "labels", "strategies"}) {
    const std::vector<std::string> lines = lines_in(run_program({"list", kind, "--json"}).out);
    EXPECT_GT(lines.size(), 3U);
    for (const std::string& line : lines)
      EXPECT_FALSE(json::parse(line)["name"].empty());
  }
}

// --- run, check, replay -------------------------------------------------------------------------

TEST(Run, TellsACalmRunAndSucceeds) {
  const Outcome outcome = run_program({"run", "calm", "--calm"});

  EXPECT_EQ(outcome.exit_code, kOk);
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(first_line(outcome.out), StartsWith("calm"));
  EXPECT_THAT(outcome.out, HasSubstr("No deviation from the calm run"));
}

TEST(Run, JsonIsOneObjectPerLineAndNothingElse) {
  const std::vector<std::string> lines = lines_in(run_program({"run", "calm", "--json"}).out);

  ASSERT_GT(lines.size(), 10U);
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
    EXPECT_EQ(json::parse(lines[i])["schema"], "locklab.event/1");
  }
  const json last = json::parse(lines.back());
  EXPECT_EQ(last["schema"], "locklab.run/1");
  EXPECT_EQ(last["records"], lines.size() - 1);
  EXPECT_EQ(last["seed"], 1);
}

TEST(Run, TheSeedMayBeHexadecimal) {
  EXPECT_EQ(run_program({"run", "calm", "--seed", "0x10", "--json"}).out,
            run_program({"run", "calm", "--seed", "16", "--json"}).out);
}

TEST(Check, AsExpectedIsZero) {
  const Outcome outcome = run_program({"check", "late-write", "--seeds", "1..500"});

  EXPECT_EQ(outcome.exit_code, kOk) << outcome.out;
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(lines_in(outcome.out).back(), StartsWith("✓ late-write: as expected"));
}

TEST(Check, AnUnexpectedViolationIsOneOnOneScreen) {
  const Scratch scratch;
  const std::string path = scratch.write("my.json", kBroken);
  const Outcome outcome = run_program({"check", path, "--seeds", "1..500"});

  EXPECT_EQ(outcome.exit_code, kViolated) << outcome.out;
  const std::vector<std::string> lines = lines_in(outcome.out);
  EXPECT_LE(lines.size(), 46U) << outcome.out;  // What a terminal shows without scrolling.
  EXPECT_THAT(outcome.out, HasSubstr("◀ "));
  EXPECT_THAT(outcome.out, HasSubstr("replay  locklab replay ll1:my-lock@"));
  EXPECT_THAT(lines.back(), StartsWith("✗ my-lock: violated: double-ownership"));
}

TEST(Check, TheTokenIsKnownBeforeShrinkingAndAgainAfter) {
  const Scratch scratch;
  const std::string path = scratch.write("my.json", kBroken);
  const std::string out = run_program({"check", path, "--seeds", "1..500"}).out;
  const std::size_t found = out.find("found at seed ");
  const std::size_t shrunk = out.find("shrunk from ");
  ASSERT_NE(found, std::string::npos);
  ASSERT_NE(shrunk, std::string::npos);
  EXPECT_LT(found, shrunk);

  const std::string first = token_in(out);
  const std::string second = token_in(std::string_view(out).substr(shrunk));
  EXPECT_THAT(first, HasSubstr(":s"));
  EXPECT_THAT(second, HasSubstr(":c."));
  for (const std::string& token : {first, second}) {
    const Outcome again = run_program({"replay", token, path});
    EXPECT_EQ(again.exit_code, kViolated) << again.err;
    EXPECT_THAT(first_line(again.out), HasSubstr("identical"));
  }
}

TEST(Run, WhatMustHoldAndIsUnknownIsInconclusive) {
  const std::vector<std::string> cut = {"run", "calm", "--set", "limits.steps=1"};
  const Outcome outcome = run_program(cut);
  EXPECT_EQ(outcome.exit_code, kInconclusive);
  EXPECT_THAT(outcome.out, HasSubstr("unknown"));
  std::vector<std::string> either = cut;
  either.insert(either.end(), {"--set", "expect.eventual-release=unknown"});
  EXPECT_EQ(run_program(either).exit_code, kOk);
  EXPECT_EQ(run_program({"run", "calm"}).exit_code, kOk);
}

TEST(Check, ATrapThatNoLongerBitesIsThree) {
  const Scratch scratch;
  const Outcome outcome =
      run_program({"check", scratch.write("my.json", kHarmlessTrap), "--seeds", "1..50"});

  EXPECT_EQ(outcome.exit_code, kNotViolated);
  EXPECT_THAT(lines_in(outcome.out).back(), HasSubstr("double-ownership never violated"));
}

TEST(Check, AGoalThatIsNeverMetIsInconclusive) {
  const Scratch scratch;
  const Outcome outcome =
      run_program({"check", scratch.write("my.json", kUnmetGoal), "--seeds", "1..50"});

  EXPECT_EQ(outcome.exit_code, kInconclusive);
  EXPECT_THAT(outcome.out, HasSubstr("promoted should have happened"));
}

TEST(Check, SaysTheSameForAnyNumberOfJobs) {
  EXPECT_EQ(run_program({"check", "late-write", "--seeds", "1..300", "--jobs", "1"}).out,
            run_program({"check", "late-write", "--seeds", "1..300", "--jobs", "3"}).out);
}

TEST(Check, JsonIsOneObject) {
  const Outcome outcome = run_program({"check", "late-write", "--seeds", "1..300", "--json"});
  const json result = json::parse(outcome.out);

  EXPECT_EQ(result["schema"], "locklab.check/1");
  EXPECT_EQ(result["runs"], 300);
  EXPECT_EQ(result["verdict"], "as-expected");
  EXPECT_EQ(result["exit_code"], outcome.exit_code);
}

TEST(Check, CtrlCEndsWithWhatIsKnown) {
  const Outcome outcome = run_program({"check", "calm", "--seeds", "1..1000000000", "--jobs", "1"},
                                      {.interrupt_after_ms = 700});

  EXPECT_EQ(outcome.exit_code, kInterrupted);
  EXPECT_THAT(outcome.out, HasSubstr("stopped early"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("(95 %)")));
  EXPECT_THAT(lines_in(outcome.out).back(), HasSubstr("interrupted"));
}

TEST(Replay, AnEditedScenarioDiverges) {
  const Scratch scratch;
  const std::string path = scratch.write("my.json", kBroken);
  const std::string token = token_in(run_program({"run", path}).out);

  const Outcome outcome = run_program({"replay", token, path, "--set", "workload.work=301ms"});

  EXPECT_EQ(outcome.exit_code, kDiverged);
  EXPECT_THAT(outcome.out, HasSubstr("hash"));
}

TEST(Replay, AWrongDigestDiverges) {
  std::string token = token_in(run_program({"run", "calm"}).out);
  token.back() = token.back() == '0' ? '1' : '0';

  EXPECT_EQ(run_program({"replay", token}).exit_code, kDiverged);
}

TEST(Replay, TheSetFlagsArePrintedAgainAndNeeded) {
  const Outcome run = run_program({"run", "calm", "--set", "workload.work=301ms"});
  EXPECT_THAT(run.out, HasSubstr(" --set workload.work=301ms"));
  const std::string token = token_in(run.out);

  EXPECT_EQ(run_program({"replay", token, "--set", "workload.work=301ms"}).exit_code, kOk);
  EXPECT_EQ(run_program({"replay", token}).exit_code, kDiverged);
}

// --- Files and pipes ----------------------------------------------------------------------------

TEST(Out, KeepsFourFilesThatReplay) {
  const Scratch scratch;
  const std::string directory = scratch.path("kept");
  const Outcome outcome = run_program({"run", "late-write", "--seed", "5", "--out", directory});
  EXPECT_EQ(outcome.exit_code, kOk) << outcome.err;

  std::string trace;
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    ++files;
    const std::string name = entry.path().filename().string();
    if (std::regex_match(name, std::regex("[0-9a-f]{16}\\.json"))) trace = entry.path().string();
  }
  EXPECT_EQ(files, 4U);
  ASSERT_NE(trace, "");
  EXPECT_EQ(json::parse(scratch.read("kept/result.json"))["schema"], "locklab.run/1");
  EXPECT_THAT(scratch.read("kept/story.txt"), HasSubstr("late-write"));
  EXPECT_FALSE(lines_in(scratch.read("kept/events.ndjson")).empty());

  const Outcome again = run_program({"replay", trace});
  EXPECT_EQ(again.exit_code, kOk) << again.err << again.out;
  EXPECT_THAT(first_line(again.out), HasSubstr("identical"));
}

TEST(Out, ALinkInsideIsReplacedAndNotFollowed) {
  const Scratch scratch;
  const std::string victim = scratch.write("victim", "precious");
  std::filesystem::create_directory(scratch.path("kept"));
  std::filesystem::create_symlink(victim, scratch.path("kept/story.txt"));

  EXPECT_EQ(run_program({"run", "calm", "--out", scratch.path("kept")}).exit_code, kOk);

  EXPECT_EQ(scratch.read("victim"), "precious");
  EXPECT_FALSE(std::filesystem::is_symlink(scratch.path("kept/story.txt")));
}

TEST(Pipe, AReaderThatHasGoneIsNoError) {
  const Outcome outcome = run_program({"run", "calm", "--json"}, {.closed_pipe = true});

  EXPECT_EQ(outcome.exit_code, kOk);
  EXPECT_EQ(outcome.err, "");
}

}  // namespace
}  // namespace locklab::cli
