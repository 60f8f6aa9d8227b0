// Token: its three forms, its length, and one clear line for each way to be broken.
// SPDX-License-Identifier: Apache-2.0

#include "search/token.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "search/byte_codec.h"
#include "search/token_testing.h"
#include "sim/contract.h"

namespace locklab {
namespace {

using testing_samples::choice_token;
using testing_samples::deviation;
using testing_samples::three_deviations;

TEST(Token, OfASeedReadsAsWritten) {
  const Token token{"late-write", 0x3f9c21e0, SeedBody{8412, ""}, 0x9d41c0aa};

  EXPECT_EQ(to_string(token), "ll1:late-write@3f9c21e0:s8412.9d41c0aa");
  EXPECT_EQ(parse_token(to_string(token)).token, token);
}

TEST(Token, OfAnotherStrategyNamesIt) {
  const Token token{"x", 1, SeedBody{std::numeric_limits<std::uint64_t>::max(), "pct-3"}, 2};

  EXPECT_EQ(to_string(token), "ll1:x@00000001:s18446744073709551615~pct-3.00000002");
  EXPECT_EQ(parse_token(to_string(token)).token, token);
}

TEST(Token, OfATraceFileNamesIt) {
  const Token token{"x", 1, TraceBody{0xabcdef}, 2};

  EXPECT_EQ(to_string(token), "ll1:x@00000001:f.0000000000abcdef.00000002");
  EXPECT_EQ(parse_token(to_string(token)).token, token);
}

TEST(Token, OfAShrunkRunIsShortAndNeverChangesItsText) {
  const std::string text = to_string(choice_token(three_deviations()));

  // Bug reports hold such texts: the format may gain versions but this one stays readable.
  EXPECT_EQ(text,
            "ll1:failover-late-write@3f9c21e0:"
            "c.AQGDUwEGAgdQxAzewEGdgQEB6wEBHwLg4ckDBAMCAa0DgL2DFL66_spEUQ.9d41c0aa");
  EXPECT_LE(text.size(), 120U);
  EXPECT_EQ(parse_token(text).token, choice_token(three_deviations()));
}

TEST(Token, OfTheCalmRunHasNoDeviations) {
  const Token token = choice_token({});
  const TokenResult result = parse_token(to_string(token));

  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.token, token);
}

TEST(Token, HoldsTheMostOfTheLongestDeviations) {
  std::vector<Deviation> all;
  for (unsigned i = 0; i < kTokenDeviations; ++i) {
    const auto actor = ActorId{static_cast<std::uint16_t>(0xff00 - 128 * i)};
    all.push_back(deviation(Span::of_operation(actor, 255, 65535, 65535), ActorId{65535},
                            ChoiceKind::fault_at_label, Label::res_sent, 0xffffffff,
                            std::numeric_limits<std::uint64_t>::max(), 0xffffffff));
  }
  const Token token = choice_token(normalised(all));
  const TokenResult result = parse_token(to_string(token));

  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.token, token);
}

TEST(Token, BeyondItsLimitsIsAContractFailure) {
  std::vector<Deviation> all;
  for (std::uint32_t n = 1; n <= kTokenDeviations + 1; ++n) {
    all.push_back(deviation(Span{}, ActorId{1}, ChoiceKind::defer, Label::none, n, 1, 0));
  }

  EXPECT_THROW(to_string(choice_token(all)), ContractFailure);
  EXPECT_THROW(to_string(Token{"Upper", 1, SeedBody{}, 2}), ContractFailure);
  EXPECT_THROW(to_string(Token{"x", 1, SeedBody{1, "a.b"}, 2}), ContractFailure);
}

