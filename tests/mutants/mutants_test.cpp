// Mutants: what the patterns make of a line, which are sampled, and that the list is in step.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/correct_testing.h"
#include "tests/mutants/candidates.h"
#include "tests/mutants/results.h"

namespace locklab::mutants {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::string kRoot = LOCKLAB_SOURCE_DIR;
const std::string kHere = kRoot + "/tests/mutants/";

std::vector<Mutant> made_of(const std::string& text, const std::vector<Pattern>& patterns) {
  return mutants_of("locks", "x.cpp", text, patterns);
}

std::vector<std::string> after(const std::vector<Mutant>& mutants) {
  std::vector<std::string> lines;
  lines.reserve(mutants.size());
  for (const Mutant& mutant : mutants)
    lines.push_back(mutant.after);
  return lines;
}

const std::vector<Pattern> kAnds = {{"and-or", R"((\s)&&(?=\s))", "$1||"}};
const std::vector<Pattern> kCalls = {{"delete-call", R"(^\s+[a-z]+\(.*\);$)", ""}};
const std::vector<Pattern> kOnesInScripts = {{"one-zero-in-script", "1", "0"}};

TEST(Candidates, AreOneForEachMatch) {
  EXPECT_THAT(after(made_of("a && b && c;\n", kAnds)), ElementsAre("a || b && c;", "a && b || c;"));
}

TEST(Candidates, LeaveOutCommentsDirectivesAndContracts) {
  EXPECT_THAT(made_of("// a && b\nSIM_ASSERT(a && b);\n#if A && B\nf();  // a && b\n", kAnds),
              IsEmpty());
}

TEST(Candidates, TakeTextsForScripts) {
  EXPECT_THAT(made_of("  \"a && b\"\n", kAnds), IsEmpty());
  EXPECT_THAT(after(made_of("x = 1;\n  \"return 1 end\"\n", kOnesInScripts)),
              ElementsAre("  \"return 0 end\""));
}

TEST(Candidates, DeleteWholeStatementsOnly) {
  EXPECT_THAT(after(made_of("{\n  f(1);\n}\n", kCalls)), ElementsAre(""));
  EXPECT_THAT(made_of("  x =\n      f(1);\n  g(1,\n    h(2));\n", kCalls), IsEmpty());
}

TEST(Candidates, KeepTheirNamesWhenOtherLinesChange) {
  const std::vector<Mutant> before = made_of("a && b;\na && b;\n", kAnds);
  const std::vector<Mutant> later = made_of("// New.\nx && y;\na && b;\na && b;\n", kAnds);
  ASSERT_EQ(before.size(), 2U);
  ASSERT_EQ(later.size(), 3U);
  EXPECT_EQ(before[0].id(), later[1].id());
  EXPECT_EQ(before[1].id(), later[2].id());
  EXPECT_NE(before[0].id(), before[1].id());
}

TEST(Candidates, ChangeNothingButTheirLine) {
  const std::string text = "a;\n  b && c;\nd;\n";
  const std::vector<Mutant> all = made_of(text, kAnds);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].line, 2U);
  EXPECT_EQ(applied(text, all[0]), "a;\n  b || c;\nd;\n");
}

TEST(Sample, HasOneForEachLineAndNoMoreThanAsked) {
  std::string text;
  for (char c = 'a'; c <= 'z'; ++c)
    text += std::string(1, c) + " && x && y;\n";
  const std::vector<Mutant> all = made_of(text, kAnds);
  EXPECT_EQ(all.size(), 52U);
  EXPECT_EQ(sample_of(all, 100).size(), 26U);
  const std::vector<Mutant> ten = sample_of(all, 10);
  ASSERT_EQ(ten.size(), 10U);
  const std::vector<Mutant> eleven = sample_of(all, 11);
  for (const Mutant& mutant : ten) {
    EXPECT_TRUE(std::any_of(eleven.begin(), eleven.end(),
                            [&](const Mutant& other) { return other.id() == mutant.id(); }));
  }
}

TEST(Sources, AreThoseThatIncludeTheHeader) {
  const std::vector<Group> groups = read_groups(kHere + "targets.txt");
  Mutant mutant;
  mutant.file = "models/redlock.h";
  EXPECT_THAT(sources_of(kRoot, groups.at(0), mutant),
              ElementsAre("models/redlock.cpp", "models/redlock_fenced.cpp",
                          "models/redlock_watchdog.cpp", "models/watchdog.cpp"));
  mutant.file = "models/redlock.cpp";
  EXPECT_THAT(sources_of(kRoot, groups.at(0), mutant), ElementsAre("models/redlock.cpp"));
}

TEST(Patterns, EachMatchesSomewhere) {
  const std::vector<Pattern> patterns = read_patterns(kHere + "patterns.txt");
  std::set<std::string> used;
  for (const Group& group : read_groups(kHere + "targets.txt")) {
    for (const Mutant& mutant : mutants_of(kRoot, group, patterns))
      used.insert(mutant.pattern);
  }
  for (const Pattern& pattern : patterns)
    EXPECT_TRUE(used.count(pattern.name) == 1) << pattern.name;
}

