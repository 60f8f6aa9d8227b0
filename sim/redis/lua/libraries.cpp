// The table, coroutine and math libraries where a hostile or a random script needs bounds.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "sim/contract.h"
#include "sim/redis/lua/host.h"

namespace locklab::redis::lua {
namespace {

// --- table -------------------------------------------------------------------------------------

/// Calls the function in upvalue 1 in this very frame, so that its error texts stay what they are.
int bounded(lua_State* state) {
  charge_scan(state);
  refuse_proxy(state, 1);
  return lua_tocfunction(state, lua_upvalueindex(1))(state);
}

/// a < b by the comparison function at index 2 if there is one; indices are relative to the top.
bool less(lua_State* state, int a, int b) {
  charge(state, 1);
  if (lua_isnil(state, 2)) return lua_lessthan(state, a, b) != 0;
  lua_pushvalue(state, 2);
  lua_pushvalue(state, a - 1);
  lua_pushvalue(state, b - 2);
  lua_call(state, 2, 1);
  const bool result = lua_toboolean(state, -1) != 0;
  lua_pop(state, 1);
  return result;
}

/// Pops two values into t[i] (the upper one) and t[j].
void store_pair(lua_State* state, int i, int j) {
  lua_rawseti(state, 1, i);
  lua_rawseti(state, 1, j);
}

/// Swaps t[i] and t[j], i < j, if t[j] < t[i].
void order_pair(lua_State* state, int i, int j) {
  lua_rawgeti(state, 1, i);
  lua_rawgeti(state, 1, j);
  if (less(state, -1, -2)) {
    store_pair(state, i, j);
  } else {
    lua_pop(state, 2);
  }
}

/// Partitions t[low … high] around t[high - 1], whose value is also at the top of the stack.
/// Returns the pivot's final place. The order of comparisons is that of Lua 5.1, as a script can
/// see it.
int partition(lua_State* state, int low, int high) {
  int i = low;
  int j = high - 1;
  while (true) {
    while (lua_rawgeti(state, 1, ++i), less(state, -1, -2)) {
      if (i > high) luaL_error(state, "invalid order function for sorting");
      lua_pop(state, 1);
    }
    while (lua_rawgeti(state, 1, --j), less(state, -3, -1)) {
      if (j < low) luaL_error(state, "invalid order function for sorting");
      lua_pop(state, 1);
    }
    if (j < i) break;
    store_pair(state, i, j);
  }
  lua_pop(state, 3);
  lua_rawgeti(state, 1, high - 1);
  lua_rawgeti(state, 1, i);
  store_pair(state, high - 1, i);
  return i;
}

/// Quicksort with the median of three, the smaller part by recursion: depth is logarithmic.
void sort_range(lua_State* state, int low, int high) {
  luaL_checkstack(state, 8, "sort");
  while (low < high) {
    order_pair(state, low, high);
    if (high - low == 1) return;
    const int middle = low + (high - low) / 2;
    lua_rawgeti(state, 1, middle);
    lua_rawgeti(state, 1, low);
    if (less(state, -2, -1)) {
      store_pair(state, middle, low);
    } else {
      lua_pop(state, 2);
      order_pair(state, middle, high);
    }
    if (high - low == 2) return;
    lua_rawgeti(state, 1, middle);
    lua_pushvalue(state, -1);
    lua_rawgeti(state, 1, high - 1);
    store_pair(state, middle, high - 1);
    const int place = partition(state, low, high);
    if (place - low < high - place) {
      sort_range(state, low, place - 1);
      low = place + 1;
    } else {
      sort_range(state, place + 1, high);
      high = place - 1;
    }
  }
}

int sort(lua_State* state) {
  luaL_checktype(state, 1, LUA_TTABLE);
  refuse_proxy(state, 1);
  if (!lua_isnoneornil(state, 2)) luaL_checktype(state, 2, LUA_TFUNCTION);
  lua_settop(state, 2);
  sort_range(state, 1, static_cast<int>(lua_objlen(state, 1)));
  return 0;
}

/// foreach walks in the order of next: the same rule for keys applies.
int foreach (lua_State* state) {
  luaL_checktype(state, 1, LUA_TTABLE);
  luaL_checktype(state, 2, LUA_TFUNCTION);
  lua_settop(state, 2);
  lua_pushnil(state);
  while (true) {
    lua_pushvalue(state, lua_upvalueindex(1));
    lua_pushvalue(state, 1);
    lua_pushvalue(state, 3);
    lua_call(state, 2, 2);
    if (lua_isnil(state, -2)) return 0;
    lua_pushvalue(state, -2);
    lua_replace(state, 3);
    lua_pushvalue(state, 2);
    lua_insert(state, -3);
    lua_call(state, 2, 1);
    if (!lua_isnil(state, -1)) return 1;
    lua_settop(state, 3);
  }
}

// --- coroutine ---------------------------------------------------------------------------------

// Each nested resume is a nested interpreter on the C stack, which Lua 5.1 does not count.
constexpr int kCoroutineDepthMax = 100;

/// One more coroutine is running while this lives. Unwinding by an error of Lua ends it too.
class Depth {
 public:
  explicit Depth(lua_State* state) : run_(host_of(state).run) {
    if (run_.coroutine_depth >= kCoroutineDepthMax) luaL_error(state, "C stack overflow");
    ++run_.coroutine_depth;
  }
  ~Depth() { --run_.coroutine_depth; }
  Depth(const Depth&) = delete;
  Depth& operator=(const Depth&) = delete;

