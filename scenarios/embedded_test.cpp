// The embedded scenarios against the files on disk.
// SPDX-License-Identifier: Apache-2.0

#include "scenarios/embedded.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace locklab {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = fs::path(LOCKLAB_SOURCE_DIR) / "scenarios";

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(EmbeddedScenarios, AreTheFilesOnDiskInOrderOfPath) {
  std::vector<std::string> expected;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot)) {
    const std::string name = entry.path().filename().string();
    const bool schema = name.find(".schema.json") != std::string::npos;
    if (entry.path().extension() != ".json" || schema) continue;
    expected.push_back(entry.path().lexically_relative(kRoot).generic_string());
  }
  std::sort(expected.begin(), expected.end());

  std::vector<std::string> actual;
  for (const EmbeddedFile& file : embedded_scenarios())
    actual.emplace_back(file.path);

  EXPECT_EQ(actual, expected);
}

TEST(EmbeddedScenarios, KeepEveryByte) {
  for (const EmbeddedFile& file : embedded_scenarios()) {
    EXPECT_EQ(file.text, bytes_of(kRoot / file.path)) << file.path;
  }
}

}  // namespace
}  // namespace locklab
