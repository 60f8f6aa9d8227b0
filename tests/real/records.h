// Records: one as a line, with every name and number that can be compared.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "sim/history.h"

namespace locklab::real {

/// Texts are resolved by the record's own history, so that lines of two histories can be compared.
/// Time, seq and cause are left out: they are the driver's.
std::string line_of(const History& history, const Record& record);

constexpr ActorId actor_numbered(std::size_t index) {
  return ActorId{static_cast<std::uint16_t>(index)};
}

/// Connection and server of sent, replied, timed_out, broken and refused.
constexpr std::uint32_t connection_of(const Record& record) {
  return static_cast<std::uint32_t>(record.arg);
}
constexpr std::uint16_t server_of(const Record& record) {
  return static_cast<std::uint16_t>(record.arg >> 32);
}

}  // namespace locklab::real
