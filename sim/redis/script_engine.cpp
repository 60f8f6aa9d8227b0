// Compilation, and the run of a script from fresh KEYS and ARGV to its reply.
// SPDX-License-Identifier: Apache-2.0
#include "sim/redis/script_engine.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <utility>

#include <xxhash.h>

#include "sim/contract.h"
#include "sim/redis/lua/host.h"
#include "sim/redis/native_scripts.h"
#include "sim/redis/sha1.h"
#include "sim/redis/shebang.h"

namespace locklab::redis {
namespace {

using lua::Host;
using lua::Run;

// Far more than the locks of a search bring; only generated scripts get there.
constexpr std::size_t kScriptsKept = 4096;

void* allocate(void* host, void* block, std::size_t old_size, std::size_t new_size) {
  return static_cast<Host*>(host)->heap.resize(block, old_size, new_size);
}

/// The innermost function of Lua that the error came from, at most one level above C code
/// (redis/src/script_lua.c, the error handler of the scripts).
void note_origin(lua_State* state, Run& run) {
  lua_Debug frame{};
  for (int level = 1; level <= 2; ++level) {
    if (lua_getstack(state, level, &frame) == 0) return;
    lua_getinfo(state, "Sl", &frame);
    if (std::strcmp(frame.what, "C") != 0) break;
  }
  std::strncpy(run.error_source, frame.source, sizeof run.error_source - 1);
  run.error_line = frame.currentline;
}

/// What Lua's tostring would say, less the address.
void push_description(lua_State* state, int index) {
  switch (lua_type(state, index)) {
    case LUA_TSTRING:
    case LUA_TNUMBER:
      lua_pushvalue(state, index);
      break;
    case LUA_TNIL:
      lua_pushliteral(state, "nil");
      break;
    case LUA_TBOOLEAN:
      lua_pushstring(state, lua_toboolean(state, index) != 0 ? "true" : "false");
      break;
    default:
      lua_pushstring(state, luaL_typename(state, index));
  }
}

/// Leaves the text of the error reply: t.err of a table, anything else behind "ERR ".
int handle_error(lua_State* state) {
  note_origin(state, lua::host_of(state).run);
  if (lua_istable(state, 1)) {
    lua_pushliteral(state, "err");
    lua_rawget(state, 1);
    if (lua_isstring(state, -1) == 0) lua_pushliteral(state, "ERR unknown error");
    return 1;
  }
  lua_pushliteral(state, "ERR ");
  push_description(state, 1);
  lua_concat(state, 2);
  return 1;
}

/// Outside of protected calls the heap has no limit, so that nothing can fail there.
int panic(lua_State* state) {
  const char* message = lua_tostring(state, -1);
  contract_failed(__FILE__, __LINE__, message == nullptr ? "Lua panicked" : message);
}

struct Script {
  std::string body;
  Sha1Hex sha{};
  Shebang shebang;
  const NativeScript* native = nullptr;
  int reference = LUA_NOREF;  // Of the compiled function, in Lua's registry.
};

std::string_view view(const Sha1Hex& hex) {
  return {hex.data(), hex.size()};
}

/// What a script with flags must respect before its first line (redis/src/script.c
/// scriptPrepareForRun); one without is judged command by command.
std::optional<Reply> unwelcome(const Shebang& shebang, const Context& context, bool read_only) {
  if (!shebang.present) return std::nullopt;
  if (context.stale && !shebang.allow_stale) return errors::kMasterDown;
  if (!shebang.no_writes) {
    if (read_only) {
      return Reply::error("ERR Can not execute a script with write flag using *_ro command.");
    }
    if (context.role == Role::replica) return errors::kReadOnly;
    if (context.too_few_replicas) return errors::kNoReplicas;
  }
  const bool may_grow = !shebang.no_writes && !shebang.allow_oom;
  if (may_grow && context.out_of_memory && context.role == Role::primary) {
    return errors::kOutOfMemory;
  }
  return std::nullopt;
}

}  // namespace

class ScriptEngine::State {
 public:
  explicit State(const ScriptOptions& options) {
    host_.options = options;
    lua_ = lua_newstate(allocate, &host_);
    SIM_ASSERT(lua_ != nullptr);
    lua_atpanic(lua_, panic);
    lua_pushcfunction(lua_, handle_error);
    lua_pushliteral(lua_, "KEYS");
    lua_pushliteral(lua_, "ARGV");
    lua::build_sandbox(lua_);
  }
  ~State() { lua_close(lua_); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  std::optional<ScriptId> intern(std::string_view body);
  std::optional<ScriptId> find(std::string_view sha) const;
  const Script& script(ScriptId id) const { return scripts_[static_cast<std::size_t>(id)]; }
  std::string_view compile_error() const { return compile_error_; }
  Reply run(Call& call, ScriptId id, Command keys, Command arguments, bool read_only);
  bool take_exhausted() { return std::exchange(exhausted_, false); }
  void trim();

 private:
  std::optional<ScriptId> add(std::string_view body);
  bool compile(Script& script);
  void set_array(int name, Command texts);
  void begin(Call& call, bool read_only, bool no_writes);
  Reply run_in_lua(const Script& script, Command keys, Command arguments);
  Reply failure(const Script& script, std::string_view text);

  Host host_;
  lua_State* lua_ = nullptr;
  std::deque<Script> scripts_;
  std::map<std::uint64_t, std::uint32_t> by_hash_;  // XXH3 of the body: spares the SHA-1 of EVAL.
  std::map<Sha1Hex, std::uint32_t> by_sha_;
  mutable std::uint32_t latest_ = 0;  // Found last: clients send one script again and again.
  std::string compile_error_;
  bool exhausted_ = false;
};

std::optional<ScriptId> ScriptEngine::State::find(std::string_view sha) const {
  if (latest_ < scripts_.size() && view(scripts_[latest_].sha) == sha) return ScriptId{latest_};
  Sha1Hex key;
  if (sha.size() != key.size()) return std::nullopt;
  std::transform(sha.begin(), sha.end(), key.begin(), [](char c) {
    return c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  const auto found = by_sha_.find(key);
  if (found == by_sha_.end()) return std::nullopt;
  latest_ = found->second;
  return ScriptId{latest_};
}

std::optional<ScriptId> ScriptEngine::State::intern(std::string_view body) {
  const std::uint64_t hash = XXH3_64bits(body.data(), body.size());
  const auto found = by_hash_.find(hash);
  if (found != by_hash_.end() && scripts_[found->second].body == body) {
    return ScriptId{found->second};
  }
  const std::optional<ScriptId> id = add(body);
  if (id) by_hash_[hash] = static_cast<std::uint32_t>(*id);
  return id;
}

std::optional<ScriptId> ScriptEngine::State::add(std::string_view body) {
  Script script;
  script.sha = to_hex(sha1(body));
  if (const auto known = find(view(script.sha))) return known;
  script.body = body;
  ParsedShebang parsed = parse_shebang(body);
  compile_error_ = std::move(parsed.error);
  script.shebang = parsed.shebang;
  script.native = native_script_of(body);
  if (!compile_error_.empty() || !compile(script)) return std::nullopt;
  const auto index = static_cast<std::uint32_t>(scripts_.size());
  by_sha_[script.sha] = index;
  scripts_.push_back(std::move(script));
  return ScriptId{index};
}

bool ScriptEngine::State::compile(Script& script) {
  const std::string_view text = std::string_view(script.body).substr(script.shebang.length);
  // A forged binary chunk crashes Lua 5.1; behind a space it is a syntax error like any other.
  const bool binary = !text.empty() && text[0] == LUA_SIGNATURE[0];
  const std::string source = (binary ? " " : "") + std::string(text);
  if (luaL_loadbuffer(lua_, source.data(), source.size(), "@user_script") == 0) {
    script.reference = luaL_ref(lua_, LUA_REGISTRYINDEX);
    return true;
  }
  compile_error_ = "Error compiling script (new function): ";
  compile_error_ += lua::to_view(lua_, -1);
  lua_pop(lua_, 1);
  return false;
}

void ScriptEngine::State::trim() {
  if (scripts_.size() <= kScriptsKept) return;
  for (const Script& script : scripts_)
    luaL_unref(lua_, LUA_REGISTRYINDEX, script.reference);
  scripts_.clear();
  by_hash_.clear();
  by_sha_.clear();
  lua_gc(lua_, LUA_GCCOLLECT, 0);
}

/// Sets the global whose name is in the fixed slot `name` to a new array.
void ScriptEngine::State::set_array(int name, Command texts) {
  lua_pushvalue(lua_, name);
  lua_createtable(lua_, static_cast<int>(texts.size()), 0);
  int position = 0;
  for (std::string_view text : texts) {
    lua::push(lua_, text);
    lua_rawseti(lua_, -2, ++position);
  }
  lua_rawset(lua_, lua::kRealGlobals);
}

void ScriptEngine::State::begin(Call& call, bool read_only, bool no_writes) {
  Run& run = host_.run;
  run = Run();
  run.call = &call;
  run.read_only = read_only || no_writes;
  run.instructions_left = host_.options.instructions_max;
  run.heap_at_start = host_.heap.in_use();
  run.charged_bytes = host_.heap.total_allocated();
}

Reply ScriptEngine::State::failure(const Script& script, std::string_view text) {
  Arena& arena = host_.run.call->arena();
  if (host_.run.error_line == 0) return Reply::error(lua::one_line(arena.copy(text), arena));
  return Reply::error(lua::one_line(arena.concat(text, " script: ", view(script.sha), ", on ",
                                                 std::string_view(host_.run.error_source), ":",
                                                 format_integer(host_.run.error_line, arena), "."),
                                    arena));
}

Reply ScriptEngine::State::run_in_lua(const Script& script, Command keys, Command arguments) {
  SIM_ASSERT(lua_gettop(lua_) == lua::kFixedSlots);
  set_array(lua::kKeysName, keys);
  set_array(lua::kArgvName, arguments);
  lua_rawgeti(lua_, LUA_REGISTRYINDEX, script.reference);
  lua::install_counter(lua_);
  host_.heap.limit_growth(host_.options.memory_max);
  const int status = lua_pcall(lua_, 0, 1, lua::kErrorHandler);
  host_.heap.lift_limit();
  lua_sethook(lua_, nullptr, 0, 0);
  SIM_ASSERT(status >= 0);  // A C++ exception from below would be lost here.
  Arena& arena = host_.run.call->arena();
  Reply reply;
  if (status == 0) {
    reply = lua::pop_reply(lua_, arena, host_.run.resp3);
  } else {
    // Memory errors bypass the handler and have no code yet.
    const std::string_view text = lua::to_view(lua_, -1);
    reply = failure(script, status == LUA_ERRRUN ? text : arena.concat("ERR ", text));
    lua_pop(lua_, 1);
  }
  if (host_.heap.take_refused() || host_.run.exhausted) {
    exhausted_ = true;
    lua_gc(lua_, LUA_GCCOLLECT, 0);
  }
  return reply;
}

Reply ScriptEngine::State::run(Call& call, ScriptId id, Command keys, Command arguments,
                               bool read_only) {
  const Script& script = scripts_[static_cast<std::size_t>(id)];
  if (const auto refused = unwelcome(script.shebang, call.context(), read_only)) return *refused;
  begin(call, read_only, script.shebang.no_writes);
  if (host_.options.mode == ScriptMode::native && script.native != nullptr) {
    const std::optional<Reply> reply = run_native(*script.native, host_.run, keys, arguments);
    if (reply && !reply->is_error()) return *reply;
    if (reply) {
      std::strcpy(host_.run.error_source, "@user_script");
      host_.run.error_line = 1;
      return failure(script, reply->text());
    }
  }
  return run_in_lua(script, keys, arguments);
}

ScriptEngine::ScriptEngine(const ScriptOptions& options)
    : state_(std::make_unique<State>(options)) {}
ScriptEngine::~ScriptEngine() = default;

std::optional<ScriptId> ScriptEngine::intern(std::string_view body) {
  return state_->intern(body);
}
std::string_view ScriptEngine::compile_error() const {
  return state_->compile_error();
}
std::optional<ScriptId> ScriptEngine::find(std::string_view sha) const {
  return state_->find(sha);
}
std::string_view ScriptEngine::sha(ScriptId id) const {
  return view(state_->script(id).sha);
}
Reply ScriptEngine::run(Call& call, ScriptId id, Command keys, Command arguments, bool read_only) {
  return state_->run(call, id, keys, arguments, read_only);
}
bool ScriptEngine::take_exhausted() {
  return state_->take_exhausted();
}
void ScriptEngine::trim() {
  state_->trim();
}

}  // namespace locklab::redis
