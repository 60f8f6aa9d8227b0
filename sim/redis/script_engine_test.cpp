// Scripts: isolation between runs and nodes, determinism, bounds, effects and the native twins.
// SPDX-License-Identifier: Apache-2.0
#include "sim/redis/script_engine.h"

#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/redis/native_scripts.h"
#include "sim/redis/shell.h"

namespace locklab::redis {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

std::string eval(Shell& shell, const std::string& body, std::vector<std::string> keys = {},
                 std::vector<std::string> arguments = {}) {
  std::vector<std::string> argv = {"EVAL", body, std::to_string(keys.size())};
  argv.insert(argv.end(), keys.begin(), keys.end());
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return shell.run(argv);
}

// --- Nothing outlives a run ------------------------------------------------------------------

TEST(Isolation, NoWayToWriteAGlobalOrALibrary) {
  Shell shell;
  for (const char* body : {"leak = 1",
                           "_G.leak = 1",
                           "rawset(_G, 'leak', 1)",
                           "string.leak = 1",
                           "redis.leak = 1",
                           "rawset(string, 'leak', 1)",
                           "table.insert(table, 1)",
                           "setmetatable(_G, {})",
                           "setmetatable(string, {})",
                           "getmetatable('').leak = 1",
                           "getmetatable('').__index = {leak = 1}",
                           "getmetatable(_G).__index = {leak = 1}",
                           "rawset(getmetatable(_G), 'leak', 1)",
                           "rawset(getmetatable(''), 'leak', 1)",
                           "math.leak = 1",
                           "coroutine.leak = 1",
                           "table.sort(table)",
                           "for k, v in pairs(_G) do if k == 'string' then v.leak = 1 end end",
                           "local f, t = pairs(_G) t.leak = 1",
                           "string.format = nil",
                           "KEYS = 1",
                           "select(2, next(_G)).leak = 1"}) {
    EXPECT_THAT(eval(shell, body), HasSubstr("")) << body;
    EXPECT_EQ(eval(shell,
                   "return {rawget(_G, 'leak'), rawget(string, 'leak'), rawget(redis, "
                   "'leak'), rawget(table, 'leak'), rawget(math, 'leak'), (#table), "
                   "type(string.format), ('x'):upper()}"),
              "(empty array)")
        << body;
    EXPECT_EQ(eval(shell, "return {type(string.format), ('x'):upper(), #table, #KEYS}"),
              R"([1) "function", 2) "X", 3) (integer) 0, 4) (integer) 0])")
        << body;
  }
}

TEST(Isolation, KeysAndArgvAreFreshEachTime) {
  Shell shell;
  EXPECT_EQ(eval(shell, "KEYS[2] = 'x' ARGV.y = 1 return KEYS", {"k"}), R"([1) "k", 2) "x"])");
  EXPECT_EQ(eval(shell, "return {#KEYS, #ARGV, tostring(ARGV.y)}", {"k"}),
            R"([1) (integer) 1, 2) (integer) 0, 3) "nil"])");
}

TEST(Isolation, NodesShareCompiledScriptsButNotKnowledgeOfThem) {
  ScriptEngine scripts;
  Database first;
  Database second;
  Arena arena;
  EffectSink effects;
  const Context context{.now = kWallEpoch, .replication = nullptr};
  const std::vector<std::string_view> load = {"SCRIPT", "LOAD", "return 1"};
  const std::string sha(execute(first, scripts, context, load, arena, effects).text());
  const std::vector<std::string_view> evalsha = {"EVALSHA", sha, "0"};

  EXPECT_TRUE(execute(first, scripts, context, evalsha, arena, effects).is_integer(1));
  EXPECT_TRUE(execute(second, scripts, context, evalsha, arena, effects).is_error("NOSCRIPT"));
}

TEST(Isolation, RandomNumbersBelongToTheNode) {
  Shell shell;
  const std::string draw = "return math.random(1000000)";
  EXPECT_EQ(eval(shell, draw), "(integer) 396465");
  EXPECT_EQ(eval(shell, draw), "(integer) 840486");
  Database other;
  Arena arena;
  EffectSink effects;
  const std::vector<std::string_view> argv = {"EVAL", draw, "0"};
  EXPECT_TRUE(
      execute(other, shell.scripts(), shell.context(), argv, arena, effects).is_integer(396465));
}

// --- Determinism -----------------------------------------------------------------------------

TEST(Determinism, AddressesDoNotShow) {
  Shell shell;
  const std::string body =
      "local a, b = {}, function() end return {tostring(a), tostring(b), tostring(a)}";
  const std::string expected = R"([1) "table: 0x1", 2) "function: 0x2", 3) "table: 0x1"])";
  EXPECT_EQ(eval(shell, body), expected);
  EXPECT_EQ(eval(shell, body), expected);
  EXPECT_EQ(eval(shell, "return collectgarbage('count')"), "(integer) 0");
  EXPECT_THAT(eval(shell, "error(function() end)"), StartsWith("(error) ERR function script: "));
}

TEST(Determinism, IterationRefusesAddressesAsKeysBeforeItStarts) {
  Shell shell;
  for (const char* key : {"{}", "function() end", "coroutine.create(function() end)"}) {
    const std::string table = std::string("local t = {[1] = 1, [") + key + "] = 2} ";
    EXPECT_THAT(eval(shell, table + "for k in pairs(t) do return k end"), HasSubstr("as key"));
    EXPECT_THAT(eval(shell, table + "return next(t)"), HasSubstr("as key"));
    EXPECT_THAT(eval(shell, table + "table.foreach(t, function(k) return k end)"),
                HasSubstr("as key"));
  }
  EXPECT_EQ(eval(shell,
                 "local n = 0 for k in pairs({1, x = 2, [true] = 3, [1.5] = 4}) do n = n + "
                 "1 end return n"),
            "(integer) 4");
}

TEST(Determinism, ServingIsAsRedis) {
  Shell shell(ScriptOptions{.simulated = false});
  EXPECT_EQ(eval(shell, "local n = 0 for k in pairs({[{}] = 1}) do n = n + 1 end return n"),
            "(integer) 1");
  EXPECT_TRUE(std::regex_match(eval(shell, "return tostring({})"),
                               std::regex("\"table: 0x[0-9a-f]{6,}\"")));
}

// --- Bounds ----------------------------------------------------------------------------------

TEST(Bounds, HostileScriptsEndWithAnError) {
  for (const char* body :
       {"while true do end",
        "while true do pcall(function() while true do end end) end",
        "local function f() return f() end f()",
        "local function f() return 1 + f() end f()",
        "local s = 'x' while true do s = s .. s end",
        "return string.rep('x', 1e9)",
        "return string.rep('x', 2e9)",
        "local t = {} while true do t[#t + 1] = {} end",
        "local function f() coroutine.wrap(f)() end f()",
        "while true do coroutine.wrap(function() end)() end",
        "return string.find(string.rep('a', 30000), '.-.-.-.-b')",
        "return string.find(string.rep('a', 300000), string.rep('a?', 300000))",
        "return string.find(string.rep('(', 50000), string.rep('(', 50000))",
        "local t = {} for i = 1, 8000 do t[i] = i % 7 end while true do table.sort(t) end",
        "local a = {1, 1} for i = 1, 60 do a = {a, a} end return a",
        "local t = {} t[1] = t return t",
        "while true do redis.call('ping') end",
        "while true do redis.call('append', 'k', string.rep('x', 10000)) end",
        "return unpack({}, 1, 1e8)",
        "return {unpack({}, 1, 7e3)}, string.rep('', 1e9)",
        "return loadstring(string.rep('(', 100000))()",
        "return loadstring(string.dump(function() end))",
        "return load(function() return 'x' end)",
        "local s = string.rep('x', 1e6) while true do string.find(s, 'y', 1, true) end",
        "local t = {} for i = 1, 1e5 do t[i] = i end while true do table.insert(t, 1, 1) end",
        ("setmetatable({}, {__index = function(t, k) return t[k] end}).x = nil return "
         "setmetatable({}, {__index = function(t, k) return t[k] end}).x"),
        "return string.gsub(string.rep('a', 1e5), 'a', string.rep('b', 1e5))",
        "return table.concat({}, 'x', 1, 1e9)",
        "for i = 1, 1e9 do end",
        "error(setmetatable({}, {__tostring = function() while true do end end}))"}) {
    Shell shell;
    eval(shell, body);
    EXPECT_EQ(eval(shell, "return 'alive'"), "\"alive\"") << body;
  }
}

TEST(Bounds, ALimitIsReportedOnceToTheSimulation) {
  Shell shell;
  EXPECT_THAT(eval(shell, "while true do end"),
              StartsWith("(error) ERR Script exceeded its instruction limit script: "));
  EXPECT_TRUE(shell.scripts().take_exhausted());
  EXPECT_FALSE(shell.scripts().take_exhausted());
  EXPECT_THAT(eval(shell, "local s = 'x' while true do s = s .. s end"),
              HasSubstr("not enough memory"));
  EXPECT_TRUE(shell.scripts().take_exhausted());
  eval(shell, "return 1");
  EXPECT_FALSE(shell.scripts().take_exhausted());
}

// --- Effects ---------------------------------------------------------------------------------

TEST(ScriptEffects, WritesArePropagatedAsExecuted) {
  Shell shell;
  eval(shell,
       "redis.call('set', 'x', 1.5, 'px', 1000) redis.call('del', 'none') "
       "redis.call('set', 'y', 1) return redis.call('get', 'x')");
  EXPECT_THAT(shell.stream(),
              ElementsAre("SET x 1.5 PXAT " + std::to_string(shell.now() + 1000), "set y 1"));
  EXPECT_TRUE(shell.effects().needs_multi());
  shell.run("SCRIPT LOAD 'return 1'");
  EXPECT_THAT(shell.stream(), IsEmpty());
}

TEST(ScriptEffects, WritesBeforeAnErrorStay) {
  Shell shell;
  EXPECT_THAT(eval(shell, "redis.call('set', 'k', 'v') error('late')"), StartsWith("(error)"));
  EXPECT_THAT(shell.stream(), ElementsAre("set k v"));
  EXPECT_EQ(shell.run("GET k"), "\"v\"");
}

TEST(ScriptEffects, SetReplSuppressesTheStreamNotTheChange) {
  Shell shell;
  eval(shell,
       "redis.set_repl(redis.REPL_NONE) redis.call('set', 'k', 'v') "
       "redis.set_repl(redis.REPL_ALL) redis.call('set', 'l', 'w')");
  EXPECT_THAT(shell.stream(), ElementsAre("set l w"));
  EXPECT_THAT(shell.changes(), ElementsAre("created k", "created l"));
}

TEST(ScriptEffects, TheClockStandsStill) {
  Shell shell;
  EXPECT_EQ(eval(shell,
                 "local a = redis.call('time') local b = redis.call('time') return a[1] == "
                 "b[1] and a[2] == b[2]"),
            "(integer) 1");
}

// --- Refusals inside scripts (redis/src/script.c scriptPrepareForRun) --------------------------

TEST(ScriptRefusals, AReplicaLetsScriptsReadOnly) {
  Shell shell;
  shell.context().role = Role::replica;
  shell.apply("SET k v");
  EXPECT_EQ(eval(shell, "return redis.call('get', 'k')"), "\"v\"");
  EXPECT_THAT(eval(shell, "return redis.call('set', 'k', 'w')"),
              StartsWith("(error) READONLY You can't write against a read only replica. script: "));
  EXPECT_EQ(eval(shell, "#!lua\nreturn 1"),
            "(error) READONLY You can't write against a read only replica.");
  EXPECT_EQ(eval(shell, "#!lua flags=no-writes\nreturn 1"), "(integer) 1");
}

TEST(ScriptRefusals, AnyEarlierWriteCallWaivesTheChecks) {
  Shell shell;
  shell.context().out_of_memory = true;
  EXPECT_THAT(eval(shell, "return redis.call('SET', 'lk', 't')"),
              StartsWith("(error) OOM command not allowed when used memory > 'maxmemory'. script"));
  EXPECT_EQ(eval(shell, "redis.call('DEL', 'x') return redis.call('SET', 'lk', 't')"), "OK");
}

TEST(ScriptRefusals, TooFewReplicasStopTheFirstWrite) {
  Shell shell;
  shell.context().too_few_replicas = true;
  EXPECT_THAT(eval(shell, "return redis.call('del', 'k')"),
              StartsWith("(error) NOREPLICAS Not enough good replicas to write. script: "));
}

// --- Numbers as arguments (redis/src/script_lua.c luaArgsToRedisArgv) --------------------------

TEST(ScriptNumbers, FollowTheVersion) {
  const std::vector<std::tuple<const char*, const char*, const char*>> vectors = {
      {"3.0", "3", "3"},
      {"3.1", "3.1000000000000001", "3.1"},
      {"1787654321123", "1787654321123", "1787654321123"},
      {"1e17", "1e+17", "100000000000000000"},
      {"1e18", "1e+18", "1000000000000000000"},
      {"1e-7", "9.9999999999999995e-08", "1e-7"},
      {"1/3", "0.33333333333333331", "0.3333333333333333"},
      {"1e20", "1e+20", "1e+20"},
      {"-0.5", "-0.5", "-0.5"},
      {"123.456", "123.456", "123.456"},
      {"1/0", "inf", "inf"},
  };
  for (const auto& [expression, v70, v72] : vectors) {
    Shell shell;
    const std::string body = std::string("return redis.call('echo', ") + expression + ")";
    EXPECT_EQ(eval(shell, body), std::string("\"") + v70 + "\"");
    shell.context().compat = Compat::v72;
    EXPECT_EQ(eval(shell, body), std::string("\"") + v72 + "\"");
  }
}

// --- Native twins ----------------------------------------------------------------------------

/// Every observable of one call.
std::string observe(Shell& shell, std::string_view body, const std::vector<std::string>& rest) {
  std::vector<std::string> argv = {"EVAL", std::string(body)};
  argv.insert(argv.end(), rest.begin(), rest.end());
  std::string seen = shell.run(argv);
  for (const std::string& line : shell.stream())
    seen += "\n" + line;
  for (const std::string& line : shell.changes())
    seen += "\n" + line;
  return seen + "\n" + shell.run("GET k") + shell.run("PTTL k");
}

TEST(NativeScripts, DoWhatTheirLuaDoes) {
  for (const char* setup : {"SET k token", "SET k token PX 100", "SET k other", "PING"}) {
    for (const auto& rest : std::vector<std::vector<std::string>>{{"1", "k", "token"},
                                                                  {"1", "k", "token", "50"},
                                                                  {"1", "k", "token", "0"},
                                                                  {"1", "k", "token", "x"},
                                                                  {"1", "k", "token", "1.5"},
                                                                  {"0"},
                                                                  {"1", "k"},
                                                                  {"0", "token"},
                                                                  {"2", "k", "l", "token", "7"}}) {
      for (std::string_view body : {kCompareAndDelete, kCompareAndDeleteShort, kCompareAndPexpire,
                                    kCompareAndPexpireShort}) {
        for (const Role role : {Role::primary, Role::replica}) {
          Shell in_lua;
          Shell native(ScriptOptions{.mode = ScriptMode::native});
          for (Shell* shell : {&in_lua, &native}) {
            shell->run(setup);
            shell->advance(30_ms);
            shell->context().role = role;
          }
          EXPECT_EQ(observe(native, body, rest), observe(in_lua, body, rest))
              << setup << " " << testing::PrintToString(rest) << " " << body;
        }
      }
    }
  }
}

}  // namespace
}  // namespace locklab::redis
