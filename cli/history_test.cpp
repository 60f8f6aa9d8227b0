// Tests of history: files of each format, good and bad, through the program.
// SPDX-License-Identifier: Apache-2.0
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
using ::testing::StartsWith;

std::string example(const std::string& name) {
  return LOCKLAB_SOURCE_DIR "/tests/histories/" + name;
}

Outcome check(const std::vector<std::string>& words) {
  std::vector<std::string> all = {"history", "check"};
  all.insert(all.end(), words.begin(), words.end());
  return run_program(all);
}

TEST(HistoryCheck, GoodFilesAreOk) {
  for (const char* const name : {"register.log", "cart.edn", "one-after-another.ndjson"}) {
    const Outcome outcome = check({example(name)});

    EXPECT_EQ(outcome.exit_code, kOk) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out, StartsWith("✓ "));
    EXPECT_EQ(outcome.err, "");
  }
}

TEST(HistoryCheck, BadFilesAreIllegalWithTheirPart) {
  for (const char* const name : {"register-stale.log", "cart-lost.edn", "two-holders.ndjson"}) {
    const Outcome outcome = check({example(name)});

    EXPECT_EQ(outcome.exit_code, kViolated) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out, StartsWith("✗ "));
    EXPECT_THAT(outcome.out, HasSubstr("order of events"));
    for (const std::string& line : lines_in(outcome.out))
      EXPECT_LE(columns_of(line), 80U) << line;
  }
}

TEST(HistoryCheck, ThePartNamesTheLinesOfTheFile) {
  const json result = json::parse(check({example("two-holders.ndjson"), "--json"}).out);

  EXPECT_EQ(result["verdict"], "illegal");
  EXPECT_EQ(result["model"], "owner-aware-mutex");
  EXPECT_EQ(result["smallest"], true);
  ASSERT_EQ(result["failing_part"].size(), 2U);
  EXPECT_EQ(result["failing_part"][0]["line"], 4);
  EXPECT_EQ(result["failing_part"][1]["line"], 8);
}

TEST(HistoryCheck, TheWorstOfSeveralFilesIsTheExitCode) {
  const Outcome outcome = check({example("cart-lost.edn"), example("cart.edn")});

  EXPECT_EQ(outcome.exit_code, kViolated);
  EXPECT_THAT(outcome.out, HasSubstr("✓ "));
}

TEST(HistoryCheck, TheModelCanBeSaid) {
  EXPECT_EQ(check({example("two-holders.ndjson"), "--model", "semaphore:2"}).exit_code, kOk);
  EXPECT_EQ(check({example("two-holders.ndjson"), "--model", "queue"}).exit_code, kBadData);
  EXPECT_THAT(check({example("two-holders.ndjson"), "--model", "mutx"}).err,
              HasSubstr("did you mean \"mutex\"?"));
}

TEST(HistoryCheck, OutOfMemoryOrTimeIsUnknown) {
  // Twenty writes that nobody heard of, and reads that see them in an order, and one again.
  std::string text;
  for (int i = 0; i < 24; ++i) {
    const std::string n = std::to_string(i);
    text += R"({"type":"invoke","client":"w)";
    text += n;
    text += R"(","f":"write","value":)";
    text += n;
    text += "}\n";
  }
  for (const int value : {1, 2, 3, 1}) {
    text += R"({"type":"invoke","client":"r","f":"read"})"
            "\n"
            R"({"type":"ok","client":"r","f":"read","value":)" +
            std::to_string(value) + "}\n";
  }
  const Scratch scratch;
  const std::string path = scratch.write("hard.ndjson", text);

  const Outcome small = check({path, "--memory", "1"});
  EXPECT_EQ(small.exit_code, kInconclusive) << small.out;
  EXPECT_THAT(small.out, HasSubstr("--memory has run out"));
  const Outcome quick = check({path, "--time", "5ms"});
  EXPECT_EQ(quick.exit_code, kInconclusive) << quick.out;
  EXPECT_THAT(quick.out, HasSubstr("--time has run out"));
}

TEST(HistoryCheck, ARunOfOursIsAHistoryOfItsLock) {
  const Scratch scratch;
  const std::string path = scratch.write("run.ndjson", run_program({"run", "calm", "--json"}).out);

  const Outcome outcome = check({path});

  EXPECT_EQ(outcome.exit_code, kOk) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, Not(HasSubstr(" 0 operations")));
}

TEST(HistoryCheck, WrongFilesAreOneLine) {
  const Scratch scratch;
  const Outcome bad = check({scratch.write("bad.ndjson", "{\"type\":\"invoke\"}\n")});
  EXPECT_EQ(bad.exit_code, kBadData);
  EXPECT_EQ(bad.out, "");
  EXPECT_THAT(bad.err, HasSubstr("bad.ndjson:1:1: error: missing key"));
  EXPECT_EQ(lines_in(bad.err).size(), 1U);

  EXPECT_EQ(check({scratch.path("none")}).exit_code, kNoInput);
  EXPECT_EQ(check({scratch.path("")}).exit_code, kNoInput);
  EXPECT_EQ(check({"/dev/null"}).exit_code, kNoInput) << "a device may never end";
  const Outcome empty = check({scratch.write("empty.log", "")});
  EXPECT_EQ(empty.exit_code, kNothingRun);
  EXPECT_THAT(empty.err, HasSubstr("has no operation"));
  EXPECT_EQ(run_program({"history", "chekc", "x"}).exit_code, kUsage);
  EXPECT_EQ(run_program({"history", "check"}).exit_code, kUsage);
}

}  // namespace
}  // namespace locklab::cli
