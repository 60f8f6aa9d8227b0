// Replies, parsing helpers, SHA-1, globs: small things with exact answers.
// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include <gtest/gtest.h>

#include "sim/redis/command.h"
#include "sim/redis/glob.h"
#include "sim/redis/reply.h"
#include "sim/redis/sha1.h"

namespace locklab::redis {
namespace {

TEST(Reply, KnowsItsKind) {
  EXPECT_TRUE(Reply::ok().is_ok());
  EXPECT_FALSE(Reply::bulk("OK").is_ok());
  EXPECT_TRUE(Reply::null_array().is_nil());
  EXPECT_TRUE(Reply::error("NOSCRIPT No matching script.").is_error("NOSCRIPT"));
  EXPECT_FALSE(Reply::bulk("NOSCRIPT").is_error("NOSCRIPT"));
  EXPECT_EQ(Reply::bulk("5").integer(), 0);
  EXPECT_NE(Reply::nil(), Reply::null_array());
  EXPECT_NE(Reply::status("a"), Reply::bulk("a"));
}

TEST(Reply, CopiesAreDeepAndWrittenAsResp2) {
  Arena arena;
  Reply kept;
  {
    const std::string text = "va\r\nlue";
    const Reply inner[] = {Reply::integer(-7), Reply::nil(), Reply::error("ERR a\r\nb")};
    const Reply outer[] = {Reply::bulk(text), Reply::array(inner), Reply::null_array(),
                           Reply::status("OK")};
    kept = copy(Reply::array(outer), arena);
    EXPECT_EQ(kept, Reply::array(outer));
  }
  std::string bytes;
  append_resp2(bytes, kept);
  EXPECT_EQ(bytes, "*4\r\n$7\r\nva\r\nlue\r\n*3\r\n:-7\r\n$-1\r\n-ERR a  b\r\n*-1\r\n+OK\r\n");
  EXPECT_EQ(to_string(kept), R"([1) "va\r\nlue", 2) [1) (integer) -7, 2) (nil), 3) (error) ERR a)"
                             "\r\n"
                             R"(b], 3) (nil), 4) OK])");
}

TEST(Integers, AreReadAsString2llReadsThem) {
  for (const char* text : {"", " 10", "+10", "010", "-0", "1.5", "1e3", "-", "--1", "10 ", "-01",
                           "9223372036854775808", "-9223372036854775809", "0x10"}) {
    EXPECT_EQ(parse_integer(text), std::nullopt) << text;
  }
  EXPECT_EQ(parse_integer("0"), 0);
  EXPECT_EQ(parse_integer("-10"), -10);
  EXPECT_EQ(parse_integer("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(parse_integer("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
}

TEST(CommandTable, FindsWhateverTheCase) {
  const auto find = [](std::initializer_list<std::string_view> argv) {
    return find_command(Command(argv.begin(), argv.size()));
  };
  EXPECT_EQ(find({"sEt", "k", "v"})->name, "set");
  EXPECT_EQ(find({"SCRIPT", "Load", "x"})->name, "script|load");
  EXPECT_EQ(find({"script", "nope"})->name, "script");
  EXPECT_EQ(find({"script|load", "x"}), nullptr);
  EXPECT_EQ(find({""}), nullptr);
  EXPECT_EQ(find({"z"}), nullptr);
  EXPECT_EQ(find({"SETT"}), nullptr);
  for (const CommandSpec& row : all_commands()) {
    const bool is_subcommand = row.name.find('|') != std::string_view::npos;
    EXPECT_EQ(find({row.name}), is_subcommand ? nullptr : &row);
  }
}

TEST(Sha1, MatchesThePublishedVectors) {
  const auto hex = [](std::string_view text) {
    const Sha1Hex digits = to_hex(sha1(text));
    return std::string(digits.data(), digits.size());
  };
  EXPECT_EQ(hex(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  EXPECT_EQ(hex("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
  EXPECT_EQ(hex(std::string(1'000'000, 'a')), "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
}

TEST(Glob, MatchesAsKeysDoes) {
  for (const auto& [pattern, text] : {std::pair{"*", ""},
                                      {"h?llo", "hello"},
                                      {"h*llo", "heeeello"},
                                      {"h[ae]llo", "hallo"},
                                      {"h[^e]llo", "hallo"},
                                      {"h[a-b]llo", "hbllo"},
                                      {"\\*", "*"},
                                      {"**a**", "cab"},
                                      {"[b-a]", "a"}}) {
    EXPECT_TRUE(glob_matches(pattern, text)) << pattern << " " << text;
  }
  for (const auto& [pattern, text] : {std::pair{"", "a"},
                                      {"h?llo", "hllo"},
                                      {"h[^e]llo", "hello"},
                                      {"a*b", "abc"},
                                      {"\\*", "x"},
                                      {"[a", "b"}}) {
    EXPECT_FALSE(glob_matches(pattern, text)) << pattern << " " << text;
  }
  EXPECT_FALSE(glob_matches(std::string(40, '*') + "b", std::string(5000, 'a')));
}

}  // namespace
}  // namespace locklab::redis
