// Loader: embedded scenarios by name, files by path, and the two ways to fail.
// SPDX-License-Identifier: Apache-2.0

#include "scenarios/loader.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <sys/stat.h>

#include <gtest/gtest.h>

#include "scenarios/decoder_testing.h"
#include "scenarios/embedded.h"

namespace locklab {
namespace {

namespace fs = std::filesystem;
using testing_samples::file_with;

/// A folder of its own that goes with the test.
class LoadScenario : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "locklab-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) const {
    const fs::path path = folder_ / name;
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
  }

  fs::path folder_;
};

TEST_F(LoadScenario, ReadsAFileAndKeepsItsText) {
  const std::string text = file_with("\"hosts\": []");
  const std::string path = write("a.json", text);

  const LoadResult result = load_scenario(path);

  EXPECT_EQ(result.status, LoadStatus::ok);
  ASSERT_TRUE(result.scenario);
  EXPECT_EQ(result.scenario->source, path);
  EXPECT_EQ(result.text, text);
}

TEST_F(LoadScenario, TakesAnyNameWithASlashForAPath) {
  const std::string path = write("plain", file_with("\"hosts\": []"));

  EXPECT_EQ(load_scenario(path).status, LoadStatus::ok);
}

TEST_F(LoadScenario, TellsWrongDataFromNoInput) {
  const LoadResult wrong = load_scenario(write("b.json", "{}"));
  const LoadResult none = load_scenario((folder_ / "none.json").string());

  EXPECT_EQ(wrong.status, LoadStatus::bad_data);
  EXPECT_EQ(none.status, LoadStatus::no_input);
  ASSERT_EQ(none.errors.size(), 1U);
  EXPECT_EQ(none.errors[0].headline(),
            (folder_ / "none.json").string() + ": error: there is no such file");
}

TEST_F(LoadScenario, RefusesWhatIsNoRegularFileWithoutWaiting) {
  const fs::path pipe = folder_ / "pipe.json";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);

  const LoadResult folder = load_scenario(folder_.string());
  const LoadResult fifo = load_scenario(pipe.string());
  const LoadResult device = load_scenario("/dev/zero");

  EXPECT_EQ(folder.status, LoadStatus::no_input);
  EXPECT_EQ(folder.errors.at(0).message, "is a directory");
  EXPECT_EQ(fifo.status, LoadStatus::no_input);
  EXPECT_EQ(fifo.errors.at(0).message, "is not a regular file");
  EXPECT_EQ(device.status, LoadStatus::no_input);
}

TEST_F(LoadScenario, RefusesMoreThanAMebibyte) {
  const std::string text = file_with("\"hosts\": []");
  const std::size_t limit = std::size_t{1} << 20;
  const std::string fits = text + std::string(limit - text.size(), ' ');

  EXPECT_EQ(load_scenario(write("fits.json", fits)).status, LoadStatus::ok);
  const LoadResult longer = load_scenario(write("longer.json", fits + " "));

  EXPECT_EQ(longer.status, LoadStatus::bad_data);
  EXPECT_EQ(longer.errors.at(0).message, "is larger than 1048576 bytes");
}

TEST_F(LoadScenario, RefusesAPathWithAZeroByte) {
  const std::string path = write("a.json", file_with("\"hosts\": []"));

  EXPECT_EQ(load_scenario(path + std::string(1, '\0') + ".json").status, LoadStatus::no_input);
}

TEST(LoadScenarioByName, OfNobodyIsNoInput) {
  const LoadResult result = load_scenario("there-is-no-such-story");

  EXPECT_EQ(result.status, LoadStatus::no_input);
  EXPECT_EQ(result.errors.at(0).headline(),
            "\"there-is-no-such-story\": error: no scenario has this name");
}

TEST(LoadScenarioByName, FindsEveryEmbeddedOneUnderItsOwnName) {
  const std::vector<std::string> names = embedded_scenario_names();
  EXPECT_EQ(names.size(), embedded_scenarios().size());
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());

  for (const std::string& name : names) {
    const LoadResult result = load_scenario(name);
    ASSERT_TRUE(result.scenario) << render(result.errors);
    EXPECT_EQ(result.scenario->name, name);
    EXPECT_EQ(result.scenario->source.rfind("embedded:", 0), 0U);
  }
}

}  // namespace
}  // namespace locklab
