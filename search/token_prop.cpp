// Token under any deviations and any text: exact both ways, and never a crash.
// SPDX-License-Identifier: Apache-2.0

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "search/byte_codec.h"
#include "search/token.h"
#include "search/token_testing.h"

namespace locklab {
namespace {

using testing_samples::any_deviations;
using testing_samples::choice_token;

/// Accepted or refused with one line; what is accepted is written back as it was.
bool answers(const std::string& text) {
  const TokenResult result = parse_token(text);
  RC_ASSERT(result.error.find('\n') == std::string::npos);
  if (!result.error.empty()) return false;
  RC_ASSERT(to_string(result.token) == text);
  return true;
}

RC_GTEST_PROP(TokenProperty, ReadsBackAnyDeviations, ()) {
  const Token token = choice_token(*any_deviations());
  const TokenResult result = parse_token(to_string(token));

  RC_ASSERT(result.error == "");
  RC_ASSERT(result.token == token);
}

RC_GTEST_PROP(TokenProperty, ReadsBackAnySeed, (std::uint64_t seed, std::uint32_t hash)) {
  const Token token{"x-1", hash, SeedBody{seed, *rc::gen::element<std::string>("", "pct", "a-2")},
                    ~hash};

  RC_ASSERT(parse_token(to_string(token)).token == token);
}

RC_GTEST_PROP(TokenProperty, AnswersToAnyText, (const std::string& text)) {
  answers(text);
  answers("ll1:x@00000001:" + text + ".00000002");
}

RC_GTEST_PROP(TokenProperty, AnswersToAnyBytesUnderARightChecksum, (Bytes bytes)) {
  const std::string head = "ll1:x@00000001:";
  Bytes list = {1, 1};
  list.insert(list.end(), bytes.begin(), bytes.end());
  put_fixed(list, crc16(head + "00000002", list, list.size()), 2);
  const bool accepted = answers(head + "c." + base64url(list) + ".00000002");
  RC_CLASSIFY(accepted, "a token");
}

RC_GTEST_PROP(TokenProperty, SeesABurstOfUpTo16ChangedBits, ()) {
  const std::string text = to_string(choice_token(*any_deviations()));
  const std::size_t start = text.find("c.") + 2;
  const std::size_t dot = text.rfind('.');
  Bytes bytes = from_base64url(text.substr(start, dot - start)).value();
  // In front of the checksum, which is written lowest byte first and so breaks the order of bits.
  const std::size_t room = (bytes.size() - 2) * 8 - 16;
  const auto bit = *rc::gen::inRange<std::size_t>(0, room + 1);
  const auto pattern = *rc::gen::inRange<unsigned>(1, 0x10000);
  for (std::size_t i = 0; i < 16; ++i) {
    const std::size_t at = bit + i;
    if ((pattern >> i & 1U) != 0) {
      bytes[at / 8] = static_cast<std::uint8_t>(bytes[at / 8] ^ (0x80U >> at % 8));
    }
  }

  RC_ASSERT(!answers(text.substr(0, start) + base64url(bytes) + text.substr(dot)));
}

}  // namespace
}  // namespace locklab
