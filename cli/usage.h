// Usage: what is wrong with a command line, and the numbers on it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace locklab::cli {

/// Throws Failure (kUsage): "message; hint".
[[noreturn]] void usage(const std::string& message, const std::string& hint = {});

/// Decimal, or hexadecimal after 0x. `what` names it in the message.
std::uint64_t number_of(std::string_view text, std::string_view what);
/// least … most.
std::uint64_t number_within(std::string_view text, std::string_view what, std::uint64_t least,
                            std::uint64_t most);

}  // namespace locklab::cli
