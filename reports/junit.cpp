// JUnit: the dialect that Jenkins reads (jenkinsci/xunit-plugin, junit-10.xsd), and so do most.
// SPDX-License-Identifier: Apache-2.0
#include "reports/junit.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "reports/markup.h"
#include "reports/odds.h"
#include "search/byte_codec.h"

namespace locklab {
namespace {

using Status = JunitCase::Status;

std::optional<Mismatch> mismatch_of(const SearchResult& result, std::string_view property) {
  for (Mismatch& mismatch : result.tallies.mismatches(result.scenario->expect)) {
    if (mismatch.property == property) return std::move(mismatch);
  }
  return std::nullopt;
}

/// Statement, reason and command.
std::vector<std::string> reason_of(const SearchResult& result, std::size_t i,
                                   const JunitStory& story) {
  std::vector<std::string> lines = {std::string(result.tallies.all()[i].property->statement)};
  const std::optional<FoundRun>& first = result.first_violations[i];
  if (!first) return lines;
  lines.push_back(fmt::format("seed {}: {}", first->seed, first->findings[i].finding.why));
  if (i < story.commands.size()) lines.push_back(story.commands[i]);
  return lines;
}

JunitCase failure_of(const SearchResult& result, std::size_t i, const Mismatch& mismatch,
                     const JunitStory& story) {
  const Tally& tally = result.tallies.all()[i];
  JunitCase row{std::string(tally.property->name), Status::failed, {}, {}, {}};
  row.lines = reason_of(result, i, story);
  if (mismatch.actual == Verdict::violated) {
    row.type = "violated";
    row.message = fmt::format("violated in {} of {} runs", tally.violated, tally.runs);
    const std::optional<FoundRun>& first = result.first_violations[i];
    if (first) row.message += ": " + first->findings[i].finding.why;
  } else if (mismatch.expected == Verdict::violated) {
    row.type = "not-violated";
    row.message = fmt::format("never violated in {} runs: the trap no longer bites", tally.runs);
    if (story.interrupted) row.status = Status::skipped;
  } else {
    row.type = name_of(mismatch.actual);
    row.message = fmt::format("unknown in {} of {} runs", tally.unknown, tally.runs);
  }
  return row;
}

JunitCase case_of(const SearchResult& result, std::size_t i, const JunitStory& story) {
  const Tally& tally = result.tallies.all()[i];
  const std::optional<Mismatch> mismatch = mismatch_of(result, tally.property->name);
  if (mismatch) return failure_of(result, i, *mismatch, story);
  JunitCase row{std::string(tally.property->name), Status::passed, {}, {}, {}};
  const RunCount count = run_count_of(result);
  if (tally.violated > 0) {
    row.lines = reason_of(result, i, story);
    row.lines.insert(row.lines.begin(),
                     fmt::format("violated in {} of {} runs, which is no failure of this scenario",
                                 tally.violated, tally.runs));
  } else if (tally.unknown > 0) {
    row.lines = {fmt::format("unknown in {} of {} runs, which is no failure of this scenario",
                             tally.unknown, tally.runs)};
  } else if (tally.exercised_runs == 0) {
    row.status = Status::skipped;
    row.message = odds_of_none(0, count);
  } else {
    row.lines = {odds_of_none(tally.exercised_runs, count)};
  }
  return row;
}

/// A line break of a name is shown escaped; those between our own lines are real ones.
void write_lines(Markup& out, const std::vector<std::string>& lines) {
  for (const std::string& line : lines)
    out.text(line).newline();
}

void write_case(Markup& out, const std::string& suite, const JunitCase& row) {
  out.open("testcase", {{"name", row.name}, {"classname", "locklab." + suite}});
  if (row.status == Status::failed) {
    out.open("failure", {{"type", row.type}, {"message", row.message}});
    write_lines(out, row.lines);
    out.close();
  } else if (row.status == Status::skipped) {
    out.leaf("skipped", {{"message", row.message}});
  } else if (!row.lines.empty()) {
    out.open("system-out");
    write_lines(out, row.lines);
    out.close();
  }
  out.close().newline();
}

std::int64_t count_of(const JunitSuite& suite, Status status) {
  return std::count_if(suite.cases.begin(), suite.cases.end(),
                       [status](const JunitCase& row) { return row.status == status; });
}

void write_suite(Markup& out, const JunitSuite& suite) {
  out.open("testsuite", {{"name", suite.name},
                         {"tests", suite.cases.size()},
                         {"failures", count_of(suite, Status::failed)},
                         {"errors", 0},
                         {"skipped", count_of(suite, Status::skipped)}});
  out.newline().open("properties").newline();
  for (const auto& [name, value] : suite.properties)
    out.leaf("property", {{"name", name}, {"value", value}}).newline();
  out.close().newline();
  for (const JunitCase& row : suite.cases)
    write_case(out, suite.name, row);
  out.close().newline();
}

}  // namespace

JunitSuite junit_suite(const SearchResult& result, const JunitStory& story) {
  const Scenario& scenario = *result.scenario;
  JunitSuite suite{scenario.name, {}, {}};
  suite.properties = {{"scenario_hash", hex(scenario.hash, 16)},
                      {"model_epoch", std::to_string(History::kModelEpoch)},
                      {"first_seed", std::to_string(result.first_seed)},
                      {"runs", std::to_string(result.runs)},
                      {"complete", result.complete ? "true" : "false"}};
  for (std::size_t i = 0; i < result.tallies.all().size(); ++i)
    suite.cases.push_back(case_of(result, i, story));
  const std::vector<std::string> unmet = unmet_goals(result);
  for (const std::string& goal : scenario.sometimes) {
    JunitCase row{"sometimes " + goal, Status::passed, {}, {}, {}};
    if (std::find(unmet.begin(), unmet.end(), goal) != unmet.end()) {
      row.status = story.interrupted ? Status::skipped : Status::failed;
      row.type = "unknown";
      row.message = goal + " should have happened in some run, and never did";
    }
    suite.cases.push_back(row);
  }
  return suite;
}

std::string junit_xml(std::span<const JunitSuite> suites) {
  std::size_t tests = 0;
  std::int64_t failures = 0;
  for (const JunitSuite& suite : suites) {
    tests += suite.cases.size();
    failures += count_of(suite, Status::failed);
  }
  Markup out;
  out.trusted("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
  out.open("testsuites",
           {{"name", "locklab"}, {"tests", tests}, {"failures", failures}, {"errors", 0}});
  out.newline();
  for (const JunitSuite& suite : suites)
    write_suite(out, suite);
  out.close().newline();
  return out.str();
}

}  // namespace locklab
