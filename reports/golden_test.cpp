// Golden tests: fixed runs give the same bytes, on every compiler and at every optimisation level.
// SPDX-License-Identifier: Apache-2.0
//
// What is not as expected is written to the temporary directory as <name>.actual; to accept it,
// copy it over reports/golden/<name>.
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "reports/html.h"
#include "reports/json.h"
#include "reports/report_testing.h"
#include "reports/story.h"
#include "reports/timeline.h"
#include "reports/verdicts.h"
#include "scenarios/loader.h"

namespace locklab {
namespace {

using testing_reports::embedded;
using testing_reports::Judged;

void expect_golden(const std::string& name, const std::string& actual) {
  const std::string path = std::string(LOCKLAB_SOURCE_DIR) + "/reports/golden/" + name;
  const FileText expected = read_file(path, 1 << 22);
  if (expected.error.empty() && expected.text == actual) return;
  const std::string other = ::testing::TempDir() + name + ".actual";
  std::ofstream(other, std::ios::binary) << actual;
  ADD_FAILURE() << name << " differs from " << path << " (" << expected.error << "); see " << other;
}

/// The first seed whose run violates something: fixed by the model epoch.
std::uint64_t first_violation(const std::string& scenario) {
  Judged judged(embedded(scenario));
  for (std::uint64_t seed = 1; seed < 1000; ++seed) {
    if (worst(judged.run(seed).findings) == Verdict::violated) return seed;
  }
  ADD_FAILURE() << scenario << " is never violated";
  return 1;
}

std::string report(const RunView& run, const Paper& paper) {
  const LineOptions options{.most = 24, .everything = false};
  return story(run, options, paper) + "\n" + timeline(run, options, paper) + "\n" +
         verdict_table(run.findings, run.scenario->expect, paper) + "\n" +
         reasons(run, paper, Reasons::all) + advice(run, paper) + deviations(run, paper) +
         replay_line(run, paper);
}

class Golden : public ::testing::TestWithParam<const char*> {};

TEST_P(Golden, ReportIsAsExpected) {
  const std::string name = GetParam();
  const std::uint64_t seed = first_violation(name);
  Judged judged(embedded(name));
  const RunView run = judged.run(seed);

  expect_golden(name + ".txt", report(run, {80, false, false}));
}

INSTANTIATE_TEST_SUITE_P(Traps, Golden,
                         ::testing::Values("late-write", "failover-forgets-lock",
                                           "pause-outlives-lease", "late-blind-del",
                                           "crash-between-setnx-and-expire", "redlock-clock-jump"),
                         [](const auto& instance) {
                           std::string name = instance.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST(GoldenForms, AsciiReportIsAsExpected) {
  Judged judged(embedded("late-write"));

  expect_golden("late-write.ascii.txt",
                report(judged.run(first_violation("late-write")), {80, false, true}));
}

TEST(GoldenForms, ColouredReportIsAsExpected) {
  Judged judged(embedded("late-write"));

  expect_golden("late-write.color.txt",
                report(judged.run(first_violation("late-write")), {100, true, false}));
}

TEST(GoldenForms, CalmRunIsAsExpected) {
  Judged judged(embedded("calm"));

  expect_golden("calm.txt", report(judged.calm(), {80, false, false}));
}

TEST(GoldenForms, JsonIsAsExpected) {
  Judged judged(embedded("late-write"));
  const RunView run = judged.run(first_violation("late-write"));

  expect_golden("late-write.ndjson", events_json(run) + run_json(run, {}));
}

TEST(GoldenForms, PageIsAsExpected) {
  Judged judged(embedded("failover-forgets-lock"));

  expect_golden("failover-forgets-lock.html",
                html_page(judged.run(first_violation("failover-forgets-lock"))));
}

}  // namespace
}  // namespace locklab
