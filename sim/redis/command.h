// Commands as argument vectors, and the table of all commands that the engine knows.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "sim/arena.h"
#include "sim/redis/reply.h"

namespace locklab::redis {

/// A view of argv: the name, then the arguments, all binary safe.
using Command = std::span<const std::string_view>;

/// What COMMAND INFO calls flags, as far as the gatekeeping of processCommand looks at them.
enum CommandFlag : std::uint32_t {
  kWrite = 1U << 0,  // READONLY, NOREPLICAS.
  kReadOnly = 1U << 1,
  kDenyOom = 1U << 2,       // OOM.
  kNoScript = 1U << 3,      // Not from a script.
  kStale = 1U << 4,         // Served although the link to the primary is down.
  kLoading = 1U << 5,       // Served while the data set is being loaded.
  kAllowBusy = 1U << 6,     // Served while a script runs for too long.
  kNoMulti = 1U << 7,       // Not inside MULTI.
  kNoAuth = 1U << 8,        // Served before AUTH.
  kMayReplicate = 1U << 9,  // Held by CLIENT PAUSE WRITE like a write.
  kContainer = 1U << 10,    // Has subcommands: rows named "container|subcommand".
};

class Call;
using Handler = Reply (*)(Call&);

/// One row of the table. A row without a handler belongs to the connection (MULTI, SUBSCRIBE,
/// WAIT): its owner asks refusal() and executes it itself; scripts are told that it is not allowed.
struct CommandSpec {
  std::string_view name;  // Lower case; "script|load" for a subcommand.
  int arity = 0;          // Exact number of arguments, the name included; -n: at least n.
  std::uint32_t flags = 0;
  Handler handler = nullptr;

  [[nodiscard]] bool has(CommandFlag flag) const { return (flags & flag) != 0; }
  [[nodiscard]] bool accepts(std::size_t argument_count) const {
    const auto count = static_cast<std::int64_t>(argument_count);
    return arity >= 0 ? count == arity : count >= -arity;
  }
};

/// The row of argv[0] (and of argv[1] for a container), whatever its case. A container whose
/// subcommand is unknown or missing yields the container's own row; nullptr: unknown name.
const CommandSpec* find_command(Command argv);

/// All rows, sorted by name.
std::span<const CommandSpec> all_commands();

/// ASCII only, as strcasecmp in the C locale.
bool equals_ignoring_case(std::string_view a, std::string_view b);

/// A decimal integer under the strict rules of redis/src/util.c string2ll: no space, no '+', no
/// leading zero, no "-0"; nullopt also when it is out of the range of int64.
std::optional<std::int64_t> parse_integer(std::string_view text);

/// The shortest decimal form, in the arena.
std::string_view format_integer(std::int64_t value, Arena& arena);

/// The command copied into `arena`, argument by argument.
Command copy(Command argv, Arena& arena);

}  // namespace locklab::redis
