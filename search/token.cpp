// Token: text to token and back, strict in what it accepts.
// SPDX-License-Identifier: Apache-2.0

#include "search/token.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "search/byte_codec.h"
#include "search/deviation_codec.h"
#include "sim/contract.h"

namespace locklab {
namespace {

constexpr std::string_view kPrefix = "ll1:";
constexpr std::size_t kNameBytes = 64;
constexpr std::size_t kStrategyBytes = 32;
constexpr unsigned kShownDigits = 8;
constexpr unsigned kFileDigits = 16;
constexpr std::uint8_t kListVersion = 1;
constexpr std::size_t kChecksumBytes = 2;

bool is_name(std::string_view text, std::size_t most) {
  return !text.empty() && text.size() <= most &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string_view::npos;
}

std::string head_of(const Token& token) {
  return std::string(kPrefix) + token.scenario + "@" + hex(token.scenario_hash, kShownDigits) + ":";
}

/// The checksum covers the whole token, so that a slip in the name or a digest is seen at once
/// instead of as a divergence.
std::uint16_t checksum(const Token& token, const Bytes& bytes, std::size_t count) {
  return crc16(head_of(token) + hex(token.digest, kShownDigits), bytes, count);
}

std::string text_of(const SeedBody& body, const Token&) {
  SIM_ASSERT(body.strategy.empty() || is_name(body.strategy, kStrategyBytes));
  return "s" + std::to_string(body.seed) + (body.strategy.empty() ? "" : "~" + body.strategy);
}

std::string text_of(const ChoiceBody& body, const Token& token) {
  const std::vector<Deviation> deviations = normalised(body.deviations);
  SIM_ASSERT(deviations.size() <= kTokenDeviations);
  Bytes bytes;
  put_fixed(bytes, kListVersion, 1);
  put_varint(bytes, body.model_epoch);
  put_deviations(bytes, deviations);
  put_fixed(bytes, checksum(token, bytes, bytes.size()), kChecksumBytes);
  return "c." + base64url(bytes);
}

std::string text_of(const TraceBody& body, const Token&) {
  return "f." + hex(body.file, kFileDigits);
}

TokenResult failed(std::string error) {
  return {{}, std::move(error)};
}

/// nullopt: not a number of 64 bits, or not written as std::to_string does.
std::optional<std::uint64_t> decimal(std::string_view text) {
  if (text.empty() || text.size() > 20 || (text.size() > 1 && text.front() == '0'))
    return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9' || __builtin_mul_overflow(value, 10, &value) ||
        __builtin_add_overflow(value, static_cast<std::uint64_t>(c - '0'), &value)) {
      return std::nullopt;
    }
  }
  return value;
}

// Each reads a body into the token, whose other fields are set; "" or an error.

std::string read_seed(std::string_view body, Token& token) {
  const std::size_t tilde = std::min(body.find('~'), body.size());
  const std::optional<std::uint64_t> seed = decimal(body.substr(0, tilde));
  if (!seed) return "the seed is not a whole number below 2^64";
  SeedBody seeded{*seed, std::string(body.substr(std::min(tilde + 1, body.size())))};
  if (tilde < body.size() && !is_name(seeded.strategy, kStrategyBytes)) {
    return "the strategy after ~ is not a name";
  }
  token.body = std::move(seeded);
  return {};
}

std::string read_choices(std::string_view body, Token& token) {
  const std::optional<Bytes> bytes = from_base64url(body);
  if (!bytes) return "the list of choices is not base64url";
  if (bytes->size() < 2 + kChecksumBytes) return "the list of choices is cut off";
  const std::size_t end = bytes->size() - kChecksumBytes;
  const unsigned found = (*bytes)[end] | static_cast<unsigned>((*bytes)[end + 1]) << 8;
  if (found != checksum(token, *bytes, end))
    return "the checksum differs: a character was changed or lost";

  ByteReader in(*bytes, end);
  if (in.fixed(1) != kListVersion) return "the list of choices is of a version that cannot be read";
  const std::uint64_t epoch = in.varint();
  if (in.failed() || epoch > 0xffffffff) return "the model epoch is out of range";
  std::optional<std::vector<Deviation>> deviations = take_deviations(in, kTokenDeviations);
  if (!deviations) return "the list of choices has an entry that cannot be read";
  token.body = ChoiceBody{static_cast<std::uint32_t>(epoch), std::move(*deviations)};
  return {};
}

std::string read_trace(std::string_view body, Token& token) {
  const std::optional<std::uint64_t> file = from_hex(body, kFileDigits);
  if (!file) return "the name of the trace file is not 16 digits of 0-9 and a-f";
  token.body = TraceBody{*file};
  return {};
}

std::string read_body(std::string_view body, Token& token) {
  if (body.substr(0, 1) == "s") return read_seed(body.substr(1), token);
  if (body.substr(0, 2) == "c.") return read_choices(body.substr(2), token);
  if (body.substr(0, 2) == "f.") return read_trace(body.substr(2), token);
  return "the third part starts with none of s, c. and f.";
}

}  // namespace

std::vector<Deviation> normalised(std::vector<Deviation> deviations) {
  std::stable_sort(deviations.begin(), deviations.end(),
                   [](const Deviation& a, const Deviation& b) { return a.address < b.address; });
  const auto same = [](const Deviation& a, const Deviation& b) { return a.address == b.address; };
  deviations.erase(std::unique(deviations.begin(), deviations.end(), same), deviations.end());
  std::erase_if(deviations, [](const Deviation& deviation) { return deviation.value == 0; });
  return deviations;
}

std::string to_string(const Token& token) {
  SIM_ASSERT(is_name(token.scenario, kNameBytes));
  const std::string body =
      std::visit([&token](const auto& part) { return text_of(part, token); }, token.body);
  return head_of(token) + body + "." + hex(token.digest, kShownDigits);
}

TokenResult parse_token(std::string_view text) {
  if (text.size() > kTokenBytes) {
    return failed("longer than " + std::to_string(kTokenBytes) + " characters");
  }
  if (text.substr(0, kPrefix.size()) != kPrefix) return failed("a token starts with ll1:");
  const std::string_view rest = text.substr(kPrefix.size());
  const std::size_t at = rest.find('@');
  const std::size_t colon = rest.find(':');
  const std::size_t dot = rest.rfind('.');
  if (at == std::string_view::npos) return failed("the @ after the scenario's name is missing");
  if (colon == std::string_view::npos || colon < at) {
    return failed("the : after the scenario's hash is missing");
  }
  if (dot == std::string_view::npos || dot < colon)
    return failed("the digest after the last . is missing");

  TokenResult result;
  result.token.scenario = std::string(rest.substr(0, at));
  if (!is_name(result.token.scenario, kNameBytes)) {
    return failed("the scenario's name is not 1 to 64 of a-z, 0-9 and -");
  }
  const auto hash = from_hex(rest.substr(at + 1, colon - at - 1), kShownDigits);
  if (!hash) return failed("the scenario's hash is not 8 digits of 0-9 and a-f");
  const auto digest = from_hex(rest.substr(dot + 1), kShownDigits);
  if (!digest) return failed("the digest is not 8 digits of 0-9 and a-f");
  result.token.scenario_hash = static_cast<std::uint32_t>(*hash);
  result.token.digest = static_cast<std::uint32_t>(*digest);
  result.error = read_body(rest.substr(colon + 1, dot - colon - 1), result.token);
  if (!result.error.empty()) return result;
  // One spelling each: what only looks like a list of choices is refused here.
  if (to_string(result.token) != text) result.error = "not the one text that this token has";
  return result;
}

}  // namespace locklab
