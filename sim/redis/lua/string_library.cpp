// string.find, match, gmatch, gsub and rep for hostile scripts: every step is paid for.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "sim/redis/lua/host.h"
#include "sim/redis/lua/pattern.h"

namespace locklab::redis::lua {
namespace {

// A comparison of the matcher is some ten times cheaper than an instruction of Lua.
constexpr std::int64_t kStepsPerInstruction = 10;

std::string_view check_text(lua_State* state, int index) {
  std::size_t size = 0;
  const char* text = luaL_checklstring(state, index, &size);
  return {text, size};
}

std::int64_t steps_allowed(lua_State* state) {
  const std::int64_t left = std::max<std::int64_t>(host_of(state).run.instructions_left, 0);
  return left * kStepsPerInstruction + kStepsPerInstruction;
}

/// Runs `body` on the matcher, pays for its steps, turns its errors into errors of Lua. Nothing of
/// Lua is called inside, so that no exception of Lua passes here.
template <class Body>
auto matching(lua_State* state, PatternMatcher& matcher, Body body) {
  const std::int64_t before = matcher.steps_left();
  decltype(body()) result{};
  char message[64] = {};
  try {
    result = body();
  } catch (const PatternError& error) {
    std::strncpy(message, error.what(), sizeof message - 1);
  }
  charge(state, 1 + (before - matcher.steps_left()) / kStepsPerInstruction);
  if (message[0] != '\0') luaL_error(state, "%s", message);
  return result;
}

/// Pushes capture `index`, or the whole match for index 0 of a pattern without captures.
void push_capture(lua_State* state, PatternMatcher& matcher, std::string_view text,
                  std::size_t index, std::size_t begin, std::size_t end) {
  if (index >= matcher.capture_count()) {
    if (index != 0) luaL_error(state, "invalid capture index");
    push(state, text.substr(begin, end - begin));
    return;
  }
  const Capture capture = matching(state, matcher, [&] { return matcher.capture(index); });
  if (capture.length == Capture::kPosition) {
    lua_pushinteger(state, static_cast<lua_Integer>(capture.begin) + 1);
  } else {
    push(state, text.substr(capture.begin, static_cast<std::size_t>(capture.length)));
  }
}

/// All captures, or the whole match if there are none and `whole` is wanted. Returns how many.
int push_captures(lua_State* state, PatternMatcher& matcher, std::string_view text,
                  std::size_t begin, std::size_t end, bool whole) {
  const std::size_t count = matcher.capture_count() == 0 && whole ? 1 : matcher.capture_count();
  luaL_checkstack(state, static_cast<int>(count), "too many captures");
  for (std::size_t i = 0; i < count; ++i)
    push_capture(state, matcher, text, i, begin, end);
  return static_cast<int>(count);
}

struct Found {
  std::size_t begin = 0;
  std::size_t end = PatternMatcher::kNoMatch;
};

/// The first match at or behind `begin`.
Found search(PatternMatcher& matcher, std::string_view text, std::size_t begin, bool anchored) {
  for (std::size_t s = begin; s <= text.size(); ++s) {
    const std::size_t end = matcher.match_at(s);
    if (end != PatternMatcher::kNoMatch) return {s, end};
    if (anchored) break;
  }
  return {};
}

/// The zero-based start that argument `index` means; negative counts from the end.
std::size_t start_of(lua_State* state, int index, std::size_t size) {
  const auto length = static_cast<lua_Integer>(size);
  lua_Integer init = luaL_optinteger(state, index, 1);
  if (init < 0) init = std::max<lua_Integer>(init + length + 1, 1);
  return static_cast<std::size_t>(std::min(std::max<lua_Integer>(init - 1, 0), length));
}

bool is_plain(std::string_view pattern) {
  return pattern.find_first_of("^$*+?.([%-") == std::string_view::npos;
}

int find_plain(lua_State* state, std::string_view text, std::string_view wanted,
               std::size_t begin) {
  charge(state, static_cast<std::int64_t>((text.size() - begin) / 16));
  // memmem takes linear time whatever the texts are; string_view::find does not.
  const void* place = wanted.empty() ? text.data() + begin
                                     : memmem(text.data() + begin, text.size() - begin,
                                              wanted.data(), wanted.size());
  if (place == nullptr) {
    lua_pushnil(state);
    return 1;
  }
  const auto offset = static_cast<const char*>(place) - text.data();
  lua_pushinteger(state, static_cast<lua_Integer>(offset) + 1);
  lua_pushinteger(state,
                  static_cast<lua_Integer>(offset) + static_cast<lua_Integer>(wanted.size()));
  return 2;
}

int find_or_match(lua_State* state, bool finds) {
  const std::string_view text = check_text(state, 1);
  std::string_view pattern = check_text(state, 2);
  const std::size_t begin = start_of(state, 3, text.size());
  if (finds && (lua_toboolean(state, 4) != 0 || is_plain(pattern))) {
    return find_plain(state, text, pattern, begin);
  }
  const bool anchored = !pattern.empty() && pattern[0] == '^';
  if (anchored) pattern.remove_prefix(1);
  PatternMatcher matcher(text, pattern, steps_allowed(state));
  const Found found =
      matching(state, matcher, [&] { return search(matcher, text, begin, anchored); });
  if (found.end == PatternMatcher::kNoMatch) {
    lua_pushnil(state);
    return 1;
  }
  if (!finds) return push_captures(state, matcher, text, found.begin, found.end, true);
  lua_pushinteger(state, static_cast<lua_Integer>(found.begin) + 1);
  lua_pushinteger(state, static_cast<lua_Integer>(found.end));
  return 2 + push_captures(state, matcher, text, found.begin, found.end, false);
}

int find(lua_State* state) {
  return find_or_match(state, true);
}
int match(lua_State* state) {
  return find_or_match(state, false);
}

/// Upvalues: text, pattern, where to go on. '^' has no special meaning here.
int gmatch_next(lua_State* state) {
  const std::string_view text = to_view(state, lua_upvalueindex(1));
  const std::string_view pattern = to_view(state, lua_upvalueindex(2));
  const auto begin = static_cast<std::size_t>(lua_tointeger(state, lua_upvalueindex(3)));
  PatternMatcher matcher(text, pattern, steps_allowed(state));
  const Found found = matching(state, matcher, [&] { return search(matcher, text, begin, false); });
  if (found.end == PatternMatcher::kNoMatch) return 0;
  const std::size_t next = found.end == found.begin ? found.end + 1 : found.end;
  lua_pushinteger(state, static_cast<lua_Integer>(next));
  lua_replace(state, lua_upvalueindex(3));
  return push_captures(state, matcher, text, found.begin, found.end, true);
}

int gmatch(lua_State* state) {
  check_text(state, 1);
  check_text(state, 2);
  lua_settop(state, 2);
  lua_pushinteger(state, 0);
  lua_pushcclosure(state, gmatch_next, 3);
  return 1;
}

/// Adds the replacement text at index 3 with its %0 … %9 filled in.
void add_text(lua_State* state, luaL_Buffer& buffer, PatternMatcher& matcher, std::string_view text,
              const Found& found) {
  const std::string_view form = to_view(state, 3);
  for (std::size_t i = 0; i < form.size(); ++i) {
    const char c = form[i];
    const char next = i + 1 < form.size() ? form[i + 1] : '\0';
    if (c != '%') {
      luaL_addchar(&buffer, c);
      continue;
    }
    ++i;
    if (next < '0' || next > '9') {
      luaL_addchar(&buffer, next);
    } else if (next == '0') {
      luaL_addlstring(&buffer, text.data() + found.begin, found.end - found.begin);
    } else {
      push_capture(state, matcher, text, static_cast<std::size_t>(next - '1'), found.begin,
                   found.end);
      luaL_addvalue(&buffer);
    }
  }
}

/// Adds what replaces one match: by text, table or function.
void add_replacement(lua_State* state, luaL_Buffer& buffer, PatternMatcher& matcher,
                     std::string_view text, const Found& found) {
  const int type = lua_type(state, 3);
  if (type == LUA_TNUMBER || type == LUA_TSTRING) {
    add_text(state, buffer, matcher, text, found);
    return;
  }
  if (type == LUA_TFUNCTION) {
    lua_pushvalue(state, 3);
    const int count = push_captures(state, matcher, text, found.begin, found.end, true);
    lua_call(state, count, 1);
  } else {
    push_capture(state, matcher, text, 0, found.begin, found.end);
    lua_gettable(state, 3);
  }
  if (lua_toboolean(state, -1) == 0) {
    lua_pop(state, 1);
    push(state, text.substr(found.begin, found.end - found.begin));
  } else if (lua_isstring(state, -1) == 0) {
    luaL_error(state, "invalid replacement value (a %s)", luaL_typename(state, -1));
  }
  luaL_addvalue(&buffer);
}

int gsub(lua_State* state) {
  const std::string_view text = check_text(state, 1);
  std::string_view pattern = check_text(state, 2);
  const int type = lua_type(state, 3);
  luaL_argcheck(
      state,
      type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TFUNCTION || type == LUA_TTABLE, 3,
      "string/function/table expected");
  const lua_Integer replacements_max =
      luaL_optinteger(state, 4, static_cast<lua_Integer>(text.size()) + 1);
  const bool anchored = !pattern.empty() && pattern[0] == '^';
  if (anchored) pattern.remove_prefix(1);
  luaL_Buffer buffer;
  luaL_buffinit(state, &buffer);
  lua_Integer replaced = 0;
  std::size_t s = 0;
  while (replaced < replacements_max) {
    PatternMatcher matcher(text, pattern, steps_allowed(state));
    const std::size_t end = matching(state, matcher, [&] { return matcher.match_at(s); });
    if (end != PatternMatcher::kNoMatch) {
      ++replaced;
      add_replacement(state, buffer, matcher, text, {s, end});
    }
    if (end != PatternMatcher::kNoMatch && end > s) {
      s = end;
    } else if (s < text.size()) {
      luaL_addchar(&buffer, text[s]);
      ++s;
    } else {
      break;
    }
    if (anchored) break;
  }
  if (s < text.size()) luaL_addlstring(&buffer, text.data() + s, text.size() - s);
  luaL_pushresult(&buffer);
  lua_pushinteger(state, replaced);
  return 2;
}

/// The size is known in advance: what cannot fit is refused before the copying starts.
int rep(lua_State* state) {
  const std::string_view text = check_text(state, 1);
  const lua_Integer count = std::max<lua_Integer>(luaL_checkinteger(state, 2), 0);
  const std::size_t room = host_of(state).options.memory_max;
  if (text.empty() || count == 0) {
    lua_pushliteral(state, "");
    return 1;
  }
  if (static_cast<std::size_t>(count) > room / text.size()) {
    host_of(state).run.exhausted = true;
    return luaL_error(state, "not enough memory");
  }
  luaL_Buffer buffer;
  luaL_buffinit(state, &buffer);
  for (lua_Integer i = 0; i < count; ++i)
    luaL_addlstring(&buffer, text.data(), text.size());
  luaL_pushresult(&buffer);
  return 1;
}

}  // namespace

void bound_string_library(lua_State* state, int library) {
  static constexpr luaL_Reg kFunctions[] = {{"find", find},    {"match", match}, {"gmatch", gmatch},
                                            {"gfind", gmatch}, {"gsub", gsub},   {"rep", rep}};
  for (const luaL_Reg& function : kFunctions) {
    lua_pushcfunction(state, function.func);
    lua_setfield(state, library, function.name);
  }
}

}  // namespace locklab::redis::lua
