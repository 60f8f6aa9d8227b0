// Traps: docs/traps.md names every story, and each row shows what it says and what mends it.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "search/search_testing.h"
#include "sim/sources.h"
#include "tests/traps/table.h"

namespace locklab::testing {
namespace {

using testing_search::all_stories;
using testing_traps::Row;
using testing_traps::rows;

const Scenario* named(const std::vector<Scenario>& stories, std::string_view name) {
  const auto story = std::find_if(stories.begin(), stories.end(),
                                  [name](const Scenario& s) { return s.name == name; });
  return story == stories.end() ? nullptr : &*story;
}

std::set<std::string> broken_by(const Scenario& scenario) {
  std::set<std::string> broken;
  for (const auto& [property, verdict] : scenario.expect) {
    if (verdict == Verdict::violated) broken.insert(property);
  }
  return broken;
}

/// Operations that the resource refused the holder, in the calm run.
std::size_t refusals(const Scenario& scenario) {
  Runner runner;
  ZeroSource zeros;
  const std::span<const Record> records = runner.run(scenario, zeros).history->records();
  return static_cast<std::size_t>(
      std::count_if(records.begin(), records.end(), [](const Record& record) {
        return record.kind == EventKind::resource_op &&
               (record.flags & event_flags::kRejected) != 0;
      }));
}

TEST(Traps, OfTheTableAreTheStoriesThatThereAre) {
  const std::vector<Scenario> stories = all_stories();
  std::set<std::string> told;
  for (const Row& row : rows()) {
    EXPECT_FALSE(row.shown.empty()) << row.id;
    for (const auto* names : {&row.shown, &row.mended}) {
      for (const std::string& name : *names) {
        EXPECT_NE(named(stories, name), nullptr) << row.id << ": " << name;
        told.insert(name);
      }
    }
  }
  for (const Scenario& story : stories) {
    EXPECT_TRUE(story.name == "calm" || told.contains(story.name)) << story.name;
  }
}

TEST(Traps, HaveOneRowForEachName) {
  std::set<std::string> ids;
  for (const Row& row : rows())
    EXPECT_TRUE(ids.insert(row.id).second) << row.id;
  EXPECT_GE(ids.size(), 40U);
}

TEST(Traps, BreakSomethingOrAreRefused) {
  const std::vector<Scenario> stories = all_stories();
  for (const Row& row : rows()) {
    for (const std::string& name : row.shown) {
      const Scenario* story = named(stories, name);
      if (story == nullptr || !broken_by(*story).empty()) continue;
      EXPECT_GT(refusals(*story), 0U) << row.id << ": " << name << " breaks nothing";
    }
  }
}

/// Than each story that shows the trap.
TEST(Traps, BreakLessWhenMended) {
  const std::vector<Scenario> stories = all_stories();
  for (const Row& row : rows()) {
    for (const std::string& shown_name : row.shown) {
      for (const std::string& name : row.mended) {
        const Scenario* shown = named(stories, shown_name);
        const Scenario* mended = named(stories, name);
        if (shown == nullptr || mended == nullptr) continue;
        const std::set<std::string> before = broken_by(*shown);
        if (before.empty()) {
          EXPECT_EQ(refusals(*mended), 0U) << row.id << ": " << name;
        } else {
          EXPECT_LT(broken_by(*mended).size(), before.size())
              << row.id << ": " << name << " and " << shown_name;
        }
      }
    }
  }
}

/// Nothing is harmed by a resource that refuses whoever holds the lock: its records show it.
TEST(Traps, AnEqualityCheckRefusesEveryLaterHolder) {
  const std::vector<Scenario> stories = all_stories();
  Runner runner;
  ZeroSource zeros;
  const Scenario* story = named(stories, "equality-fence");
  ASSERT_NE(story, nullptr);
  std::uint32_t pinned = 0;
  for (const Record& record : runner.run(*story, zeros).history->records()) {
    if (record.kind != EventKind::resource_op) continue;
    if (pinned == 0) pinned = record.fence;
    const bool rejected = (record.flags & event_flags::kRejected) != 0;
    EXPECT_EQ(rejected, record.fence != pinned);
  }
  EXPECT_GT(refusals(*story), 0U);
}

}  // namespace
}  // namespace locklab::testing
