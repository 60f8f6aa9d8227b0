// Tests of wrong command lines: one line on stderr, nothing on stdout, the right code.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <thread>
#include <unistd.h>

#include <gmock/gmock.h>

#include "cli/exit_code.h"
#include "cli/testing.h"
#include "reports/text.h"

namespace locklab::cli {
namespace {

using ::testing::HasSubstr;
using testing::lines_in;
using testing::Outcome;
using testing::run_program;
using testing::Scratch;
using ::testing::StartsWith;

void expect_refusal(const std::vector<std::string>& arguments, ExitCode code,
                    const std::string& words) {
  SCOPED_TRACE(::testing::PrintToString(arguments));
  const Outcome outcome = run_program(arguments);
  EXPECT_EQ(outcome.exit_code, code);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr(words));
  EXPECT_EQ(lines_in(outcome.err).size(), 1U) << outcome.err;
  EXPECT_EQ(outcome.err.find('\x1b'), std::string::npos);
}

TEST(BadInput, UnknownVerbIsUsageWithASuggestion) {
  expect_refusal({"chekc", "calm"}, kUsage, "did you mean \"check\"?");
  expect_refusal({"zzzzzzzzz"}, kUsage, "there is no verb");
}

TEST(BadInput, UnknownFlagIsUsageWithASuggestion) {
  expect_refusal({"run", "calm", "--sed", "3"}, kUsage, "did you mean --seed?");
  expect_refusal({"run", "calm", "--qqqqqqqq"}, kUsage, "see locklab run -h");
  expect_refusal({"--ascci"}, kUsage, "did you mean --ascii?");
}

TEST(BadInput, FlagOfAnotherVerbIsUsage) {
  expect_refusal({"list", "--seed", "3"}, kUsage, "list has no flag");
}

TEST(BadInput, UnknownScenarioIsNoInputWithASuggestion) {
  expect_refusal({"run", "late-wirte"}, kNoInput, "did you mean \"late-write\"?");
  expect_refusal({"check", "no-such-thing-at-all"}, kNoInput, "no scenario has this name");
}

TEST(BadInput, UnknownListIsUsage) {
  expect_refusal({"list", "lokcs"}, kUsage, "did you mean \"locks\"?");
}

TEST(BadInput, UnknownDemoIsUsage) {
  expect_refusal({"demo", "everything"}, kUsage, "a trap's number or all");
  expect_refusal({"demo", "6"}, kUsage, "1=crash-between-setnx-and-expire, 2=late-blind-del, 3=");
}

TEST(BadInput, UnknownNamesInSetAreUsage) {
  expect_refusal({"run", "calm", "--set", "resource.mod=none"}, kUsage, "did you mean \"mode\"?");
  expect_refusal({"run", "calm", "--set", "clients.0.algorithm=set-nx-xp"}, kUsage, "set-nx-px");
  expect_refusal({"run", "calm", "--set", "expect.double-ownrship=violated"}, kUsage,
                 "double-ownership");
  expect_refusal({"run", "calm", "--set", "nonsense"}, kUsage, "key=value");
  expect_refusal({"run", "calm", "--set", "clients.0.ttl=5"}, kUsage, "unit");
}

TEST(BadInput, AFenceThatTheLockLacksIsRefused) {
  expect_refusal({"run", "calm", "--set", "resource.mode=ge_rw"}, kUsage, "fence");
}

TEST(BadInput, NumbersMustBeNumbers) {
  expect_refusal({"run", "calm", "--seed", "three"}, kUsage, "--seed must be a whole number");
  expect_refusal({"run", "calm", "--seed", "-1"}, kUsage, "--seed");
  expect_refusal({"run", "calm", "--seed", "18446744073709551616"}, kUsage, "whole number");
  expect_refusal({"check", "calm", "--seeds", "10"}, kUsage, "--seeds must be a range");
  expect_refusal({"check", "calm", "--seeds", "9..2"}, kUsage, "holds no seed");
  expect_refusal({"check", "calm", "--jobs", "0"}, kUsage, "--jobs");
  expect_refusal({"demo", "--width", "7"}, kUsage, "--width must be 40 to 500");
  expect_refusal({"demo", "--color", "blue"}, kUsage, "--color must be auto, always or never");
}

TEST(BadInput, ReportsNeedADirectoryAndAKnownFormat) {
  expect_refusal({"run", "calm", "--report", "html"}, kUsage, "needs --out DIR");
  expect_refusal({"check", "calm", "--report", "html,junit"}, kUsage, "needs --out DIR");
  expect_refusal({"run", "calm", "--report", "htlm"}, kUsage, "did you mean \"html\"?");
  expect_refusal({"check", "calm", "--report", "html,"}, kUsage, "--report knows html and junit");
  expect_refusal({"run", "calm", "--report", "junit"}, kUsage, "check writes it");
  expect_refusal({"list", "--report", "html"}, kUsage, "list has no flag");
}

TEST(BadInput, MissingAndSurplusWordsAreUsage) {
  expect_refusal({"run"}, kUsage, "run needs SCENARIO");
  expect_refusal({"run", "calm", "late-write"}, kUsage, "takes no word");
  expect_refusal({"replay"}, kUsage, "replay needs");
  expect_refusal({"run", "calm", "--seed"}, kUsage, "--seed needs a value");
}

TEST(BadInput, CorruptTokensAreBadData) {
  expect_refusal({"replay", "hello"}, kBadData, "is no token");
  expect_refusal({"replay", "ll1:late-write@12345678"}, kBadData, "is no token");
  expect_refusal({"replay", "ll1:late-write@1234567g:s1.00000000"}, kBadData, "is no token");
  expect_refusal({"replay", "ll1:late-write@12345678:c.AAAA.00000000"}, kBadData, "is no token");
  expect_refusal({"replay", std::string(20000, 'x')}, kBadData, "is no token");
  expect_refusal({"replay", "\x1b[31m"}, kBadData, "is no token");
}

TEST(BadInput, UnknownStrategiesAreBadData) {
  expect_refusal({"replay", "ll1:late-write@12345678:s1~magic.00000000"}, kBadData, "strategy");
}

TEST(BadInput, ATokenOfAnUnknownScenarioIsNoInput) {
  expect_refusal({"replay", "ll1:my-lock@12345678:s1.00000000"}, kNoInput,
                 "no scenario has this name");
}

TEST(BadInput, FilesThatAreNotThereAreNoInput) {
  expect_refusal({"run", "/no/such/file.json"}, kNoInput, "there is no such file");
  expect_refusal({"replay", "/no/such/trace.json"}, kNoInput, "there is no such file");
  expect_refusal({"run", "/"}, kNoInput, "is a directory");
  expect_refusal({"run", "/dev/null"}, kNoInput, "is not a regular file");
}

/// What this thread starts as root obeys permissions from here on. false: it may not be asked to.
bool give_up_reading_everything() {
  return ::prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE) == 0 &&
         ::prctl(PR_CAPBSET_DROP, CAP_DAC_READ_SEARCH) == 0;
}

