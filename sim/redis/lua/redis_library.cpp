// The redis table of a script: call, pcall and their lesser kin (redis/src/script_lua.c).
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "sim/redis/lua/host.h"
#include "sim/redis/sha1.h"

namespace locklab::redis::lua {
namespace {

// Dispatch and lookup of a command, in instructions of Lua; and the bytes of its arguments and of
// what it leaves in the arena, which only the end of the call frees.
constexpr std::int64_t kCommandWork = 20;
constexpr std::size_t kBytesPerInstruction = 16;

void push_error_table(lua_State* state, std::string_view text) {
  lua_createtable(state, 0, 2);
  push(state, text);
  lua_setfield(state, -2, "err");
}

/// argv from the Lua stack: views of strings that the stack keeps alive. Empty: a wrong type.
Command read_arguments(lua_State* state, Run& run, int count) {
  Arena& arena = run.call->arena();
  const std::span<std::string_view> argv =
      arena.make_array<std::string_view>(static_cast<std::size_t>(count));
  for (int i = 1; i <= count; ++i) {
    std::string_view& argument = argv[static_cast<std::size_t>(i - 1)];
    if (lua_type(state, i) == LUA_TSTRING) {
      argument = to_view(state, i);
    } else if (lua_type(state, i) == LUA_TNUMBER) {
      argument = format_number(lua_tonumber(state, i), run.call->context().compat, arena);
    } else {
      return {};
    }
  }
  return argv;
}

/// What no command could be made of.
int malformed(lua_State* state, bool raises, const char* text) {
  push_error_table(state, text);
  return raises ? lua_error(state) : 1;
}

int call_generic(lua_State* state, bool raises) {
  Run& run = host_of(state).run;
  const int count = lua_gettop(state);
  if (count == 0) {
    return malformed(state, raises,
                     "ERR Please specify at least one argument for this redis lib call");
  }
  std::size_t bytes = 0;
  for (int i = 1; i <= count; ++i)
    bytes += lua_type(state, i) == LUA_TSTRING ? lua_objlen(state, i) : 0;
  const std::size_t used = run.call->arena().used();
  const Command argv = read_arguments(state, run, count);
  if (argv.empty()) {
    return malformed(state, raises,
                     "ERR Lua redis lib command arguments must be strings or integers");
  }
  const Reply reply = call_command(run, argv);
  bytes += run.call->arena().used() - used;
  charge(state, kCommandWork + static_cast<std::int64_t>(bytes / kBytesPerInstruction));
  if (!reply.is_error()) {
    push_reply(state, reply, run.resp3);
    return 1;
  }
  push_error_table(state, reply.text());
  lua_pushboolean(state, 1);
  lua_setfield(state, -2, "ignore_error_stats_update");
  return raises ? lua_error(state) : 1;
}

int call(lua_State* state) {
  return call_generic(state, true);
}
int pcall(lua_State* state) {
  return call_generic(state, false);
}

/// Raises {err = "ERR …"}: no position in the text, but one in the suffix.
int fail(lua_State* state, const char* text) {
  push_error_table(state, text);
  return lua_error(state);
}

int sha1hex(lua_State* state) {
  if (lua_gettop(state) != 1) return fail(state, "ERR wrong number of arguments");
  const std::string_view text = to_view(state, 1);  // Empty for what is neither string nor number.
  charge(state, static_cast<std::int64_t>(text.size()));
  const Sha1Hex hex = to_hex(sha1(text));
  lua_pushlstring(state, hex.data(), hex.size());
  return 1;
}

bool is_one_string(lua_State* state) {
  if (lua_gettop(state) == 1 && lua_type(state, 1) == LUA_TSTRING) return true;
  push_error_table(state, "ERR wrong number or type of arguments");
  return false;
}

/// A text without a code gets "ERR"; a leading '-' is dropped.
int error_reply(lua_State* state) {
  if (!is_one_string(state)) return 1;
  std::string_view text = to_view(state, 1);
  if (!text.empty() && text[0] == '-') text.remove_prefix(1);
  const bool has_code = text.find(' ') != std::string_view::npos;
  lua_createtable(state, 0, 1);
  lua_pushstring(state, has_code ? "" : "ERR ");
  push(state, text);
  lua_concat(state, 2);
  lua_setfield(state, -2, "err");
  return 1;
}

int status_reply(lua_State* state) {
  if (!is_one_string(state)) return 1;
  lua_createtable(state, 0, 1);
  lua_pushvalue(state, 1);
  lua_setfield(state, -2, "ok");
  return 1;
}

/// Arguments are checked; there is no log to write to.
int log(lua_State* state) {
  if (lua_gettop(state) < 2) return fail(state, "ERR redis.log() requires two arguments or more.");
  if (lua_isnumber(state, 1) == 0) {
    return fail(state, "ERR First argument must be a number (log level).");
  }
  const lua_Number level = lua_tonumber(state, 1);
  if (!(level >= 0 && level <= 3)) return fail(state, "ERR Invalid debug level.");
  return 0;
}

int setresp(lua_State* state) {
  if (lua_gettop(state) != 1) return fail(state, "ERR redis.setresp() requires one argument.");
  const lua_Number version = lua_tonumber(state, 1);
  if (version != 2 && version != 3) return fail(state, "ERR RESP version must be 2 or 3.");
  host_of(state).run.resp3 = version == 3;
  return 0;
}

// redis/src/server.h PROPAGATE_*: one bit for the append-only file, one for replicas.
constexpr lua_Integer kReplicateAof = 1;
constexpr lua_Integer kReplicateReplica = 2;

int set_repl(lua_State* state) {
  if (lua_gettop(state) != 1) return fail(state, "ERR redis.set_repl() requires two arguments.");
  const lua_Integer flags = lua_tointeger(state, 1);
  if ((flags & ~(kReplicateAof | kReplicateReplica)) != 0) {
    return fail(
        state, "ERR Invalid replication flags. Use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE.");
  }
  host_of(state).run.replicated = (flags & kReplicateReplica) != 0;
  return 0;
}

int replicate_commands(lua_State* state) {
  lua_pushboolean(state, 1);
  return 1;
}

/// There is no debugger.
int breakpoint(lua_State* state) {
  lua_pushboolean(state, 0);
  return 1;
}

int debug(lua_State*) {
  return 0;
}

/// There are no access lists: every command that exists may be called.
int acl_check_cmd(lua_State* state) {
  if (lua_gettop(state) == 0) {
    return fail(state,
                "ERR Please specify at least one argument for this redis.acl_check_cmd() call");
  }
  const Command argv = read_arguments(state, host_of(state).run, lua_gettop(state));
  if (argv.empty()) {
    return fail(state, "ERR redis.acl_check_cmd() command arguments must be strings or integers");
  }
  if (find_command(argv) == nullptr) {
    return fail(state, "ERR Invalid command passed to redis.acl_check_cmd()");
  }
  lua_pushboolean(state, 1);
  return 1;
}

void set_integer(lua_State* state, const char* name, lua_Integer value) {
  lua_pushinteger(state, value);
  lua_setfield(state, -2, name);
}

}  // namespace

void push_redis_library(lua_State* state) {
  static constexpr luaL_Reg kFunctions[] = {{"call", call},
                                            {"pcall", pcall},
                                            {"sha1hex", sha1hex},
                                            {"error_reply", error_reply},
                                            {"status_reply", status_reply},
                                            {"log", log},
                                            {"setresp", setresp},
                                            {"set_repl", set_repl},
                                            {"replicate_commands", replicate_commands},
                                            {"breakpoint", breakpoint},
                                            {"debug", debug},
                                            {"acl_check_cmd", acl_check_cmd}};
  lua_newtable(state);
  for (const luaL_Reg& function : kFunctions) {
    lua_pushcfunction(state, function.func);
    lua_setfield(state, -2, function.name);
  }
  static constexpr const char* kLevels[] = {"LOG_DEBUG", "LOG_VERBOSE", "LOG_NOTICE",
                                            "LOG_WARNING"};
  for (int level = 0; level < 4; ++level)
    set_integer(state, kLevels[level], level);
  set_integer(state, "REPL_NONE", 0);
  set_integer(state, "REPL_AOF", kReplicateAof);
  set_integer(state, "REPL_SLAVE", kReplicateReplica);
  set_integer(state, "REPL_REPLICA", kReplicateReplica);
  set_integer(state, "REPL_ALL", kReplicateAof | kReplicateReplica);
  set_integer(state, "REDIS_VERSION_NUM", 0x0007000F);
  lua_pushliteral(state, "7.0.15");
  lua_setfield(state, -2, "REDIS_VERSION");
}

}  // namespace locklab::redis::lua
