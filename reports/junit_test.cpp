// Tests of JUnit: what passes, fails and is skipped, and that names stay text.
// SPDX-License-Identifier: Apache-2.0
#include "reports/junit.h"

#include <algorithm>

#include <gmock/gmock.h>

#include "reports/report_testing.h"

namespace locklab {
namespace {

using Status = JunitCase::Status;
using ::testing::HasSubstr;
using ::testing::Not;
using testing_reports::embedded;
using testing_reports::objection_to;

const JunitCase& case_of(const JunitSuite& suite, std::string_view name) {
  const auto row = std::find_if(suite.cases.begin(), suite.cases.end(),
                                [name](const JunitCase& c) { return c.name == name; });
  if (row == suite.cases.end()) throw std::runtime_error("no case " + std::string(name));
  return *row;
}

std::vector<std::string> commands_of(const SearchResult& result) {
  return std::vector<std::string>(result.first_violations.size(), "locklab replay ll1:token");
}

TEST(Junit, AnExpectedViolationPassesAndSaysSo) {
  const Scenario scenario = embedded("failover-forgets-lock");
  const SearchResult result = explore(scenario, {1, 30, false});

  const JunitSuite suite = junit_suite(result, {commands_of(result), false});

  const JunitCase& row = case_of(suite, "double-ownership");
  EXPECT_EQ(row.status, Status::passed);
  EXPECT_THAT(row.lines.front(), HasSubstr("which is no failure"));
  EXPECT_EQ(row.lines.back(), "locklab replay ll1:token");
  EXPECT_EQ(case_of(suite, "eventual-release").status, Status::passed);
  EXPECT_EQ(suite.cases.size(), result.tallies.all().size());
}

TEST(Junit, AnUnexpectedViolationFailsWithItsReasonAndItsToken) {
  Scenario scenario = embedded("failover-forgets-lock");
  scenario.expect.clear();
  const SearchResult result = explore(scenario, {1, 30, false});

  const JunitSuite suite = junit_suite(result, {commands_of(result), false});

  const JunitCase& row = case_of(suite, "double-ownership");
  EXPECT_EQ(row.status, Status::failed);
  EXPECT_EQ(row.type, "violated");
  EXPECT_THAT(row.message, HasSubstr("were both inside"));
  EXPECT_EQ(row.lines.back(), "locklab replay ll1:token");
  EXPECT_THAT(row.lines.front(), HasSubstr("Never are two programs inside at once"));
}

TEST(Junit, ATrapThatNoLongerBitesFailsUnlessTheSearchWasInterrupted) {
  Scenario scenario = embedded("calm");
  scenario.expect["double-ownership"] = Verdict::violated;
  const SearchResult result = explore(scenario, {1, 5, false});

  const JunitCase row = case_of(junit_suite(result, {}), "double-ownership");
  EXPECT_EQ(row.status, Status::failed);
  EXPECT_EQ(row.type, "not-violated");
  EXPECT_EQ(case_of(junit_suite(result, {{}, true}), "double-ownership").status, Status::skipped);
}

/// Liveness cannot be judged within so little time.
Scenario too_short() {
  Scenario scenario = embedded("calm");
  scenario.world.limits.virtual_time = 50_ms;
  return scenario;
}

TEST(Junit, UnknownFailsUnlessItIsExpected) {
  Scenario scenario = too_short();
  const SearchResult result = explore(scenario, {1, 3, false});
  const JunitCase row = case_of(junit_suite(result, {}), "eventual-release");
  EXPECT_EQ(row.status, Status::failed);
  EXPECT_EQ(row.type, "unknown");

  scenario.expect["eventual-release"] = Verdict::unknown;
  const SearchResult promised = explore(scenario, {1, 3, false});
  EXPECT_EQ(case_of(junit_suite(promised, {}), "eventual-release").status, Status::passed);
}

TEST(Junit, WhatNoRunPutToTheTestIsSkipped) {
  Scenario scenario = embedded("calm");
  scenario.clients.front().count = 1;
  const SearchResult result = explore(scenario, {1, 3, false});

  const JunitCase row = case_of(junit_suite(result, {}), "double-ownership");

  EXPECT_EQ(row.status, Status::skipped);
  EXPECT_THAT(row.message, HasSubstr("proves nothing"));
}

TEST(Junit, AGoalIsACaseOfItsOwn) {
  Scenario scenario = embedded("calm");
  scenario.sometimes = {"promoted", "section_enter"};
  const SearchResult result = explore(scenario, {1, 3, false});
  const JunitSuite suite = junit_suite(result, {});

  EXPECT_EQ(case_of(suite, "sometimes promoted").status, Status::failed);
  EXPECT_EQ(case_of(suite, "sometimes promoted").type, "unknown");
  EXPECT_EQ(case_of(suite, "sometimes section_enter").status, Status::passed);
}

TEST(Junit, TheDocumentCountsAndEscapes) {
  const JunitSuite suite{"a<b>",
                         {{"k\"", "v&"}},
                         {{"one", Status::failed, "violated", "m<\x1b>", {"t]]>", "x\ny"}},
                          {"two", Status::skipped, {}, "s", {}},
                          {"three", Status::passed, {}, {}, {"fine"}}}};
  const std::vector<JunitSuite> suites = {suite, suite};

  const std::string xml = junit_xml(suites);

  EXPECT_EQ(objection_to(xml), "");
  EXPECT_THAT(xml,
              HasSubstr("<testsuites name=\"locklab\" tests=\"6\" failures=\"2\" errors=\"0\">"));
  EXPECT_THAT(xml,
              HasSubstr("<testsuite name=\"a&lt;b&gt;\" tests=\"3\" failures=\"1\" errors=\"0\" "
                        "skipped=\"1\">"));
  EXPECT_THAT(
      xml,
      HasSubstr(
          "<failure type=\"violated\" message=\"m&lt;\\x1b&gt;\">t]]&gt;\nx\\x0ay\n</failure>"));
  EXPECT_THAT(xml, HasSubstr("<skipped message=\"s\"/>"));
  EXPECT_THAT(xml, HasSubstr("<property name=\"k&quot;\" value=\"v&amp;\"/>"));
  EXPECT_THAT(xml, Not(HasSubstr("time")));
  EXPECT_EQ(xml, junit_xml(suites));
}

}  // namespace
}  // namespace locklab