TEST(Percentile, IsTheNearestRank) {
  std::vector<std::uint64_t> values;
  for (std::uint64_t i = 1; i <= 20; ++i)
    values.push_back(21 - i);
  EXPECT_EQ(percentile(values, 50), 10U);
  EXPECT_EQ(percentile(values, 95), 19U);
  EXPECT_EQ(percentile({7}, 95), 7U);
}

TEST(Results, SayWhoKilledAMutant) {
  Result result;
  result.unit = "-";
  result.search = "holds";
  EXPECT_FALSE(result.is_killed());
  for (const char* search : {"promise 7 a-story a-property", "trap 100 a-story a-property",
                             "idle 100 a-story", "fails 3 a-story: why", "timeout"}) {
    result.search = search;
    EXPECT_TRUE(result.is_killed()) << search;
  }
  result.search = "promise 7 a-story a-property";
  EXPECT_EQ(result.schedules_to_kill(), 7U);
  result.search = "trap 100 a-story a-property";
  EXPECT_EQ(result.schedules_to_kill(), 0U);
  result.search = "fails 3579 a-story: why";
  EXPECT_EQ(result.schedules_to_kill(), 0U) << "no promise is broken by a crash";
  result.unit = "stillborn";
  EXPECT_FALSE(result.is_killed());
}

// --- What has been found, and the tree as it is -------------------------------------------------

constexpr const char* kRenew =
    "\n  sh tests/nightly/mutants.sh --write --new judges what takes its place";

TEST(Results, AreOfMutantsThatStillApply) {
  const std::vector<Pattern> patterns = read_patterns(kHere + "patterns.txt");
  std::map<std::string, std::string> possible;  // Rows, by their ids.
  for (const Group& group : read_groups(kHere + "targets.txt")) {
    for (const Mutant& mutant : mutants_of(kRoot, group, patterns))
      possible[mutant.id()] = row_of(mutant);
  }
  for (const Result& result : read_results(kHere + "results.txt")) {
    if (possible.count(result.id) == 1) {
      EXPECT_EQ(possible[result.id], result.row) << kRenew;
      continue;
    }
    ADD_FAILURE() << result.mutant.file << " has no line any more to which "
                  << result.mutant.pattern << " applies: " << result.mutant.before << kRenew;
  }
}

TEST(Results, HaveNoNumbersOfLines) {
  const std::regex place("\\.(cpp|h):[0-9]");
  for (const Result& result : read_results(kHere + "results.txt"))
    EXPECT_FALSE(std::regex_search(result.search, place)) << result.id << ": " << result.search;
}

TEST(CorrectLocks, AreThoseWhoseSourcesAreMutated) {
  std::set<std::string> mutated;
  const std::vector<Group> groups = read_groups(kHere + "targets.txt");
  for (const std::string& file : groups.at(0).files) {
    const std::size_t begin = file.rfind('/') + 1;
    if (file.substr(file.size() - 4) != ".cpp") continue;
    std::string name = file.substr(begin, file.size() - 4 - begin);
    std::replace(name.begin(), name.end(), '_', '-');
    mutated.insert(name);
  }
  EXPECT_EQ(mutated,
            std::set<std::string>(testing::kCorrectLocks.begin(), testing::kCorrectLocks.end()));
}

TEST(Results, AreOfEnoughMutants) {
  std::map<std::string, int> born;
  std::set<std::string> ids;
  for (const Result& result : read_results(kHere + "results.txt")) {
    EXPECT_TRUE(ids.insert(result.id).second) << result.id;
    if (!result.is_stillborn()) ++born[result.mutant.group];
  }
  for (const char* group : {"locks", "servers", "properties", "linearizability"})
    EXPECT_GE(born[group], 20) << group;
}

TEST(Survivors, AreExplainedAndNobodyElseIs) {
  const std::map<std::string, std::string> reasons = read_reasons(kHere + "survivors.txt");
  std::set<std::string> survivors;
  for (const Result& result : read_results(kHere + "results.txt")) {
    if (result.is_stillborn() || result.is_killed()) continue;
    survivors.insert(result.id);
    EXPECT_TRUE(reasons.count(result.id) == 1)
        << result.id << ": " << result.mutant.file << ": " << result.mutant.before << " became "
        << result.mutant.after;
  }
  for (const auto& [id, reason] : reasons) {
    EXPECT_TRUE(survivors.count(id) == 1) << id << " does not survive: " << reason;
    EXPECT_GT(reason.size(), 20U) << id;
  }
}

TEST(Page, IsDrawnFromTheResults) {
  EXPECT_EQ(read_file(kRoot + "/docs/mutants.md"),
            page_of(read_results(kHere + "results.txt"), read_reasons(kHere + "survivors.txt")));
}

}  // namespace
}  // namespace locklab::mutants