 private:
  Run& run_;
};

int resume(lua_State* state) {
  const Depth depth(state);
  return lua_tocfunction(state, lua_upvalueindex(1))(state);
}

/// Upvalues: coroutine.resume, the coroutine. Errors pass on, with a position if they are texts.
int wrapped(lua_State* state) {
  lua_pushvalue(state, lua_upvalueindex(1));
  lua_insert(state, 1);
  lua_pushvalue(state, lua_upvalueindex(2));
  lua_insert(state, 2);
  lua_call(state, lua_gettop(state) - 1, LUA_MULTRET);
  if (lua_toboolean(state, 1) != 0) return lua_gettop(state) - 1;
  if (lua_isstring(state, 2) != 0) {
    luaL_where(state, 1);
    lua_insert(state, 2);
    lua_concat(state, 2);
  }
  return lua_error(state);
}

/// Upvalues: coroutine.create, coroutine.resume.
int wrap(lua_State* state) {
  luaL_argcheck(state, lua_isfunction(state, 1) && lua_iscfunction(state, 1) == 0, 1,
                "Lua function expected");
  lua_settop(state, 1);
  lua_pushvalue(state, lua_upvalueindex(1));
  lua_insert(state, 1);
  lua_call(state, 1, 1);
  lua_pushvalue(state, lua_upvalueindex(2));
  lua_insert(state, 1);
  lua_pushcclosure(state, wrapped, 2);
  return 1;
}

// --- math --------------------------------------------------------------------------------------

/// redis/src/script_lua.c redis_math_random: the 31 bits modulo 2^31 - 1, as a fraction.
int random(lua_State* state) {
  constexpr std::uint32_t kRange = 0x7FFFFFFF;
  const lua_Number fraction =
      static_cast<lua_Number>(host_of(state).run.call->random().next() % kRange) / kRange;
  const auto pick = [&](int low, int high) {
    const lua_Number width = static_cast<lua_Number>(high) - low + 1;
    lua_pushnumber(state, std::floor(fraction * width) + low);
    return 1;
  };
  switch (lua_gettop(state)) {
    case 0:
      lua_pushnumber(state, fraction);
      return 1;
    case 1: {
      const int high = luaL_checkint(state, 1);
      luaL_argcheck(state, 1 <= high, 1, "interval is empty");
      return pick(1, high);
    }
    case 2: {
      const int low = luaL_checkint(state, 1);
      const int high = luaL_checkint(state, 2);
      luaL_argcheck(state, low <= high, 2, "interval is empty");
      return pick(low, high);
    }
    default:
      return luaL_error(state, "wrong number of arguments");
  }
}

int randomseed(lua_State* state) {
  host_of(state).run.call->random().seed(static_cast<std::uint32_t>(luaL_checkint(state, 1)));
  return 0;
}

void set_function(lua_State* state, int library, const char* name, lua_CFunction function) {
  lua_pushcfunction(state, function);
  lua_setfield(state, library, name);
}

}  // namespace

void bound_table_library(lua_State* state, int library) {
  for (const char* name : {"insert", "remove", "concat", "maxn", "foreachi"}) {
    lua_getfield(state, library, name);
    lua_pushcclosure(state, bounded, 1);
    lua_setfield(state, library, name);
  }
  set_function(state, library, "sort", sort);
  lua_getfield(state, kRealGlobals, "next");
  SIM_ASSERT(lua_isfunction(state, -1));
  lua_pushcclosure(state, foreach, 1);
  lua_setfield(state, library, "foreach");
}

void bound_coroutine_library(lua_State* state, int library) {
  lua_getfield(state, library, "resume");
  lua_pushcclosure(state, resume, 1);
  lua_setfield(state, library, "resume");
  lua_getfield(state, library, "create");
  lua_getfield(state, library, "resume");
  lua_pushcclosure(state, wrap, 2);
  lua_setfield(state, library, "wrap");
}

void bind_random(lua_State* state, int library) {
  set_function(state, library, "random", random);
  set_function(state, library, "randomseed", randomseed);
}

}  // namespace locklab::redis::lua
