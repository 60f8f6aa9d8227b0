// Tests of docs/explain.md: each command that it shows prints what stands below it.
// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <iterator>
#include <sstream>

#include <gmock/gmock.h>

#include "cli/exit_code.h"
#include "cli/testing.h"

namespace locklab::cli {
namespace {

using testing::lines_in;
using testing::run_program;

struct Shown {
  std::vector<std::string> words;  // Of the command, without the program.
  std::string output;
};

/// Every fenced block that begins with "$ locklab …".
std::vector<Shown> shown_in(const std::string& path) {
  std::ifstream file(LOCKLAB_SOURCE_DIR "/" + path);
  const std::string document{std::istreambuf_iterator<char>(file), {}};
  std::vector<Shown> all;
  bool inside = false;
  for (const std::string& line : lines_in(document)) {
    if (line.starts_with("```")) {
      inside = false;
    } else if (line.starts_with("$ locklab ")) {
      std::istringstream words(line.substr(std::string("$ locklab ").size()));
      all.push_back({{std::istream_iterator<std::string>(words), {}}, {}});
      inside = true;
    } else if (inside) {
      all.back().output += line + "\n";
    }
  }
  return all;
}

TEST(ExplainDocument, ShowsWhatTheProgramPrints) {
  const std::vector<Shown> all = shown_in("docs/explain.md");
  EXPECT_GE(all.size(), 3U);
  for (const Shown& shown : all) {
    SCOPED_TRACE(::testing::PrintToString(shown.words));
    const testing::Outcome outcome = run_program(shown.words);
    EXPECT_EQ(outcome.exit_code, kOk);
    EXPECT_EQ(outcome.out, shown.output);
  }
}

}  // namespace
}  // namespace locklab::cli
