// Tests of the verb corpus: what is kept, what becomes of it, and the exit code of each ending.
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

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
using testing::token_in;

/// `algorithm` at a resource of that mode, under pauses.
std::string my_lock(const std::string& algorithm, const std::string& mode) {
  return R"({ "schema": 1, "name": "my-lock",
  "clients": [{ "count": 2, "algorithm": ")" +
         algorithm + R"(" }],
  "resource": { "mode": ")" +
         mode + R"(" },
  "properties": ["serializable-effects"],
  "search": { "faults": { "of": ["pause"], "at": ["hold.check_ok", "res.before_send"], "max": 1 } }
})";
}

/// A scenario of one's own, and the folder of its failures.
class CorpusVerb : public ::testing::Test {
 protected:
  void SetUp() override {
    scenario_ = scratch_.write("mine.json", my_lock("set-nx-px-fenced", "none"));
  }

  Outcome corpus(std::vector<std::string> words) {
    words.insert(words.begin(), "corpus");
    words.insert(words.end(), {"--corpus", folder()});
    return run_program(words);
  }
  std::string folder() const { return scratch_.path("kept"); }
  void edit(const std::string& text) { scratch_.write("mine.json", text); }

  std::string token() {
    return token_in(run_program({"check", scenario_, "--until-violation", "--no-shrink"}).out);
  }
  void add(const std::string& status = "open") {
    const Outcome added = corpus({"add", token(), scenario_, "--status", status});
    ASSERT_EQ(added.exit_code, kOk) << added.err;
  }
  std::string only_file() const {
    std::string file;
    for (const auto& entry : std::filesystem::directory_iterator(folder())) {
      EXPECT_EQ(file, "") << "there is more than one";
      file = entry.path().string();
    }
    return file;
  }

  Scratch scratch_;
  std::string scenario_;
};

TEST_F(CorpusVerb, KeepsAFailureShrunkAndOnce) {
  const std::string found = token();
  const Outcome first = corpus({"add", found, scenario_});
  EXPECT_EQ(first.exit_code, kOk) << first.err;
  EXPECT_THAT(first.out, StartsWith("✓ kept in "));
  EXPECT_THAT(first.out, HasSubstr("(open)"));
  const Outcome second = corpus({"add", found, scenario_});
  EXPECT_EQ(second.exit_code, kOk);
  EXPECT_THAT(second.out, StartsWith("known already"));

  std::ifstream file(only_file());
  const auto entry = nlohmann::json::parse(file);
  EXPECT_LE(entry["deviations"].size(), 3U);
  EXPECT_EQ(entry["status"], "open");
  EXPECT_THAT(entry["token"].get<std::string>(), StartsWith("ll1:my-lock@"));
}

TEST_F(CorpusVerb, ListsInLinesOfATerminal) {
  add();
  const Outcome listed = corpus({"list"});
  EXPECT_EQ(listed.exit_code, kOk);
  EXPECT_THAT(listed.out, StartsWith("open      my-lock-"));
  for (const std::string& line : lines_in(listed.out))
    EXPECT_LE(columns_of(line), 80U) << line;
}

TEST_F(CorpusVerb, AnOpenFailureIsNoNews) {
  add();
  const Outcome run = corpus({"run"});
  EXPECT_EQ(run.exit_code, kOk);
  EXPECT_THAT(run.out, HasSubstr("fails as recorded"));
}

TEST_F(CorpusVerb, AMendedOneIsKeptAsFixedAndItsReturnIsARegression) {
  add();
  edit(my_lock("set-nx-px-fenced", "ge_rw"));
  const Outcome mended = corpus({"run"});
  EXPECT_EQ(mended.exit_code, kOk);
  EXPECT_THAT(mended.out, HasSubstr("fails no more"));
  const Outcome migrated = corpus({"migrate"});
  EXPECT_EQ(migrated.exit_code, kOk) << migrated.out << migrated.err;
  EXPECT_THAT(migrated.out, HasSubstr("kept as fixed"));
  EXPECT_THAT(corpus({"run"}).out, HasSubstr("(fixed): stays fixed"));
  EXPECT_THAT(corpus({"migrate"}).out, ::testing::Not(HasSubstr("recorded as")));

  edit(my_lock("set-nx-px-fenced", "none"));
  const Outcome back = corpus({"run"});
  EXPECT_EQ(back.exit_code, kViolated);
  EXPECT_THAT(back.out, HasSubstr("a failure that was fixed is back"));
  EXPECT_THAT(back.out, HasSubstr("locklab replay ll1:my-lock@"));
}