TEST(Normalised, SortsByAddressAndDropsDefaultsAndDoubles) {
  const Deviation early = deviation(Span{}, ActorId{1}, ChoiceKind::defer, Label::none, 1, 5, 0);
  const Deviation late = deviation(Span{}, ActorId{1}, ChoiceKind::defer, Label::none, 2, 6, 0);
  const Deviation again = deviation(Span{}, ActorId{1}, ChoiceKind::defer, Label::none, 1, 7, 0);
  const Deviation none = deviation(Span{}, ActorId{1}, ChoiceKind::defer, Label::none, 3, 0, 0);

  EXPECT_EQ(normalised({late, none, early, again}), (std::vector<Deviation>{early, late}));
}

/// The token of these bytes with the checksum that makes them look right.
std::string with_checksum(Bytes bytes) {
  const std::string head = "ll1:x@00000001:";
  put_fixed(bytes, crc16(head + "00000002", bytes, bytes.size()), 2);
  return head + "c." + base64url(bytes) + ".00000002";
}

struct Corrupt {
  std::string text;
  std::string error;
};

void expect_errors(const std::vector<Corrupt>& table) {
  for (const Corrupt& row : table)
    EXPECT_EQ(parse_token(row.text).error, row.error) << row.text;
}

TEST(CorruptToken, SaysInOneLineWhatIsWrong) {
  const std::string name = "the scenario's name is not 1 to 64 of a-z, 0-9 and -";
  const std::string hash = "the scenario's hash is not 8 digits of 0-9 and a-f";
  const std::string digest = "the digest is not 8 digits of 0-9 and a-f";
  const std::string seed = "the seed is not a whole number below 2^64";
  const std::string file = "the name of the trace file is not 16 digits of 0-9 and a-f";
  expect_errors({
      {"", "a token starts with ll1:"},
      {"ll2:x@00000001:s1.00000002", "a token starts with ll1:"},
      {" ll1:x@00000001:s1.00000002", "a token starts with ll1:"},
      {"ll1:", "the @ after the scenario's name is missing"},
      {"ll1:x", "the @ after the scenario's name is missing"},
      {"ll1:x@00000001", "the : after the scenario's hash is missing"},
      {"ll1:x:00000001@s1.00000002", "the : after the scenario's hash is missing"},
      {"ll1:x@00000001:s1", "the digest after the last . is missing"},
      {"ll1:x.y@00000001:s1", "the digest after the last . is missing"},
      {"ll1:@00000001:s1.00000002", name},
      {"ll1:X@00000001:s1.00000002", name},
      {"ll1:../x@00000001:s1.00000002", name},
      {"ll1:" + std::string(65, 'x') + "@00000001:s1.00000002", name},
      {"ll1:x@0000001:s1.00000002", hash},
      {"ll1:x@0000000G:s1.00000002", hash},
      {"ll1:x@ABCDEF01:s1.00000002", hash},
      {"ll1:x@00000001:s1.0000002", digest},
      {"ll1:x@00000001:s1.000000020", digest},
      {"ll1:x@00000001:s1.00000002 ", digest},
      {"ll1:x@00000001:.00000002", "the third part starts with none of s, c. and f."},
      {"ll1:x@00000001:q1.00000002", "the third part starts with none of s, c. and f."},
      {"ll1:x@00000001:c1.00000002", "the third part starts with none of s, c. and f."},
      {"ll1:x@00000001:s.00000002", seed},
      {"ll1:x@00000001:s01.00000002", seed},
      {"ll1:x@00000001:s-1.00000002", seed},
      {"ll1:x@00000001:s18446744073709551616.00000002", seed},
      {"ll1:x@00000001:s1~.00000002", "the strategy after ~ is not a name"},
      {"ll1:x@00000001:s1~a~b.00000002", "the strategy after ~ is not a name"},
      {"ll1:x@00000001:f.123.00000002", file},
      {"ll1:x@00000001:f.0000000000ABCDEF.00000002", file},
      {std::string(kTokenBytes + 1, 'l'), "longer than 8192 characters"},
  });
}

