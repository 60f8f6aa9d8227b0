// Tests of every report over every embedded scenario: width, escapes, folding, same bytes.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>

#include <gtest/gtest.h>

#include "reports/denials.h"
#include "reports/json.h"
#include "reports/report_testing.h"
#include "reports/story.h"
#include "reports/text.h"
#include "reports/timeline.h"
#include "reports/verdicts.h"

namespace locklab {
namespace {

using testing_reports::embedded;
using testing_reports::Judged;
using testing_reports::lines_in;

constexpr LineOptions kUsual{.most = 30, .everything = false};
constexpr LineOptions kEverything{.most = 0, .everything = true};

/// All that may be wrapped; the command to replay is for copying and stays whole.
std::string every_report(const RunView& run, const LineOptions& options, const Paper& paper) {
  return story(run, options, paper) + timeline(run, options, paper) +
         verdict_table(run.findings, run.scenario->expect, paper) +
         reasons(run, paper, Reasons::all) + reasons(run, paper, Reasons::headline) +
         advice(run, paper) + deviations(run, paper);
}

void for_each_run(const std::function<void(const RunView&)>& look) {
  for (const std::string& name : embedded_scenario_names()) {
    Judged judged(embedded(name));
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      SCOPED_TRACE(name + " seed " + std::to_string(seed));
      look(judged.run(seed));
    }
  }
}

TEST(Layout, NothingIsWiderThanThePaper) {
  for_each_run([](const RunView& run) {
    for (const std::size_t width : {40U, 80U, 100U, 200U}) {
      const Paper paper{width, false, false};
      for (const std::string& line : lines_in(every_report(run, kUsual, paper))) {
        ASSERT_LE(columns_of(line), width) << line;
      }
    }
  });
}

TEST(Layout, AsciiPaperHasOnlyPrintableAscii) {
  for_each_run([](const RunView& run) {
    const Paper paper{80, false, true};
    for (const std::string& line : lines_in(every_report(run, kUsual, paper))) {
      ASSERT_LE(line.size(), 80U) << line;
      ASSERT_TRUE(std::all_of(line.begin(), line.end(), [](char c) {
        return c >= ' ' && c <= '~';
      })) << line;
    }
  });
}

TEST(Layout, WithoutColourThereIsNoEscapeSequence) {
  for_each_run([](const RunView& run) {
    EXPECT_EQ(every_report(run, kUsual, {80, false, false}).find('\x1b'), std::string::npos);
  });
}

TEST(Layout, ColourChangesNothingButColour) {
  Judged judged(embedded("late-write"));
  const RunView run = judged.run(1);
  const std::string plain = every_report(run, kUsual, {100, false, false});
  std::string colored = every_report(run, kUsual, {100, true, false});
  EXPECT_NE(colored, plain);

  for (std::size_t at = 0; (at = colored.find('\x1b')) != std::string::npos;) {
    colored.erase(at, colored.find('m', at) - at + 1);
  }
  EXPECT_EQ(colored, plain);
}

TEST(Layout, TheSameRunGivesTheSameBytes) {
  Judged first(embedded("failover-forgets-lock"));
  Judged second(embedded("failover-forgets-lock"));
  second.run(99);

  EXPECT_EQ(every_report(first.run(3), kUsual, {}), every_report(second.run(3), kUsual, {}));
}

TEST(Layout, EveryRecordHasALineWhenEverythingIsAskedFor) {
  for_each_run([](const RunView& run) {
    EXPECT_EQ(lines_of(run, kEverything).size(), run.history->records().size());
    for (const Line& line : lines_of(run, kEverything))
      ASSERT_FALSE(line.text.empty());
  });
}

TEST(Layout, FoldsSayHowManyRecordsTheyStandFor) {
  for_each_run([](const RunView& run) {
    std::uint32_t at = 0;
    for (const Line& line : lines_of(run, kUsual)) {
      ASSERT_GT(line.first, at);
      ASSERT_GE(line.last, line.first);
      if (line.folded > 0) {
        ASSERT_EQ(line.folded, line.last - line.first + 1);
      }
      at = line.last;
    }
    ASSERT_LE(at, run.history->records().size());
  });
}

TEST(Layout, EveryViolationIsMarkedInTheStory) {
  unsigned violations = 0;
  for_each_run([&violations](const RunView& run) {
    std::size_t marks = 0;
    for (const Line& line : lines_of(run, kUsual))
      marks += line.marks.size();
    std::size_t violated = 0;
    for (const NamedFinding& named : run.findings) {
      violated += named.finding.verdict == Verdict::violated ? 1 : 0;
    }
    ASSERT_EQ(marks, violated);
    violations += static_cast<unsigned>(violated);
  });
  EXPECT_GT(violations, 0U) << "no run of this test violates anything: it shows nothing";
}

TEST(Layout, EveryFaultIsToldWhateverElseIsFolded) {
  for_each_run([](const RunView& run) {
    const auto records = run.history->records();
    const auto struck = std::count_if(records.begin(), records.end(), [](const Record& r) {
      return r.kind == EventKind::fault_begin;
    });
    const std::vector<Line> lines = lines_of(run, {.most = 3, .everything = false});
    const auto told =
        std::count_if(lines.begin(), lines.end(), [](const Line& line) { return line.fault; });
    ASSERT_EQ(told, struck);
  });
}

/// Without bars and blanks: what a reader sees, however it is wrapped.
std::string flat(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Glyph glyph = first_glyph(text);
    const bool bar = glyph.code == U'┃' || glyph.code == U'█' || glyph.code == U'▒' ||
                     glyph.code == U'░' || glyph.code == U'\n' || glyph.code == U' ';
    if (!bar) out += text.substr(0, glyph.length);
    text.remove_prefix(glyph.length);
  }
  return out;
}