TEST_F(CorpusVerb, ATrapThatNoLongerBitesIsDead) {
  add("expected");
  EXPECT_EQ(corpus({"run"}).exit_code, kOk);
  edit(my_lock("set-nx-px-fenced", "ge_rw"));
  const Outcome dead = corpus({"run"});
  EXPECT_EQ(dead.exit_code, kNotViolated);
  EXPECT_THAT(dead.out, HasSubstr("no longer bites"));
}

TEST_F(CorpusVerb, CheckRunsItFirst) {
  add("fixed");
  const Outcome checked =
      run_program({"check", scenario_, "--seeds", "1..1", "--no-shrink", "--corpus", folder()});
  EXPECT_EQ(checked.exit_code, kViolated);
  EXPECT_THAT(checked.out, HasSubstr("a failure that was fixed is back"));
  const Outcome others =
      run_program({"check", "calm", "--seeds", "1..1", "--no-shrink", "--corpus", folder()});
  EXPECT_EQ(others.exit_code, kOk) << "it is of another scenario";
}

TEST_F(CorpusVerb, JsonHasALineForEach) {
  add();
  const std::vector<std::string> lines = lines_in(corpus({"run", "--json"}).out);
  ASSERT_EQ(lines.size(), 1U);
  const auto line = nlohmann::json::parse(lines[0]);
  EXPECT_EQ(line["schema"], "locklab.corpus/1");
  EXPECT_EQ(line["rerun"], "identical");
  EXPECT_EQ(line["standing"], "as-recorded");
}

TEST_F(CorpusVerb, PrunesWhatSaysNothingMore) {
  add();
  const std::string file = only_file();
  // The same failure once more, under another name, and one whose scenario is gone.
  std::filesystem::copy_file(file, folder() + "/my-lock-copy.json");
  EXPECT_THAT(corpus({"prune"}).out, HasSubstr("1 kept"));
  EXPECT_EQ(corpus({"run"}).exit_code, kOk);
  std::filesystem::remove(scenario_);
  const Outcome pruned = corpus({"prune"});
  EXPECT_THAT(pruned.out, HasSubstr("its scenario is"));
  EXPECT_THAT(pruned.out, HasSubstr("0 kept"));
}

TEST(ProjectCorpus, EndsAsRecorded) {
  const Outcome run =
      run_program({"corpus", "run", "--json", "--corpus", LOCKLAB_SOURCE_DIR "/locklab-corpus"});
  EXPECT_EQ(run.exit_code, kOk) << run.out << run.err;
  const std::vector<std::string> lines = lines_in(run.out);
  EXPECT_GE(lines.size(), 10U);
  for (const std::string& line : lines)
    EXPECT_EQ(nlohmann::json::parse(line)["standing"], "as-recorded") << line;
}

TEST_F(CorpusVerb, RefusesWhatIsNoFailureAndNoEntry) {
  const std::string calm = token_in(run_program({"run", "calm", "--calm"}).out);
  const Outcome nothing = corpus({"add", calm});
  EXPECT_EQ(nothing.exit_code, kNotViolated);
  EXPECT_THAT(nothing.err, HasSubstr("nothing is violated in this run"));
  EXPECT_EQ(corpus({"run"}).exit_code, kNoInput);
  EXPECT_EQ(corpus({"bake"}).exit_code, kUsage);
  std::filesystem::create_directory(folder());
  EXPECT_EQ(corpus({"run"}).exit_code, kNothingRun) << "an empty corpus shows nothing";
  std::ofstream(folder() + "/broken.json") << "{\"corpus\": 1,";
  const Outcome broken = corpus({"run"});
  EXPECT_EQ(broken.exit_code, kBadData);
  EXPECT_EQ(lines_in(broken.err).size(), 1U);
  EXPECT_EQ(run_program({"check", "calm", "--seeds", "1..1", "--corpus", folder()}).exit_code,
            kBadData);
}

}  // namespace
}  // namespace locklab::cli
