// Token: one line that names an execution: scenario, choices and the digest that they must give.
// SPDX-License-Identifier: Apache-2.0
//
//   ll1:<scenario>@<8 hex of the effective scenario>:<body>.<8 hex of the digest>
//
//   s<seed>[~strategy]   a run of the seeded engine, or of the strategy named
//   c.<base64url>        a list of deviations, usually shrunk
//   f.<16 hex>           a trace file of that name
//
// Kernel contract, "Tokens". Safe in shells, URLs and chats without quotes. There is one text for
// each token: whatever parse_token() accepts, to_string() gives back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/choice.h"

namespace locklab {

struct SeedBody {
  std::uint64_t seed = 0;
  std::string strategy;  // Empty: the seeded engine.
  friend bool operator==(const SeedBody&, const SeedBody&) = default;
};

/// Strictly ascending by address, no value 0: as normalised() gives them.
struct ChoiceBody {
  std::uint32_t model_epoch = 0;
  std::vector<Deviation> deviations;
  friend bool operator==(const ChoiceBody&, const ChoiceBody&) = default;
};

struct TraceBody {
  std::uint64_t file = 0;
  friend bool operator==(const TraceBody&, const TraceBody&) = default;
};

struct Token {
  std::string scenario;             // [a-z0-9-]+, at most 64.
  std::uint32_t scenario_hash = 0;  // High 32 bits of Scenario::hash.
  std::variant<SeedBody, ChoiceBody, TraceBody> body;
  std::uint32_t digest = 0;  // High 32 bits of the history's.
  friend bool operator==(const Token&, const Token&) = default;
};

/// The half of a 64-bit hash that tokens show.
constexpr std::uint32_t shown_bits(std::uint64_t hash) {
  return static_cast<std::uint32_t>(hash >> 32);
}

/// Longer texts are refused unread. The longest deviation has 36 bytes, so that the most of them
/// fit.
constexpr std::size_t kTokenBytes = 8192;
/// A run with more of them goes to a trace file.
constexpr std::size_t kTokenDeviations = 128;

/// In address order; of two with one address the first stays; the default value is no deviation.
std::vector<Deviation> normalised(std::vector<Deviation> deviations);

/// A contract failure if the token breaks the limits above. Deviations are normalised first.
std::string to_string(const Token& token);

struct TokenResult {
  Token token;        // Meaningful only without an error.
  std::string error;  // One line; empty: the text is a token.
};
TokenResult parse_token(std::string_view text);

}  // namespace locklab
