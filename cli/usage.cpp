// Usage: one line for each mistake.
// SPDX-License-Identifier: Apache-2.0
#include "cli/usage.h"

#include <charconv>

#include <fmt/format.h>

#include "cli/failure.h"
#include "scenarios/diagnostic.h"

namespace locklab::cli {

void usage(const std::string& message, const std::string& hint) {
  throw Failure(kUsage, hint.empty() ? message : message + "; " + hint);
}

std::uint64_t number_of(std::string_view text, std::string_view what) {
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  const std::string_view digits = hex ? text.substr(2) : text;
  std::uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, hex ? 16 : 10);
  if (error != std::errc() || end != digits.data() + digits.size() || digits.empty()) {
    usage(fmt::format("{} must be a whole number, not {}", what, locklab::quoted(text)));
  }
  return value;
}

std::uint64_t number_within(std::string_view text, std::string_view what, std::uint64_t least,
                            std::uint64_t most) {
  const std::uint64_t number = number_of(text, what);
  if (number < least || number > most) usage(fmt::format("{} must be {} to {}", what, least, most));
  return number;
}

}  // namespace locklab::cli
