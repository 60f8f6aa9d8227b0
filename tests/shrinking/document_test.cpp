// Tests of docs/shrinking.md: its figures are those of this build, and they are good enough.
// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>

#include "tests/shrinking/figures.h"

namespace locklab::testing {
namespace {

TEST(ShrinkingDocument, HasTheFiguresOfThisBuild) {
  std::ifstream file(LOCKLAB_SOURCE_DIR "/docs/shrinking.md");
  const std::string document{std::istreambuf_iterator<char>(file), {}};

  EXPECT_THAT(document, ::testing::HasSubstr(shrinking_figures()))
      << "put what build/dev/bin/shrinking prints there";
}

}  // namespace
}  // namespace locklab::testing
