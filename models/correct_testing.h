// Correct locks: those without a mistake on purpose.
// SPDX-License-Identifier: Apache-2.0
//
// They are asked plain questions (answers_test.cpp), mutated (tests/mutants), and held to what they
// declare.
#pragma once

#include <array>
#include <string_view>

namespace locklab::testing {

inline constexpr std::array<std::string_view, 14> kCorrectLocks = {
    "set-nx-px",  "set-nx-px-checked",   "set-nx-px-fenced",  "set-nx-px-wait",
    "redlock",    "redlock-fenced",      "redlock-watchdog",  "watchdog",
    "reentrant",  "reentrant-longest",   "reentrant-latched", "reentrant-fenced",
    "incr-fence", "incr-fence-in-script"};

}  // namespace locklab::testing
