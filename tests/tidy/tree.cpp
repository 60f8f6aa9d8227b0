// Reading the repository from disk.
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <string_view>

#include "tests/tidy/rules.h"

namespace locklab::tidy {
namespace {

namespace fs = std::filesystem;

// Files without a suffix are scripts here; everything else that people write has one of these.
constexpr std::array<std::string_view, 11> kSuffixes = {
    "", ".h", ".cpp", ".in", ".cmake", ".txt", ".sh", ".json", ".md", ".lua", ".py"};

bool is_skipped_folder(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return name == "build" || name == "node_modules" || (name.starts_with('.') && name != ".ci");
}

bool is_ours(const fs::path& file) {
  const std::string suffix = file.extension().string();
  if (file.filename() == "LICENSE" || file.filename().string().starts_with('.')) return false;
  return std::find(kSuffixes.begin(), kSuffixes.end(), suffix) != kSuffixes.end();
}

}  // namespace

std::vector<Source> read_tree(const fs::path& root) {
  std::vector<Source> sources;
  for (fs::recursive_directory_iterator it(root), end; it != end; ++it) {
    if (it->is_directory() && is_skipped_folder(it->path())) it.disable_recursion_pending();
    if (!it->is_regular_file() || !is_ours(it->path())) continue;
    std::ifstream in(it->path(), std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    sources.push_back({it->path().lexically_relative(root).generic_string(), std::move(text)});
  }
  std::sort(sources.begin(), sources.end(),
            [](const Source& a, const Source& b) { return a.path < b.path; });
  return sources;
}

}  // namespace locklab::tidy
