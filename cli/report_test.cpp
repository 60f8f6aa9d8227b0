// Tests of --report: what is written where, and what is said of it.
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <gmock/gmock.h>

#include "cli/exit_code.h"
#include "cli/testing.h"

namespace locklab::cli {
namespace {

using ::testing::HasSubstr;
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

TEST(Report, HtmlIsWrittenAndItsPathSaid) {
  const Scratch scratch;
  const std::string directory = scratch.path("kept");
  const Outcome run = run_program({"run", "calm", "--out", directory, "--report", "html"});
  EXPECT_EQ(run.exit_code, kOk) << run.err;
  EXPECT_THAT(run.err, HasSubstr("report in " + directory + "/report.html\n"));
  EXPECT_THAT(scratch.read("kept/report.html"), StartsWith("<!DOCTYPE html>"));

  const std::string again = scratch.path("again");
  const Outcome replay =
      run_program({"replay", token_in(run.out), "--out", again, "--report", "html"});
  EXPECT_EQ(replay.exit_code, kOk) << replay.err;
  EXPECT_EQ(scratch.read("again/report.html"), scratch.read("kept/report.html"));
}

TEST(Report, ACheckWritesItsPageAndItsSuite) {
  const Scratch scratch;
  const std::string path = scratch.write("my.json", kBroken);
  const Outcome outcome = run_program({"check", path, "--seeds", "1..500", "--out",
                                       scratch.path("kept"), "--report", "html,junit"});

  EXPECT_EQ(outcome.exit_code, kViolated) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("/report.html\n"));
  EXPECT_THAT(outcome.err, HasSubstr("/junit.xml\n"));
  const std::string page = scratch.read("kept/report.html");
  // The page tells the run that the screen tells.
  const std::size_t last = outcome.out.rfind("replay  ");
  ASSERT_NE(last, std::string::npos);
  EXPECT_THAT(page, HasSubstr(token_in(std::string_view(outcome.out).substr(last))));
  const std::string suite = scratch.read("kept/junit.xml");
  EXPECT_THAT(suite, HasSubstr("<testsuite name=\"my-lock\""));
  EXPECT_THAT(suite, HasSubstr("<failure type=\"violated\""));
  EXPECT_THAT(suite, HasSubstr("locklab replay ll1:my-lock@"));
}

TEST(Report, SeveralScenariosShareOneJunitFile) {
  const Scratch scratch;
  const Outcome outcome = run_program({"check", "calm", "late-write", "--seeds", "1..50", "--out",
                                       scratch.path("kept"), "--report", "junit"});

  const std::string suites = scratch.read("kept/junit.xml");
  EXPECT_THAT(suites, HasSubstr("<testsuite name=\"calm\""));
  EXPECT_THAT(suites, HasSubstr("<testsuite name=\"late-write\""));
  EXPECT_FALSE(std::filesystem::exists(scratch.path("kept/story.txt")));
  EXPECT_EQ(run_program({"check", "calm", "late-write", "--out", scratch.path("kept"), "--report",
                         "html,junit"})
                .exit_code,
            kUsage);
}

TEST(Report, NoViolationIsNoPageAndSaysSo) {
  const Scratch scratch;
  const Outcome outcome = run_program(
      {"check", "calm", "--seeds", "1..20", "--out", scratch.path("kept"), "--report", "html"});

  EXPECT_EQ(outcome.exit_code, kOk) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("nothing was violated: no run is kept"));
  EXPECT_FALSE(std::filesystem::exists(scratch.path("kept/report.html")));
}

}  // namespace
}  // namespace locklab::cli
