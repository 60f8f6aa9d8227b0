// Tests of reports/published/: what lies there is what the program writes, byte for byte.
// SPDX-License-Identifier: Apache-2.0
//
// After a change that is meant: build/dev/bin/locklab publish reports/published
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "cli/exit_code.h"
#include "cli/testing.h"
#include "scenarios/loader.h"

namespace locklab::cli {
namespace {

using testing::Outcome;
using testing::run_program;
using testing::Scratch;

const std::filesystem::path kPublished =
    std::filesystem::path(LOCKLAB_SOURCE_DIR) / "reports" / "published";
constexpr std::uintmax_t kMostBytes = 300'000;  // Of a page: what a reader's browser never feels.

std::set<std::string> names_in(const std::filesystem::path& directory) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory))
    names.insert(entry.path().filename().string());
  return names;
}

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Published, IsWhatTheProgramWrites) {
  const Scratch scratch;
  const Outcome outcome = run_program({"publish", scratch.path("published")});
  ASSERT_EQ(outcome.exit_code, kOk) << outcome.err;

  const std::set<std::string> names = names_in(scratch.path("published"));
  EXPECT_GT(names.size(), 30U);
  EXPECT_EQ(names, names_in(kPublished));
  for (const std::string& name : names) {
    EXPECT_TRUE(scratch.read("published/" + name) == contents(kPublished / name))
        << name << " differs; if it should: build/dev/bin/locklab publish reports/published";
  }
}

TEST(Published, AStoryShowsFirstWhatItWantsTold) {
  unsigned told = 0;
  for (const std::string& name : embedded_scenario_names()) {
    const std::string tell = load_scenario(name).scenario.value().tell;
    if (tell.empty()) continue;
    ++told;
    const std::string story = contents(kPublished / (name + ".txt"));
    const std::size_t first = story.find(" violated: ");
    ASSERT_NE(first, std::string::npos) << name;
    EXPECT_TRUE(story.substr(0, first).ends_with("✗ " + tell)) << name;
  }
  EXPECT_GT(told, 0U);
}

TEST(Published, EveryWordHasAName) {
  unsigned dues = 0;
  for (const std::string& name : names_in(kPublished)) {
    if (!name.ends_with(".json")) continue;
    const std::string text = contents(kPublished / name);
    EXPECT_EQ(text.find("\"?\""), std::string::npos) << name;
    dues += text.find("\"due-") != std::string::npos ? 1U : 0U;
  }
  EXPECT_GT(dues, 0U);
}

TEST(Published, PagesAreSmall) {
  for (const std::string& name : names_in(kPublished))
    EXPECT_LE(std::filesystem::file_size(kPublished / name), kMostBytes) << name;
}

}  // namespace
}  // namespace locklab::cli
