// The families of commands: each file beside this one gives its rows.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "sim/redis/command.h"

namespace locklab::redis {

std::span<const CommandSpec> string_commands();
std::span<const CommandSpec> hash_commands();
std::span<const CommandSpec> key_commands();
std::span<const CommandSpec> server_commands();
std::span<const CommandSpec> script_commands();
/// Commands that act on a connection, known here for their arity and flags only.
std::span<const CommandSpec> connection_commands();

}  // namespace locklab::redis
