// Correct locks: those that are mutated, and held to what they declare; no broken variants.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

namespace locklab::mutants {

inline constexpr std::array<std::string_view, 11> kCorrectLocks = {
    "set-nx-px",           "set-nx-px-checked", "set-nx-px-fenced", "set-nx-px-wait", "redlock",
    "redlock-fenced",      "watchdog",          "redlock-watchdog", "reentrant",      "incr-fence",
    "incr-fence-in-script"};

}  // namespace locklab::mutants
