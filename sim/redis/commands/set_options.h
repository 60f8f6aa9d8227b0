// The options that SET and GETEX share, and the meaning of an expiry argument.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "sim/redis/call.h"

namespace locklab::redis {

enum class SetKind : std::uint8_t { set, getex };
enum class ExpiryUnit : std::uint8_t { none, ex, px, exat, pxat };

struct SetOptions {
  bool nx = false;
  bool xx = false;
  bool get = false;
  bool keep_ttl = false;
  bool persist = false;
  ExpiryUnit unit = ExpiryUnit::none;
  std::string_view expiry;  // Still text: it is judged after all options.
};

/// nullopt: a syntax error. One pass from left to right, as redis/src/t_string.c
/// parseExtendedStringArgumentsOrReply: the same option may be repeated, the last value counts.
std::optional<SetOptions> parse_set_options(Command options, SetKind kind);

struct ExpiryArgument {
  UnixMs when = kNoExpiry;
  std::optional<Reply> error;
};

/// The absolute expiry that the options ask for, kNoExpiry if they name none
/// (redis/src/t_string.c getExpireMillisecondsOrReply).
ExpiryArgument evaluate_expiry(Call& call, const SetOptions& options);

}  // namespace locklab::redis
