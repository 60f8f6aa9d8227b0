// Tests of the text helpers: what a terminal is never given, and what fits where.
// SPDX-License-Identifier: Apache-2.0
#include "reports/text.h"

#include <gtest/gtest.h>

#include "reports/paper.h"

namespace locklab {
namespace {

TEST(Text, ControlCharactersAreEscaped) {
  EXPECT_EQ(escaped("a\x1b[31mb\nc\td\x7f"), "a\\x1b[31mb\\x0ac\\x09d\\x7f");
  EXPECT_EQ(escaped(std::string_view("\0x", 2)), "\\x00x");
}

TEST(Text, ControlsBeyondAsciiAndDirectionOverridesAreEscaped) {
  EXPECT_EQ(escaped("\xc2\x9b"
                    "1m"),
            "\\u{009b}1m");
  EXPECT_EQ(escaped("a\xe2\x80\xae"
                    "b"),
            "a\\u{202e}b");
  EXPECT_EQ(escaped("a\xe2\x80\x8b"
                    "b"),
            "a\\u{200b}b");
}

TEST(Text, InvalidUtf8IsEscapedByteByByte) {
  EXPECT_EQ(escaped("\xff\xc3"), "\\xff\\xc3");
  EXPECT_EQ(escaped("\xc0\xaf"), "\\xc0\\xaf");           // Overlong.
  EXPECT_EQ(escaped("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // A surrogate.
  EXPECT_EQ(escaped("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
}

TEST(Text, OrdinaryTextStaysAsItIs) {
  EXPECT_EQ(escaped("lock:order-42 → größer 鍵"), "lock:order-42 → größer 鍵");
}

TEST(Text, AsciiTextUsesTheNearestSigns) {
  EXPECT_EQ(escaped_ascii("A → B … ≤ ✓"), "A -> B ... <= ok");
  EXPECT_EQ(escaped_ascii("größer"), "gr??er");
  EXPECT_EQ(escaped_ascii("\x1b"), "\\x1b");
}

TEST(Text, ColumnsAreThoseOfTheTerminal) {
  EXPECT_EQ(columns_of("abc"), 3U);
  EXPECT_EQ(columns_of("größer"), 6U);
  EXPECT_EQ(columns_of("鍵"), 2U);
  EXPECT_EQ(columns_of("e\xcc\x81"), 1U);
}

TEST(Text, CuttingNeverExceedsTheColumns) {
  EXPECT_EQ(cut("abcdef", 6, "…"), "abcdef");
  EXPECT_EQ(cut("abcdef", 4, "…"), "abc…");
  EXPECT_EQ(cut("鍵鍵鍵", 4, "…"), "鍵…");
  EXPECT_EQ(cut("abcdef", 2, "..."), "ab");
}

TEST(Text, WrappingBreaksAtBlanksAndSplitsWhatHasNone) {
  EXPECT_EQ(wrapped("one two three", 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrapped("abcdefgh", 3), (std::vector<std::string>{"abc", "def", "gh"}));
  EXPECT_EQ(wrapped("one  two", 4), (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(wrapped("", 5), (std::vector<std::string>{""}));
}

TEST(Text, WrappingLosesNoWord) {
  const std::string text = "the quick brown fox jumps over the lazy dog";
  for (std::size_t columns = 5; columns < 50; ++columns) {
    std::string joined;
    for (const std::string& line : wrapped(text, columns)) {
      EXPECT_LE(columns_of(line), columns);
      joined += (joined.empty() ? "" : " ") + line;
    }
    EXPECT_EQ(joined, text) << columns;
  }
}

TEST(Paper, PaintsOnlyWithColour) {
  EXPECT_EQ((Paper{80, false, false}).paint(Ink::red, "x"), "x");
  EXPECT_EQ((Paper{80, true, false}).paint(Ink::red, "x"), "\x1b[31mx\x1b[0m");
}

TEST(Paper, ParagraphsKeepTheirIndentAndWidth) {
  const Paper paper{12, false, false};

  EXPECT_EQ(paper.paragraph("- ", "one two three four", 2), "- one two\n  three four\n");
}

}  // namespace
}  // namespace locklab
