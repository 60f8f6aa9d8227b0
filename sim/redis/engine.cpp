// Gatekeeping, dispatch, the replication stream's entry and the active expiry cycle.
// SPDX-License-Identifier: Apache-2.0
#include "sim/redis/engine.h"

#include <algorithm>

#include "sim/contract.h"
#include "sim/redis/call.h"

namespace locklab::redis {
namespace {

// Both bounds are those of redis/src/server.c commandCheckExistence.
constexpr std::size_t kQuotedNameMax = 128;
constexpr std::size_t kQuotedArgumentsMax = 128;

/// As C prints it: up to the first NUL, at most `max` bytes.
std::string_view printable(std::string_view text, std::size_t max) {
  return text.substr(0, std::min(text.find('\0'), max));
}

/// In the arena, with line breaks as spaces: an error is one line.
Reply one_line_error(std::string_view text, Arena& arena) {
  const std::span<char> line = arena.make_array<char>(text.size());
  std::transform(text.begin(), text.end(), line.begin(),
                 [](char c) { return c == '\r' || c == '\n' ? ' ' : c; });
  return Reply::error({line.data(), line.size()});
}

Reply unknown_command(Command argv, Arena& arena) {
  std::string_view arguments;
  for (std::size_t i = 1; i < argv.size() && arguments.size() < kQuotedArgumentsMax; ++i) {
    const std::size_t room = kQuotedArgumentsMax - arguments.size();
    arguments = arena.concat(arguments, "'", printable(argv[i], room), "' ");
  }
  return one_line_error(arena.concat("ERR unknown command '", printable(argv[0], kQuotedNameMax),
                                     "', with args beginning with: ", arguments),
                        arena);
}

Reply unknown_subcommand(const CommandSpec& container, Command argv, Arena& arena) {
  const std::span<char> name = arena.make_array<char>(container.name.size());
  std::transform(container.name.begin(), container.name.end(), name.begin(),
                 [](char c) { return static_cast<char>(c - 'a' + 'A'); });
  return one_line_error(
      arena.concat("ERR unknown subcommand '", printable(argv[1], kQuotedNameMax), "'. Try ",
                   std::string_view(name.data(), name.size()), " HELP."),
      arena);
}

/// Steps 1 and 2 of processCommand.
std::optional<Reply> malformed(const CommandSpec* spec, Command argv, Arena& arena) {
  if (spec == nullptr) return unknown_command(argv, arena);
  if (spec->has(kContainer) && argv.size() > 1) return unknown_subcommand(*spec, argv, arena);
  if (!spec->accepts(argv.size())) {
    return Reply::error(
        arena.concat("ERR wrong number of arguments for '", spec->name, "' command"));
  }
  return std::nullopt;
}

/// Steps 8 to 14 of processCommand; null flags cost one comparison each.
std::optional<Reply> unwelcome(const CommandSpec& spec, const Context& context) {
  const bool primary = context.role == Role::primary;
  if (context.out_of_memory && primary && spec.has(kDenyOom)) return errors::kOutOfMemory;
  if (context.too_few_replicas && primary && spec.has(kWrite)) return errors::kNoReplicas;
  if (!primary && spec.has(kWrite)) return errors::kReadOnly;
  if (context.stale && !spec.has(kStale)) return errors::kMasterDown;
  if (context.loading && !spec.has(kLoading)) return errors::kLoading;
  return std::nullopt;
}

std::optional<Reply> refusal_of(const CommandSpec* spec, const Context& context, Command argv,
                                Arena& arena) {
  if (std::optional<Reply> reply = malformed(spec, argv, arena)) return reply;
  if (context.caller == Caller::primary_link) return std::nullopt;
  return unwelcome(*spec, context);
}

}  // namespace

void Database::reset() {
  keys.clear();
  scripts.clear();
  random.reset();
}

std::optional<Reply> refusal(const Context& context, Command argv, Arena& arena) {
  SIM_ASSERT(!argv.empty());
  return refusal_of(find_command(argv), context, argv, arena);
}

Reply execute(Database& database, ScriptEngine& scripts, const Context& context, Command argv,
              Arena& arena, EffectSink& effects) {
  SIM_ASSERT(!argv.empty());
  const CommandSpec* spec = find_command(argv);
  if (std::optional<Reply> refused = refusal_of(spec, context, argv, arena)) return *refused;
  // What belongs to the connection does not exist for those who have none.
  if (spec->handler == nullptr) return unknown_command(argv, arena);
  Call call(database, scripts, context, argv, *spec, arena, effects);
  return spec->handler(call);
}

Reply apply(Database& database, ScriptEngine& scripts, const Context& context, Command argv,
            Arena& arena, EffectSink& effects) {
  Context stream = context;
  stream.role = Role::replica;
  stream.caller = Caller::primary_link;
  return execute(database, scripts, stream, argv, arena, effects);
}

std::optional<UnixMs> next_expiry(const Database& database, LocalInstant now) {
  return database.keys.next_expiry(unix_milliseconds(now));
}

std::size_t expire_due(Database& database, const Context& context, Arena& arena,
                       EffectSink& effects) {
  if (context.role == Role::replica || context.deletion_paused) return 0;
  std::size_t deleted = 0;
  for (Entry* entry = database.keys.first_deadline();
       entry != nullptr && is_expired(*entry, context.now);
       entry = database.keys.first_deadline()) {
    expire(database.keys, *entry, arena, effects);
    ++deleted;
  }
  return deleted;
}

}  // namespace locklab::redis
