// The scripts that every Redis lock sends, and their C++ equivalents.
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

/// The release again, as models/scripts.h writes it: shorter, and with names in capitals, which the
/// replicas see.
constexpr std::string_view kCompareAndDeleteShort =
    "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";

/// The renewal, likewise.
constexpr std::string_view kCompareAndPexpireShort =
    "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) "
    "end return 0";

/// Compares the key's value to ARGV[1] and then runs one command on the key.
struct NativeScript {
  std::string_view body;
  std::string_view get;  // As the script spells it.
  std::string_view change;
  bool passes_argument;  // ARGV[2] follows the key.
};

/// nullptr: only Lua knows this one.
const NativeScript* native_script_of(std::string_view body);

/// The script's result, or the error of the command that failed, without a suffix. nullopt: these
/// arguments are unusual, let Lua have them.
std::optional<Reply> run_native(const NativeScript& script, lua::Run& run, Command keys,
                                Command arguments);

}  // namespace locklab::redis