TEST(Layout, ATimelineTellsInANoteWhatHasNoRoomInItsCell) {
  unsigned notes = 0;
  for_each_run([&notes](const RunView& run) {
    for (const std::size_t width : {40U, 80U}) {
      const std::string seen = flat(timeline(run, kUsual, {width, false, false}));
      for (const Line& line : lines_of(run, kUsual)) {
        if (line.folded > 0 || seen.find(flat(line.text)) != std::string::npos) {
          ++notes;
          continue;
        }
        ASSERT_NE(seen.find(flat(line.cell)), std::string::npos) << width << ": " << line.text;
        ASSERT_NE(seen.find(flat(line.peer_cell)), std::string::npos) << width << ": " << line.text;
      }
    }
  });
  EXPECT_GT(notes, 0U);
}

/// The lines of the first run of a story, of a hundred, that has one with these words.
std::vector<Line> lines_with(const std::string& scenario, std::string_view words) {
  Judged judged(embedded(scenario));
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    std::vector<Line> lines = lines_of(judged.run(seed), kUsual);
    const bool found = std::any_of(lines.begin(), lines.end(), [words](const Line& line) {
      return line.text.find(words) != std::string::npos;
    });
    if (found) return lines;
  }
  ADD_FAILURE() << scenario << " never tells: " << words;
  return {};
}

TEST(Layout, WhatDecidesAStoryIsTold) {
  lines_with("late-duplicate", "(delivered again by the queue, which had brought it at ");
  lines_with("unread-reply", "s reply OK to its SET of 0.000 ms for the reply to its ");
  lines_with("retried-del", "client-1 sends DEL to redis-1 again");
  lines_with("redisson-3994", "WAIT 1 ");
  lines_with("late-write-fenced", "resource refuses client-1's append");
}

TEST(Layout, DenialsAreToldAsLongAsThereIsRoom) {
  unsigned denials = 0;
  for_each_run([&denials](const RunView& run) {
    const std::vector<Line> lines = lines_of(run, {.most = 400, .everything = false});
    for (const Record& record : run.history->records()) {
      // Those of a server are told by the client's answer.
      if (record.kind == EventKind::applied || !is_denial(run, record)) continue;
      ++denials;
      ASSERT_TRUE(std::any_of(lines.begin(), lines.end(), [&record](const Line& line) {
        return line.folded == 0 && line.first <= record.seq && record.seq <= line.last;
      })) << record.seq;
    }
  });
  EXPECT_GT(denials, 100U);
}

Scenario hostile() {
  Scenario scenario = embedded("late-write");
  scenario.title = "title\x1b[31m\x07";
  scenario.notes = "notes\xe2\x80\xae\x1b]0;x\x07";
  for (ClientConfig& client : scenario.clients)
    client.key = "lock\x1b[2J\n\xff:\xe9\x8d\xb5";
  return scenario;
}

TEST(Layout, ControlCharactersInNamesNeverReachTheTerminal) {
  Judged judged(hostile());
  const RunView run = judged.run(1);
  for (const bool ascii : {false, true}) {
    const std::string text = every_report(run, kUsual, {100, false, ascii}) +
                             every_report(run, kEverything, {100, false, ascii});
    for (const std::string& line : lines_in(text)) {
      ASSERT_EQ(escaped(line), line);
      ASSERT_LE(columns_of(line), 100U) << line;
    }
    EXPECT_NE(text.find("lock\\x1b[2J\\x0a\\xff:"), std::string::npos);
  }
}

TEST(Layout, HostileNamesAreStillJson) {
  Judged judged(hostile());
  const RunView run = judged.run(1);
  const std::string json = events_json(run) + run_json(run, {});

  EXPECT_EQ(json.find('\x1b'), std::string::npos);
  EXPECT_EQ(lines_in(json).size(), run.history->records().size() + 1);
}

TEST(Layout, ARunThatProvesNothingSaysSo) {
  Scenario scenario = embedded("calm");
  scenario.clients.front().count = 1;
  Judged judged(scenario);

  const RunView run = judged.calm();

  EXPECT_NE(verdict_table(run.findings, {}, {100, false, false}).find("proves nothing in this run"),
            std::string::npos);
}

TEST(Layout, ManyClientsThatFindNoRoomAreNamed) {
  Scenario scenario = embedded("calm");
  scenario.clients.front().count = 12;
  Judged judged(scenario);

  const std::string drawn = timeline(judged.run(1), {.most = 200, .everything = false}, {});

  EXPECT_NE(drawn.find("too narrow to draw: client-"), std::string::npos);
  for (const std::string& line : lines_in(drawn))
    ASSERT_LE(columns_of(line), 80U);
}

}  // namespace
}  // namespace locklab
