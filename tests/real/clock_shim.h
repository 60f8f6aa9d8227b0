// Clock shim: the numbers that a redis-server shares with the test that has started it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace locklab::real {

constexpr std::size_t kClock = 0;   // Unix time in microseconds; 0: the machine's own.
constexpr std::size_t kSynced = 1;  // How long its append-only file was at the last fdatasync.
constexpr std::size_t kShared = 2;

}  // namespace locklab::real
