// What the C++ side keeps beside a Lua state: the run in progress, its limits and its identities.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <lua5.1/lua.hpp>
#include <string_view>

#include "sim/redis/call.h"
#include "sim/redis/lua/heap.h"
#include "sim/redis/script_engine.h"

namespace locklab::redis::lua {

// Fixed slots at the bottom of the main thread's stack: no lookup by name on the way to a script.
constexpr int kErrorHandler = 1;
constexpr int kKeysName = 2;
constexpr int kArgvName = 3;
constexpr int kRealGlobals = 4;
constexpr int kFixedSlots = 4;

/// One execution of one script.
struct Run {
  Call* call = nullptr;
  bool read_only = false;
  bool wrote = false;      // A write command was called: checks of the server's state are waived.
  bool resp3 = false;      // After redis.setresp(3).
  bool replicated = true;  // After redis.set_repl.
  bool exhausted = false;  // A limit was hit.
  int coroutine_depth = 0;
  std::int64_t instructions_left = 0;
  std::int64_t ordinals = 0;  // Handed out by tostring.
  std::size_t heap_at_start = 0;
  std::size_t charged_bytes = 0;  // Heap::total_allocated() up to the last charge.
  char error_source[LUA_IDSIZE] = {};
  int error_line = 0;  // 0: unknown.
};

struct Host {
  ScriptOptions options;
  Heap heap;
  Run run;
};

/// The host of the state, in any coroutine.
inline Host& host_of(lua_State* state) {
  void* data = nullptr;
  lua_getallocf(state, &data);
  return *static_cast<Host*>(data);
}

/// Takes `work` instructions from the run's budget. False, and the run is exhausted: it is spent.
bool spend(Run& run, std::int64_t work);
/// The same; raises an error in the script.
void charge(lua_State* state, std::int64_t work);
/// Charges for a library function that may walk over all that the script has built.
void charge_scan(lua_State* state);
/// Starts counting instructions in this thread; coroutines inherit it.
void install_counter(lua_State* state);

inline std::string_view to_view(lua_State* state, int index) {
  std::size_t size = 0;
  const char* text = lua_tolstring(state, index, &size);
  return {text, size};
}
inline void push(lua_State* state, std::string_view text) {
  lua_pushlstring(state, text.data() == nullptr ? "" : text.data(), text.size());
}

/// Raises `text` without a position before it, as C code of Redis does.
[[noreturn]] void raise(lua_State* state, std::string_view text);

// --- The sandbox, from several files -----------------------------------------------------------

/// Leaves the read-only proxy of the globals as the state's globals and fills the fixed slots.
void build_sandbox(lua_State* state);
/// Replaces entries of the string and table libraries, which lie at `library`, by bounded ones.
void bound_string_library(lua_State* state, int library);
void bound_table_library(lua_State* state, int library);
void bound_coroutine_library(lua_State* state, int library);
/// Pushes the table of the redis API.
void push_redis_library(lua_State* state);
/// Replaces the generator of the math library at `library` by the node's.
void bind_random(lua_State* state, int library);

/// Whether the value is one of the read-only stand-ins for libraries and globals.
bool is_proxy(lua_State* state, int index);
/// Pushes the table behind a proxy.
void push_behind(lua_State* state, int index);
/// Makes the table on the top of the stack the hidden one behind a new proxy, which replaces it.
void replace_by_proxy(lua_State* state);
/// Raises if `index` holds a proxy.
void refuse_proxy(lua_State* state, int index);

// --- Conversions (redis/src/script_lua.c) ------------------------------------------------------

/// Pushes a reply as a script sees it.
void push_reply(lua_State* state, const Reply& reply, bool resp3);
/// The value at the top of the stack as a reply; pops it.
Reply pop_reply(lua_State* state, Arena& arena, bool resp3);
/// A number as a command argument: %.17g, or for v72 whole numbers exactly and the shortest form.
std::string_view format_number(lua_Number number, Compat compat, Arena& arena);
/// An error text on one line: ends trimmed, other line breaks as spaces.
std::string_view one_line(std::string_view text, Arena& arena);

/// Runs a command for the script: checks of redis/src/script.c scriptCall, then its handler.
Reply call_command(Run& run, Command argv);

}  // namespace locklab::redis::lua
