// EVAL and SCRIPT: redis/src/eval.c.
// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "sim/redis/call.h"
#include "sim/redis/commands/families.h"
#include "sim/redis/script_engine.h"

namespace locklab::redis {
namespace {

constexpr std::size_t kShaDigits = 40;

/// KEYS and ARGV of an EVAL, or why they cannot be told apart.
struct ScriptArguments {
  Command keys;
  Command arguments;
  std::optional<Reply> error;
};

ScriptArguments split_arguments(Call& call) {
  ScriptArguments split;
  const std::optional<std::int64_t> count = parse_integer(call.argument(2));
  const Command rest = call.argv().subspan(3);
  if (!count) {
    split.error = errors::kNotInteger;
  } else if (*count > static_cast<std::int64_t>(rest.size())) {
    split.error = Reply::error("ERR Number of keys can't be greater than number of args");
  } else if (*count < 0) {
    split.error = Reply::error("ERR Number of keys can't be negative");
  } else {
    split.keys = rest.first(static_cast<std::size_t>(*count));
    split.arguments = rest.subspan(static_cast<std::size_t>(*count));
  }
  return split;
}

Reply compile_error(Call& call) {
  return call.error(call.arena().concat("ERR ", call.scripts().compile_error()));
}

Reply eval_generic(Call& call, bool read_only) {
  const ScriptArguments split = split_arguments(call);
  if (split.error) return *split.error;
  const std::optional<ScriptId> id = call.scripts().intern(call.argument(1));
  if (!id) return compile_error(call);
  call.script_cache().insert(*id);
  return call.scripts().run(call, *id, split.keys, split.arguments, read_only);
}

/// The script of this digest if this node has loaded it.
std::optional<ScriptId> find_loaded(Call& call, std::string_view sha) {
  const std::optional<ScriptId> id = call.scripts().find(sha);
  return id && call.script_cache().contains(*id) ? id : std::nullopt;
}

Reply evalsha_generic(Call& call, bool read_only) {
  if (call.argument(1).size() != kShaDigits) return errors::kNoScript;
  const ScriptArguments split = split_arguments(call);
  if (split.error) return *split.error;
  const std::optional<ScriptId> id = find_loaded(call, call.argument(1));
  if (!id) return errors::kNoScript;
  return call.scripts().run(call, *id, split.keys, split.arguments, read_only);
}

Reply eval(Call& call) {
  return eval_generic(call, false);
}
Reply eval_ro(Call& call) {
  return eval_generic(call, true);
}
Reply evalsha(Call& call) {
  return evalsha_generic(call, false);
}
Reply evalsha_ro(Call& call) {
  return evalsha_generic(call, true);
}

Reply script_load(Call& call) {
  const std::optional<ScriptId> id = call.scripts().intern(call.argument(2));
  if (!id) return compile_error(call);
  call.script_cache().insert(*id);
  return call.bulk(call.scripts().sha(*id));
}

Reply script_exists(Call& call) {
  const std::span<Reply> known = call.arena().make_array<Reply>(call.size() - 2);
  for (std::size_t i = 0; i < known.size(); ++i) {
    known[i] = Reply::boolean(find_loaded(call, call.argument(i + 2)).has_value());
  }
  return Reply::array(known);
}

Reply script_flush(Call& call) {
  const bool known =
      call.size() == 2 || (call.size() == 3 && (equals_ignoring_case(call.argument(2), "SYNC") ||
                                                equals_ignoring_case(call.argument(2), "ASYNC")));
  if (!known) return Reply::error("ERR SCRIPT FLUSH only support SYNC|ASYNC option");
  call.script_cache().clear();
  return Reply::ok();
}

/// A script runs to its end within its own command: there is never one to kill.
Reply script_kill(Call&) {
  return Reply::error("NOTBUSY No scripts in execution right now.");
}

constexpr std::uint32_t kRuns = kNoScript | kStale | kMayReplicate;
constexpr std::uint32_t kReads = kReadOnly | kNoScript | kStale;

constexpr std::array kRows = {
    CommandSpec{"eval", -3, kRuns, eval},
    CommandSpec{"evalsha", -3, kRuns, evalsha},
    CommandSpec{"eval_ro", -3, kReads, eval_ro},
    CommandSpec{"evalsha_ro", -3, kReads, evalsha_ro},
    CommandSpec{"script", -2, kContainer | kNoScript},
    CommandSpec{"script|load", 3, kNoScript | kStale, script_load},
    CommandSpec{"script|exists", -3, kNoScript, script_exists},
    CommandSpec{"script|flush", -2, kNoScript, script_flush},
    CommandSpec{"script|kill", 2, kNoScript | kAllowBusy, script_kill},
};

}  // namespace

std::span<const CommandSpec> script_commands() {
  return kRows;
}

}  // namespace locklab::redis
