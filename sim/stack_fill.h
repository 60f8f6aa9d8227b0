// stack_fill: what a fiber finds on its stack, for tests of code that reads what it never wrote.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace locklab {

/// From here on each fiber that this thread spawns begins on a stack that is filled with this byte;
/// nullopt, as at first: with whatever the last one left there, which costs nothing.
void fill_stacks_of_this_thread(std::optional<std::uint8_t> byte);

}  // namespace locklab
