// Suggest: near words are offered, far ones are not.
// SPDX-License-Identifier: Apache-2.0

#include "scenarios/suggest.h"

#include <vector>

#include <gtest/gtest.h>

namespace locklab {
namespace {

const std::vector<std::string_view> kWords = {"pause", "panic", "node-pause", "lost-reply"};

TEST(Nearest, ForgivesTypingErrors) {
  EXPECT_EQ(nearest("puase", kWords), "pause");
  EXPECT_EQ(nearest("lost_reply", kWords), "lost-reply");
  EXPECT_EQ(nearest("nodepause", kWords), "node-pause");
  EXPECT_EQ(nearest("lost", kWords), "lost-reply");
}

TEST(Nearest, OffersNothingForAnotherWord) {
  EXPECT_EQ(nearest("xyzzy", kWords), "");
  EXPECT_EQ(nearest("", kWords), "");
  EXPECT_EQ(nearest("q", kWords), "");
  EXPECT_EQ(nearest("pause", {}), "");
}

TEST(Suggestion, ListsTheWordsWhenNoneIsNear) {
  EXPECT_EQ(suggestion("puase", kWords), "did you mean \"pause\"?");
  EXPECT_EQ(suggestion("xyzzy", kWords), "one of: pause, panic, node-pause, lost-reply");
  EXPECT_EQ(suggestion("xyzzy", {}), "");
}

}  // namespace
}  // namespace locklab