TEST(BadInput, FilesThatMayNotBeReadAreNoInput) {
  const Scratch scratch;
  const std::string path = scratch.write("secret.json", "{}");
  std::filesystem::permissions(path, std::filesystem::perms::none);
  bool asked = false;
  // A thread of its own: what it gives up, it cannot take back.
  std::thread([&] {
    asked = ::geteuid() != 0 || give_up_reading_everything();
    if (asked) expect_refusal({"run", path}, kNoInput, "permission denied");
  }).join();
  if (!asked) GTEST_SKIP() << "this root may not give up reading everything";
}

TEST(BadInput, DeepAndHugeJsonIsBadData) {
  const Scratch scratch;
  expect_refusal({"run", scratch.write("deep.json", std::string(100'000, '['))}, kBadData, "deep");
  expect_refusal({"run", scratch.write("huge.json", std::string(2 << 20, ' '))}, kBadData,
                 "larger");
  expect_refusal({"run", scratch.write("empty.json", "")}, kBadData, "error");
  expect_refusal({"replay", scratch.write("trace.json", "{\"a\": 1")}, kBadData, "trace.json:1");
}

TEST(BadInput, ErrorsInFilesNameTheirPlace) {
  const Scratch scratch;
  const std::string path = scratch.write("my.json", "{\n  \"schema\": 1,\n  \"nmae\": \"x\"\n}");
  const Outcome outcome = run_program({"run", path});

  EXPECT_EQ(outcome.exit_code, kBadData);
  EXPECT_THAT(outcome.err, HasSubstr("my.json:3:3: error: "));
  EXPECT_THAT(outcome.err, HasSubstr("did you mean \"name\"?"));
}

TEST(BadInput, SeveralErrorsAreALineEach) {
  const Scratch scratch;
  const std::string path = scratch.write("my.json", "{\"schema\": 1, \"nmae\": 1, \"tilte\": 2}");
  const Outcome outcome = run_program({"run", path});

  EXPECT_EQ(outcome.exit_code, kBadData);
  const std::vector<std::string> lines = lines_in(outcome.err);
  EXPECT_GE(lines.size(), 2U);
  for (const std::string& line : lines)
    EXPECT_THAT(line, HasSubstr(": error: "));
}

// --- For a person at a terminal -----------------------------------------------------------------

std::vector<std::string> seen_by_a_person(const std::vector<std::string>& arguments) {
  const Outcome outcome = run_program(arguments, {.terminal_columns = 80});
  EXPECT_NE(outcome.exit_code, kOk);
  std::vector<std::string> lines = lines_in(outcome.err);
  for (const std::string& line : lines)
    EXPECT_LE(columns_of(line), 80U) << line;
  return lines;
}

/// Skipped where there are none, as in a root without /dev/pts.
class AtATerminal : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!testing::has_terminals()) GTEST_SKIP() << "no pseudoterminal can be opened";
  }
};

TEST_F(AtATerminal, LongMessagesAreWrapped) {
  const std::vector<std::string> lines = seen_by_a_person({"list", "what-I-have-not-seen-yet"});

  ASSERT_GE(lines.size(), 2U);
  EXPECT_THAT(lines[0], StartsWith("locklab: there is no list of"));
  for (std::size_t i = 1; i < lines.size(); ++i)
    EXPECT_THAT(lines[i], StartsWith("         "));
}

TEST_F(AtATerminal, MistakesAreShownOnceWithTheirLine) {
  const std::vector<std::string> lines =
      seen_by_a_person({"run", "calm", "--set", "resource.mode=foo"});

  ASSERT_GE(lines.size(), 4U);
  EXPECT_EQ(lines[0], "--set:1:15: error: no resource mode is named \"foo\"");
  EXPECT_EQ(lines[1], "    1 | resource.mode=foo");
  EXPECT_EQ(lines[2], "      |               ^^^");
  EXPECT_THAT(lines[3], StartsWith("      | one of: none"));
}

TEST_F(AtATerminal, ALongLineIsShownAroundTheMistake) {
  const Scratch scratch;
  const std::string path = scratch.write(
      "my.json", R"({"schema": 1, "name": "x", "title": ")" + std::string(150, 'y') +
                     R"(", "clients": [{"algorithm": "set-nx-xp"}], "tags": ["a", "b", "c"]})");

  const std::vector<std::string> lines = seen_by_a_person({"run", path});

  const auto carets = std::find_if(lines.begin(), lines.end(), [](const std::string& line) {
    return line.find("^^^") != std::string::npos;
  });
  ASSERT_NE(carets, lines.end());
  ASSERT_NE(carets, lines.begin());
  EXPECT_EQ(std::prev(carets)->substr(carets->find('^'), 11), "\"set-nx-xp\"");
}

