// The two scripts that every Redis lock sends, and their C++ equivalents.
// SPDX-License-Identifier: Apache-2.0
//
// ScriptMode::native runs these instead of Lua, command for command. They exist to be compared with
// Lua, which stays the default.
#pragma once

#include <optional>
#include <string_view>

#include "sim/redis/lua/host.h"

namespace locklab::redis {

/// Release: https://redis.io/docs/latest/commands/set/, "Patterns". KEYS[1], ARGV[1] = token.
constexpr std::string_view kCompareAndDelete =
    "if redis.call(\"get\",KEYS[1]) == ARGV[1] then return redis.call(\"del\",KEYS[1]) "
    "else return 0 end";
/// Renewal, as Redlock implementations write it. KEYS[1], ARGV[1] = token, ARGV[2] = milliseconds.
constexpr std::string_view kCompareAndPexpire =
    "if redis.call(\"get\",KEYS[1]) == ARGV[1] then return redis.call(\"pexpire\",KEYS[1],ARGV[2]) "
    "else return 0 end";

enum class NativeScript : std::uint8_t { none, compare_and_delete, compare_and_pexpire };

NativeScript native_script_of(std::string_view body);

/// The script's result, or the error of the command that failed, without a suffix. nullopt: these
/// arguments are unusual, let Lua have them.
std::optional<Reply> run_native(NativeScript script, lua::Run& run, Command keys,
                                Command arguments);

}  // namespace locklab::redis
