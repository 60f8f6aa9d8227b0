// Tests of the markup writer: foreign text stays text, and tags match.
// SPDX-License-Identifier: Apache-2.0
#include "reports/markup.h"

#include <gtest/gtest.h>

#include "reports/report_testing.h"
#include "sim/contract.h"

namespace locklab {
namespace {

using testing_reports::objection_to;

TEST(Markup, TextAndValuesAreEscaped) {
  Markup out;
  out.open("p", {{"title", "a\"b'c<d>&"}}).text("</p><script>&").close();

  EXPECT_EQ(out.str(),
            "<p title=\"a&quot;b&#39;c&lt;d&gt;&amp;\">&lt;/p&gt;&lt;script&gt;&amp;</p>");
  EXPECT_TRUE(out.finished());
}

TEST(Markup, ControlAndBidiCharactersAreShownEscaped) {
  EXPECT_EQ(markup_escaped("a\x1b\nb\xe2\x80\xae\xff"), "a\\x1b\\x0ab\\u{202e}\\xff");
}

TEST(Markup, WhatIsNoCharacterOfXmlIsShownEscaped) {
  EXPECT_EQ(markup_escaped("a\xef\xbf\xbe\xef\xbf\xbf"), "a\\u{fffe}\\u{ffff}");
  EXPECT_EQ(markup_escaped("größer 鍵 \xef\xbf\xbd"), "größer 鍵 \xef\xbf\xbd");
}

TEST(Markup, TagsCloseInOrder) {
  Markup out;
  out.open("a").open("b", {{"n", 3}}).leaf("c").close();
  EXPECT_FALSE(out.finished());
  out.element("d", "x").close();

  EXPECT_EQ(out.str(), "<a><b n=\"3\"><c/></b><d>x</d></a>");
  EXPECT_THROW(out.close(), ContractFailure);
}

TEST(Markup, TheTestsOwnReaderObjectsToWhatIsWrong) {
  EXPECT_EQ(objection_to("<!DOCTYPE html><a b=\"c\"><d/>&amp;</a>"), "");
  EXPECT_NE(objection_to("<a><b></a></b>"), "");
  EXPECT_NE(objection_to("<a>"), "");
  EXPECT_NE(objection_to("</a>"), "");
  EXPECT_NE(objection_to("<a>&</a>"), "");
  EXPECT_NE(objection_to("<a>&nbsp;</a>"), "");
  EXPECT_NE(objection_to("<a <b></b>"), "");
}

}  // namespace
}  // namespace locklab
