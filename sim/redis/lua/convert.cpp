// Values of Lua and replies of Redis, into each other (redis/src/script_lua.c).
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <vector>

#include "sim/contract.h"
#include "sim/redis/lua/host.h"

namespace locklab::redis::lua {
namespace {

// A table in a table in a table …: Redis stops at the end of Lua's stack, a few thousand levels
// deep.
constexpr int kNestingMax = 1000;
// Sharing makes a small table a huge reply: each value that is copied costs this share of its
// bytes.
constexpr std::size_t kBytesPerInstruction = 16;

constexpr double kInt64End = 9223372036854775808.0;  // 2^63

void push_field(lua_State* state, const char* name, std::string_view text) {
  lua_createtable(state, 0, 1);
  push(state, text);
  lua_setfield(state, -2, name);
}

// --- Lua to Redis --------------------------------------------------------------------------------

/// Truncated toward zero; what int64 cannot hold becomes its minimum, as cvttsd2si does.
std::int64_t truncate(lua_Number number) {
  if (number >= -kInt64End && number < kInt64End) return static_cast<std::int64_t>(number);
  return std::numeric_limits<std::int64_t>::min();
}

/// Pushes t[name] of the table at the top, without metamethods.
void push_raw_field(lua_State* state, const char* name) {
  lua_pushstring(state, name);
  lua_rawget(state, -2);
}

/// The string t[name] of the table at the top, in the arena.
std::optional<std::string_view> string_field(lua_State* state, const char* name, Arena& arena) {
  push_raw_field(state, name);
  std::optional<std::string_view> text;
  if (lua_type(state, -1) == LUA_TSTRING) text = arena.copy(to_view(state, -1));
  lua_pop(state, 1);
  return text;
}

Reply table_reply(lua_State* state, Arena& arena, bool resp3);

Reply top_reply(lua_State* state, Arena& arena, bool resp3) {
  const std::size_t bytes = lua_type(state, -1) == LUA_TSTRING ? lua_objlen(state, -1) : 0;
  const auto work = static_cast<std::int64_t>(1 + bytes / kBytesPerInstruction);
  if (!spend(host_of(state).run, work)) return Reply::error("ERR reply is too large");
  switch (lua_type(state, -1)) {
    case LUA_TBOOLEAN: {
      const bool value = lua_toboolean(state, -1) != 0;
      return value ? Reply::integer(1) : resp3 ? Reply::integer(0) : Reply::nil();
    }
    case LUA_TNUMBER:
      return Reply::integer(truncate(lua_tonumber(state, -1)));
    case LUA_TSTRING:
      return Reply::bulk(arena.copy(to_view(state, -1)));
    case LUA_TTABLE:
      return table_reply(state, arena, resp3);
    default:
      return Reply::nil();
  }
}

Reply reply_of(const std::vector<Reply>& children, Arena& arena) {
  return Reply::array(arena.copy(std::span<const Reply>(children)));
}

/// Items 1, 2, … up to the first nil.
Reply array_reply(lua_State* state, Arena& arena, bool resp3) {
  std::vector<Reply> children;
  for (int i = 1;; ++i) {
    lua_rawgeti(state, -1, i);
    if (lua_isnil(state, -1) || host_of(state).run.exhausted) break;
    children.push_back(pop_reply(state, arena, resp3));
  }
  lua_pop(state, 1);
  return reply_of(children, arena);
}

/// A RESP3 map or set in its RESP2 form: a flat array. The table is at the top of the stack.
Reply flat_reply(lua_State* state, Arena& arena, bool resp3, bool with_values) {
  std::vector<Reply> children;
  lua_pushnil(state);
  while (!host_of(state).run.exhausted && lua_next(state, -2) != 0) {
    lua_pushvalue(state, -2);
    children.push_back(pop_reply(state, arena, resp3));
    if (with_values) {
      children.push_back(pop_reply(state, arena, resp3));
    } else {
      lua_pop(state, 1);
    }
  }
  return reply_of(children, arena);
}

/// map={…} and set={…}; the outer table is at the top of the stack.
std::optional<Reply> aggregate_reply(lua_State* state, Arena& arena, bool resp3) {
  for (const bool is_map : {true, false}) {
    push_raw_field(state, is_map ? "map" : "set");
    std::optional<Reply> reply;
    if (lua_istable(state, -1)) reply = flat_reply(state, arena, resp3, is_map);
    lua_pop(state, 1);
    if (reply) return reply;
  }
  return std::nullopt;
}

/// The scalar forms of a table: err, ok, double, big_number, verbatim_string.
std::optional<Reply> scalar_reply(lua_State* state, Arena& arena) {
  if (const auto text = string_field(state, "err", arena)) {
    return Reply::error(one_line(*text, arena));
  }
  if (const auto text = string_field(state, "ok", arena)) {
    const std::span<char> line = arena.make_array<char>(text->size());
    std::transform(text->begin(), text->end(), line.begin(),
                   [](char c) { return c == '\r' || c == '\n' ? ' ' : c; });
    return Reply::status({line.data(), line.size()});
  }
  push_raw_field(state, "double");
  const bool is_double = lua_type(state, -1) == LUA_TNUMBER;
  const lua_Number number = lua_tonumber(state, -1);
  lua_pop(state, 1);
  if (is_double) return Reply::bulk(format_number(number, Compat::v70, arena));
  if (const auto text = string_field(state, "big_number", arena)) return Reply::bulk(*text);
  push_raw_field(state, "verbatim_string");
  std::optional<std::string_view> verbatim;
  if (lua_istable(state, -1)) verbatim = string_field(state, "string", arena);
  lua_pop(state, 1);
  if (verbatim) return Reply::bulk(*verbatim);
  return std::nullopt;
}

Reply table_reply(lua_State* state, Arena& arena, bool resp3) {
  // A table that holds itself ends here.
  if (lua_gettop(state) > kNestingMax || lua_checkstack(state, 8) == 0)
    return Reply::error("ERR reached lua stack limit");
  if (const auto reply = scalar_reply(state, arena)) return *reply;
  if (const auto reply = aggregate_reply(state, arena, resp3)) return *reply;
  return array_reply(state, arena, resp3);
}

// --- Numbers -------------------------------------------------------------------------------------

/// The layout of redis/src/fpconv_dtoa.c: plain if short, else an exponent without padding.
std::string_view shortest(lua_Number number, Arena& arena) {
  char text[32];
  const auto result =
      std::to_chars(text, text + sizeof text, number, std::chars_format::scientific);
  std::string_view form(text, static_cast<std::size_t>(result.ptr - text));
  const std::string_view sign = form[0] == '-' ? "-" : "";
  form.remove_prefix(sign.size());
  const std::size_t mark = form.find('e');
  if (mark == std::string_view::npos) return arena.concat(sign, form);  // inf, nan
  int exponent = 0;
  const char* digits_of_exponent = form.data() + mark + (form[mark + 1] == '+' ? 2 : 1);
  std::from_chars(digits_of_exponent, form.data() + form.size(), exponent);
  const std::string_view lead = form.substr(0, 1);
  const std::string_view rest = mark > 2 ? form.substr(2, mark - 2) : std::string_view();
  const int digit_count = 1 + static_cast<int>(rest.size());
  const int scale = exponent - digit_count + 1;  // value = digits · 10^scale
  static constexpr std::string_view kZeros = "00000000000000000000000000000000";
  const auto zeros = [](int count) { return kZeros.substr(0, static_cast<std::size_t>(count)); };
  if (scale >= 0 && exponent < digit_count + 7) return arena.concat(sign, lead, rest, zeros(scale));
  if (scale < 0 && (scale > -7 || std::abs(exponent) < 4)) {
    const std::string_view digits = arena.concat(lead, rest);
    if (exponent < 0) return arena.concat(sign, "0.", zeros(-exponent - 1), digits);
    const auto whole = static_cast<std::size_t>(exponent) + 1;
    return arena.concat(sign, digits.substr(0, whole), ".", digits.substr(whole));
  }
  return arena.concat(sign, lead, rest.empty() ? "" : ".", rest, exponent < 0 ? "e-" : "e+",
                      format_integer(std::abs(exponent), arena));
}

}  // namespace

std::string_view format_number(lua_Number number, Compat compat, Arena& arena) {
  if (compat == Compat::v72) {
    const bool in_range = number >= -kInt64End && number < kInt64End;
    if (in_range && number == std::trunc(number)) {
      return format_integer(static_cast<std::int64_t>(number), arena);
    }
    return shortest(number, arena);
  }
  char text[32];
  const auto result =
      std::to_chars(text, text + sizeof text, number, std::chars_format::general, 17);
  SIM_ASSERT(result.ec == std::errc());
  return arena.copy(std::string_view(text, static_cast<std::size_t>(result.ptr - text)));
}

std::string_view one_line(std::string_view text, Arena& arena) {
  const auto is_break = [](char c) { return c == '\r' || c == '\n'; };
  while (!text.empty() && is_break(text.back()))
    text.remove_suffix(1);
  while (!text.empty() && is_break(text.front()))
    text.remove_prefix(1);
  if (std::none_of(text.begin(), text.end(), is_break)) return text;
  const std::span<char> line = arena.make_array<char>(text.size());
  std::transform(text.begin(), text.end(), line.begin(),
                 [&](char c) { return is_break(c) ? ' ' : c; });
  return {line.data(), line.size()};
}

Reply pop_reply(lua_State* state, Arena& arena, bool resp3) {
  const Reply reply = top_reply(state, arena, resp3);
  lua_pop(state, 1);
  return reply;
}

void push_reply(lua_State* state, const Reply& reply, bool resp3) {
  luaL_checkstack(state, 4, "reply is nested too deeply");
  switch (reply.kind()) {
    case ReplyKind::nil:
    case ReplyKind::null_array:
      if (resp3) {
        lua_pushnil(state);
      } else {
        lua_pushboolean(state, 0);
      }
      return;
    case ReplyKind::status:
      push_field(state, "ok", reply.text());
      return;
    case ReplyKind::error:
      push_field(state, "err", reply.text());
      return;
    case ReplyKind::integer:
      lua_pushnumber(state, static_cast<lua_Number>(reply.integer()));
      return;
    case ReplyKind::bulk:
      push(state, reply.text());
      return;
    case ReplyKind::array:
      break;
  }
  lua_createtable(state, static_cast<int>(reply.children().size()), 0);
  int position = 0;
  for (const Reply& child : reply.children()) {
    push_reply(state, child, resp3);
    lua_rawseti(state, -2, ++position);
  }
}

}  // namespace locklab::redis::lua
