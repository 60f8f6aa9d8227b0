// SHA-1 (FIPS 180-4), for the names of scripts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace locklab::redis {

using Sha1 = std::array<std::uint8_t, 20>;
using Sha1Hex = std::array<char, 40>;

Sha1 sha1(std::string_view text);
/// Lower-case hexadecimal digits.
Sha1Hex to_hex(const Sha1& digest);

}  // namespace locklab::redis