TEST(BadInput, ATagThatNobodyCarriesRunsNothing) {
  expect_refusal({"check", "--tag", "trap-99"}, kNothingRun, "no embedded scenario has the tag");
}

TEST(BadInput, OutputDirectoriesThatCannotBeUsedAreRefusedBeforeWork) {
  const Scratch scratch;
  const std::string file = scratch.write("file", "");
  std::filesystem::create_directory_symlink(scratch.path("."), scratch.path("link"));
  expect_refusal({"run", "calm", "--out", scratch.path("a/b")}, kCannotCreate, "cannot create");
  expect_refusal({"run", "calm", "--out", file}, kCannotCreate, "cannot write into");
  expect_refusal({"run", "calm", "--out", scratch.path("link")}, kCannotCreate, "symbolic link");
  expect_refusal({"run", "calm", "--out", scratch.path("link/")}, kCannotCreate, "symbolic link");
  expect_refusal({"check", "calm", "--out", file}, kCannotCreate, "cannot write into");
}

TEST(BadInput, AFullDiskIsAWriteError) {
  const Outcome outcome = run_program({"list", "faults"}, {.out_path = "/dev/full"});

  EXPECT_EQ(outcome.exit_code, kWriteError);
  EXPECT_THAT(outcome.err, HasSubstr("cannot write to stdout"));
  EXPECT_EQ(lines_in(outcome.err).size(), 1U);
}

}  // namespace
}  // namespace locklab::cli
