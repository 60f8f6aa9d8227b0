// TimeoutPolicy: what a client does with a connection whose reply it no longer waits for.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace locklab {

/// Some real clients give the connection back to their pool with the reply unread, after a timeout,
/// a cancel or a panic: whoever is handed it next takes that reply for the answer to its own
/// command, and so does everybody after.
enum class TimeoutPolicy : std::uint8_t { close_connection, return_unread };

}  // namespace locklab
