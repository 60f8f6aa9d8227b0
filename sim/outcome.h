// Outcome: what acquire, renew and release come to.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace locklab {

/// Three outcomes, never two: unknown means that it may have happened.
enum class Outcome : std::uint8_t { none, acquired, refused, unknown, released, not_held, renewed };
std::string_view name_of(Outcome outcome);

}  // namespace locklab
