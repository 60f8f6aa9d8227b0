// How many seeds are enough: tests/verdicts shows it, and other tests rely on it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace locklab {

/// Within these each story breaks what it is told for.
constexpr std::uint64_t kSeedsToFind = 200;

}  // namespace locklab