TEST(CorruptToken, SaysWhatIsWrongWithItsChoices) {
  const std::string entry = "the list of choices has an entry that cannot be read";
  expect_errors({
      {"ll1:x@00000001:c..00000002", "the list of choices is cut off"},
      {"ll1:x@00000001:c.AAA.00000002", "the list of choices is cut off"},
      {"ll1:x@00000001:c.AQEBx.00000002", "the list of choices is not base64url"},
      {"ll1:x@00000001:c.AQ+B.00000002", "the list of choices is not base64url"},
      {"ll1:x@00000001:c.AQEBAR.00000002", "the list of choices is not base64url"},
      {"ll1:x@00000001:c.AQEBAQ.00000002", "the checksum differs: a character was changed or lost"},
      {with_checksum({2, 1}), "the list of choices is of a version that cannot be read"},
      {with_checksum({1, 0x80}), "the model epoch is out of range"},
      {with_checksum({1, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}), "the model epoch is out of range"},
      {with_checksum({1, 0x81, 0x00}), "the model epoch is out of range"},
      // Heads: cut off; an unknown label (31); an unknown kind (31);
      // a defer with a label; another kind with what only a defer has there (64).
      {with_checksum({1, 1, 0x80}), entry},
      {with_checksum({1, 1, 0xa1, 0xff, 0x01, 1}), entry},
      {with_checksum({1, 1, 0xbf, 0x07, 1}), entry},
      {with_checksum({1, 1, 0xa0, 0x07, 1}), entry},
      {with_checksum({1, 1, 0xa1, 0x87, 0x04, 1}), entry},
      {with_checksum({1, 1, 0xa0, 0x87, 0x04, 1}), ""},
      // Same span, own actor, first visit, any witness; kind delay@link; then its value.
      {with_checksum({1, 1, 0xa1, 0x07, 1}), ""},
      {with_checksum({1, 1, 0xa1, 0x07, 0}), entry},
      {with_checksum({1, 1, 0xa1, 0x07}), entry},
      // The same address twice.
      {with_checksum({1, 1, 0xa1, 0x07, 1, 0xa1, 0x07, 1}), entry},
      // The same token, its span spelt out although it is that before.
      {with_checksum({1, 1, 0xc1, 0x07, 0, 1}), "not the one text that this token has"},
      // n spelt out although it is 1; a witness spelt out although any fits.
      {with_checksum({1, 1, 0xa1, 0x05, 1, 1}), "not the one text that this token has"},
      {with_checksum({1, 1, 0xa1, 0x03, 1, 0, 0, 0, 0}), "not the one text that this token has"},
      // A witness cut off.
      {with_checksum({1, 1, 0xa1, 0x03, 1, 7, 7, 7}), entry},
  });
}

TEST(CorruptToken, WithMoreThanTheMostDeviationsIsRefused) {
  Bytes bytes = {1, 1, 0xa1, 0x07, 1};
  for (unsigned n = 2; n <= kTokenDeviations + 1; ++n) {
    bytes.insert(bytes.end(), {0xa1, 0x05});  // As above, with an n of its own.
    put_varint(bytes, n);
    bytes.push_back(1);
  }

  EXPECT_NE(parse_token(with_checksum(bytes)).error, "");
  bytes.resize(bytes.size() - 5);
  EXPECT_EQ(parse_token(with_checksum(bytes)).error, "");
}

TEST(CorruptToken, EveryChangedCharacterIsSeen) {
  const std::string text = to_string(choice_token(three_deviations()));
  const std::string alphabet =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:@~ ";

  // One character is at most 8 neighbouring bits, a burst that CRC-16 always finds; in the name, a
  // hash or the digest as much as in the list.
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (const char c : alphabet) {
      if (c == text[i]) continue;
      std::string changed = text;
      changed[i] = c;
      EXPECT_NE(parse_token(changed).error, "") << changed;
    }
  }
}

TEST(CorruptToken, EveryPrefixIsRefused) {
  const std::string text = to_string(choice_token(three_deviations()));

  for (std::size_t length = 0; length < text.size(); ++length) {
    EXPECT_NE(parse_token(text.substr(0, length)).error, "") << length;
  }
}

}  // namespace
}  // namespace locklab
