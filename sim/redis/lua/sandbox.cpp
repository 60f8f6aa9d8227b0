// What a script finds: read-only globals and libraries, and base functions that cannot leak.
// SPDX-License-Identifier: Apache-2.0
//
// Redis marks tables read-only inside its own copy of Lua. Here each library is hidden behind an
// empty proxy whose metatable reads through and refuses writes; every function that bypasses
// metatables (rawset, next, table.insert, …) is told about proxies.
#include <array>
#include <cstring>

#include "sim/contract.h"
#include "sim/redis/lua/host.h"

namespace locklab::redis::lua {
namespace {

constexpr const char* kReadOnly = "Attempt to modify a readonly table";
// Keys of the registry: proxies to what they hide, and values to the ordinals of this run.
constexpr const char* kProxies = "locklab.proxies";
constexpr const char* kOrdinals = "locklab.ordinals";

int refuse_write(lua_State* state) {
  return luaL_error(state, "%s", kReadOnly);
}

int refuse_unknown_global(lua_State* state) {
  const char* name = lua_tostring(state, 2);
  return luaL_error(state, "Script attempted to access nonexistent global variable '%s'",
                    name == nullptr ? "?" : name);
}

// --- Iteration -----------------------------------------------------------------------------------

bool has_address_as_key(lua_State* state, int key) {
  switch (lua_type(state, key)) {
    case LUA_TTABLE:
    case LUA_TFUNCTION:
    case LUA_TUSERDATA:
    case LUA_TTHREAD:
      return true;
    default:
      return false;
  }
}

void refuse_address(lua_State* state, int key) {
  if (!has_address_as_key(state, key)) return;
  luaL_error(state, "pairs and next refuse a %s as key: its order is not deterministic",
             luaL_typename(state, key));
}

/// Looks at all keys before the first is handed out: a script may stop early.
void refuse_addresses(lua_State* state, int table) {
  lua_pushnil(state);
  while (lua_next(state, table) != 0) {
    charge(state, 1);
    refuse_address(state, -2);
    lua_pop(state, 1);
  }
}

int next(lua_State* state) {
  luaL_checktype(state, 1, LUA_TTABLE);
  lua_settop(state, 2);
  charge_scan(state);
  if (is_proxy(state, 1)) {
    push_behind(state, 1);
    lua_replace(state, 1);
  }
  if (host_of(state).options.simulated && lua_isnil(state, 2)) refuse_addresses(state, 1);
  if (lua_next(state, 1) == 0) {
    lua_pushnil(state);
    return 1;
  }
  if (host_of(state).options.simulated) refuse_address(state, -2);
  return 2;
}

int pairs(lua_State* state) {
  luaL_checktype(state, 1, LUA_TTABLE);
  lua_pushvalue(state, lua_upvalueindex(1));
  lua_pushvalue(state, 1);
  lua_pushnil(state);
  return 3;
}

// --- Raw access and metatables -------------------------------------------------------------------

int rawget(lua_State* state) {
  luaL_checktype(state, 1, LUA_TTABLE);
  luaL_checkany(state, 2);
  lua_settop(state, 2);
  if (is_proxy(state, 1)) {
    push_behind(state, 1);
    lua_replace(state, 1);
  }
  lua_rawget(state, 1);
  return 1;
}

/// Calls the function in upvalue 1 in this very frame, so that its error texts stay what they are.
int original(lua_State* state) {
  return lua_tocfunction(state, lua_upvalueindex(1))(state);
}

int refusing_proxy(lua_State* state) {
  refuse_proxy(state, 1);
  return original(state);
}

int scanning(lua_State* state) {
  charge_scan(state);
  return original(state);
}

/// Libraries have no visible metatable; that of the globals shows a read-only stand-in, upvalue 2,
/// and that of strings another, upvalue 3.
int getmetatable(lua_State* state) {
  if (lua_type(state, 1) == LUA_TSTRING) {
    lua_pushvalue(state, lua_upvalueindex(3));
    return 1;
  }
  if (!is_proxy(state, 1)) return original(state);
  lua_pushvalue(state, LUA_GLOBALSINDEX);
  if (lua_rawequal(state, 1, -1) != 0) {
    lua_pushvalue(state, lua_upvalueindex(2));
  } else {
    lua_pushnil(state);
  }
  return 1;
}

// --- Values that differ from run to run

/// The ordinal of the value at index 1 within this run, counted by first use.
lua_Integer ordinal(lua_State* state) {
  Run& run = host_of(state).run;
  if (run.ordinals == 0) {
    lua_newtable(state);
    lua_setfield(state, LUA_REGISTRYINDEX, kOrdinals);
  }
  lua_getfield(state, LUA_REGISTRYINDEX, kOrdinals);
  lua_pushvalue(state, 1);
  lua_rawget(state, -2);
  lua_Integer number = lua_tointeger(state, -1);
  lua_pop(state, 1);
  if (number == 0) {
    number = static_cast<lua_Integer>(++run.ordinals);
    lua_pushvalue(state, 1);
    lua_pushinteger(state, number);
    lua_rawset(state, -3);
  }
  lua_pop(state, 1);
  return number;
}

int tostring(lua_State* state) {
  luaL_checkany(state, 1);
  const bool named = luaL_getmetafield(state, 1, "__tostring") != 0;
  lua_settop(state, 1);
  if (named || !host_of(state).options.simulated || !has_address_as_key(state, 1)) {
    return original(state);
  }
  lua_pushfstring(state, "%s: 0x%d", luaL_typename(state, 1), static_cast<int>(ordinal(state)));
  return 1;
}

/// The collector is not the script's: "count" tells the heap's size, everything else does nothing.
int collectgarbage(lua_State* state) {
  static const char* const kOptions[] = {"stop", "restart",  "collect",    "count",
                                         "step", "setpause", "setstepmul", nullptr};
  const int option = luaL_checkoption(state, 1, "collect", kOptions);
  const bool counts = std::strcmp(kOptions[option], "count") == 0;
  const Host& host = host_of(state);
  const bool tells = counts && !host.options.simulated;
  lua_pushnumber(state, tells ? static_cast<lua_Number>(host.heap.in_use()) / 1024 : 0);
  return 1;
}

int gcinfo(lua_State* state) {
  const Host& host = host_of(state);
  lua_pushinteger(state,
                  host.options.simulated ? 0 : static_cast<lua_Integer>(host.heap.in_use() / 1024));
  return 1;
}

// --- Protected calls and loading -----------------------------------------------------------------

/// An error table with a text in `err` becomes that text (redis/src/script_lua.c luaRedisPcall).
int pcall(lua_State* state) {
  if (lua_gettop(state) == 0) lua_pushboolean(state, 1);  // Redis tries to call its own status.
  const int status = lua_pcall(state, lua_gettop(state) - 1, LUA_MULTRET, 0);
  SIM_ASSERT(status >= 0);  // A C++ exception from below would be lost here.
  lua_pushboolean(state, status == 0);
  lua_insert(state, 1);
  if (status != 0 && lua_istable(state, -1)) {
    lua_getfield(state, -1, "err");
    if (lua_isstring(state, -1) != 0) lua_replace(state, -2);
    lua_settop(state, 2);
  }
  return lua_gettop(state);
}

/// Compiles text only: a forged binary chunk crashes Lua 5.1. What begins like one is made to fail
/// in the parser by a space before it, with the message that Redis gives.
int load_text(lua_State* state, std::string_view body, const char* name) {
  if (!body.empty() && body[0] == LUA_SIGNATURE[0]) {
    lua_pushliteral(state, " ");
    push(state, body);
    lua_concat(state, 2);
    body = to_view(state, -1);
  }
  if (luaL_loadbuffer(state, body.data(), body.size(), name) == 0) return 1;
  lua_pushnil(state);
  lua_insert(state, -2);
  return 2;
}

int loadstring(lua_State* state) {
  std::size_t size = 0;
  const char* body = luaL_checklstring(state, 1, &size);
  charge(state, static_cast<std::int64_t>(size));
  return load_text(state, {body, size}, luaL_optstring(state, 2, body));
}

/// load(function): the pieces are gathered first.
int load(lua_State* state) {
  luaL_checktype(state, 1, LUA_TFUNCTION);
  const char* name = luaL_optstring(state, 2, "=(load)");
  lua_settop(state, 2);
  lua_pushliteral(state, "");
  while (true) {
    charge(state, 1);
    lua_pushvalue(state, 1);
    lua_call(state, 0, 1);
    if (lua_isnil(state, -1)) break;
    if (lua_isstring(state, -1) == 0) luaL_error(state, "reader function must return a string");
    if (lua_objlen(state, -1) == 0) break;
    lua_concat(state, 2);
  }
  lua_settop(state, 3);
  charge(state, static_cast<std::int64_t>(lua_objlen(state, 3)));
  return load_text(state, to_view(state, 3), name);
}

// --- Assembly ------------------------------------------------------------------------------------

void set_function(lua_State* state, int table, const char* name, lua_CFunction function) {
  lua_pushcfunction(state, function);
  lua_setfield(state, table, name);
}

/// Puts `function` before what the table holds under the name.
void wrap(lua_State* state, int table, const char* name, lua_CFunction function) {
  lua_getfield(state, table, name);
  lua_pushcclosure(state, function, 1);
  lua_setfield(state, table, name);
}

/// Copies what Redis 7.0 leaves of the base library from the table at `from` into the one at `to`.
void copy_base(lua_State* state, int from, int to) {
  static constexpr std::array kAllowed = {
      "_VERSION",     "assert",   "error",    "getmetatable", "ipairs", "rawequal", "select",
      "setmetatable", "tonumber", "tostring", "type",         "unpack", "xpcall"};
  for (const char* name : kAllowed) {
    lua_getfield(state, from, name);
    SIM_ASSERT(!lua_isnil(state, -1));
    lua_setfield(state, to, name);
  }
  set_function(state, to, "rawget", rawget);
  set_function(state, to, "pcall", pcall);
  set_function(state, to, "load", load);
  set_function(state, to, "loadstring", loadstring);
  set_function(state, to, "collectgarbage", collectgarbage);
  set_function(state, to, "gcinfo", gcinfo);
  set_function(state, to, "next", next);
  lua_getfield(state, to, "next");
  lua_pushcclosure(state, pairs, 1);
  lua_setfield(state, to, "pairs");
  lua_getfield(state, from, "rawset");
  lua_setfield(state, to, "rawset");
  wrap(state, to, "rawset", refusing_proxy);
  wrap(state, to, "setmetatable", refusing_proxy);
  wrap(state, to, "tostring", tostring);
  wrap(state, to, "unpack", scanning);
}

void add_library(lua_State* state, int from, int to, const char* name,
                 void (*adapt)(lua_State*, int)) {
  lua_getfield(state, from, name);
  adapt(state, lua_gettop(state));
  replace_by_proxy(state);
  lua_setfield(state, to, name);
}

/// Pushes a proxy for {__index = value}, with the value taken from the top of the stack.
void wrap_as_metatable(lua_State* state) {
  lua_createtable(state, 0, 1);
  lua_insert(state, -2);
  lua_setfield(state, -2, "__index");
  replace_by_proxy(state);
}

void bind_getmetatable(lua_State* state, int to) {
  lua_getfield(state, to, "getmetatable");
  lua_pushcfunction(state, refuse_unknown_global);
  wrap_as_metatable(state);
  lua_getfield(state, to, "string");
  wrap_as_metatable(state);
  lua_pushcclosure(state, getmetatable, 3);
  lua_setfield(state, to, "getmetatable");
}

void open_libraries(lua_State* state) {
  static constexpr lua_CFunction kOpeners[] = {luaopen_base, luaopen_table, luaopen_string,
                                               luaopen_math};
  for (lua_CFunction opener : kOpeners) {
    lua_pushcfunction(state, opener);
    lua_call(state, 0, 0);
  }
}

}  // namespace

bool is_proxy(lua_State* state, int index) {
  if (!lua_istable(state, index)) return false;
  lua_pushvalue(state, index);
  push_behind(state, -1);
  const bool found = !lua_isnil(state, -1);
  lua_pop(state, 2);
  return found;
}

void push_behind(lua_State* state, int index) {
  lua_pushvalue(state, index);
  lua_getfield(state, LUA_REGISTRYINDEX, kProxies);
  lua_insert(state, -2);
  lua_rawget(state, -2);
  lua_remove(state, -2);
}

void refuse_proxy(lua_State* state, int index) {
  if (is_proxy(state, index)) raise(state, kReadOnly);
}

void replace_by_proxy(lua_State* state) {
  const int hidden = lua_gettop(state);
  lua_newtable(state);
  lua_createtable(state, 0, 2);
  lua_pushvalue(state, hidden);
  lua_setfield(state, -2, "__index");
  set_function(state, lua_gettop(state), "__newindex", refuse_write);
  lua_setmetatable(state, -2);
  lua_getfield(state, LUA_REGISTRYINDEX, kProxies);
  lua_pushvalue(state, -2);
  lua_pushvalue(state, hidden);
  lua_rawset(state, -3);
  lua_pop(state, 1);
  lua_replace(state, hidden);
}

void build_sandbox(lua_State* state) {
  SIM_ASSERT(lua_gettop(state) == kRealGlobals - 1);
  lua_newtable(state);
  lua_setfield(state, LUA_REGISTRYINDEX, kProxies);
  open_libraries(state);
  lua_newtable(state);
  lua_pushvalue(state, LUA_GLOBALSINDEX);
  const int base = lua_gettop(state);
  copy_base(state, base, kRealGlobals);
  add_library(state, base, kRealGlobals, "string", bound_string_library);
  add_library(state, base, kRealGlobals, "table", bound_table_library);
  add_library(state, base, kRealGlobals, "math", bind_random);
  add_library(state, base, kRealGlobals, "coroutine", bound_coroutine_library);
  lua_pop(state, 1);
  push_redis_library(state);
  replace_by_proxy(state);
  lua_setfield(state, kRealGlobals, "redis");
  bind_getmetatable(state, kRealGlobals);

  lua_createtable(state, 0, 1);
  set_function(state, lua_gettop(state), "__index", refuse_unknown_global);
  lua_setmetatable(state, kRealGlobals);
  lua_pushvalue(state, kRealGlobals);
  replace_by_proxy(state);
  lua_pushvalue(state, -1);
  lua_setfield(state, kRealGlobals, "_G");
  lua_replace(state, LUA_GLOBALSINDEX);
  SIM_ASSERT(lua_gettop(state) == kFixedSlots);
}

}  // namespace locklab::redis::lua
