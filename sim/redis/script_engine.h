// Lua for Redis scripts: one state per thread, shared by nodes and worlds, leaking between none.
// SPDX-License-Identifier: Apache-2.0
//
// Scripts are compiled once and found by their SHA-1. Nothing that a script does outlives its run:
// globals and libraries are read-only, KEYS and ARGV are fresh tables, environments are restored,
// the state of math.random is the node's. Every run is bounded in instructions and in memory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sim/redis/command.h"
#include "sim/redis/script_cache.h"

namespace locklab::redis {

enum class ScriptMode : std::uint8_t {
  lua,     // Every script runs in Lua.
  native,  // Scripts that have a C++ equivalent (native_scripts.h) run that instead.
};

struct ScriptOptions {
  ScriptMode mode = ScriptMode::lua;
  /// In a simulation addresses must not show: pairs and next refuse tables, functions and userdata
  /// as keys, tostring of such values gives an ordinal of the run, collectgarbage("count") gives 0.
  bool simulated = true;
  /// Lua instructions of one run; library functions are charged for their loops. A million take
  /// about ten milliseconds, and a lock script needs less than a hundred.
  std::int64_t instructions_max = 1'000'000;
  /// Growth of the Lua heap in one run. Lua refuses, the script sees "not enough memory".
  std::size_t memory_max = std::size_t{16} << 20;
};

class ScriptEngine {
 public:
  explicit ScriptEngine(const ScriptOptions& options = {});
  ~ScriptEngine();
  ScriptEngine(const ScriptEngine&) = delete;
  ScriptEngine& operator=(const ScriptEngine&) = delete;

  /// The script with this body. nullopt: it does not compile, compile_error() says why.
  std::optional<ScriptId> intern(std::string_view body);
  /// "user_script:1: …" of the last intern() that failed.
  [[nodiscard]] std::string_view compile_error() const;
  /// The script with this SHA-1, 40 hexadecimal digits in any case, if it was ever interned.
  [[nodiscard]] std::optional<ScriptId> find(std::string_view sha) const;
  /// 40 lower-case hexadecimal digits; they live as long as the script.
  [[nodiscard]] std::string_view sha(ScriptId id) const;

  /// Runs the script for `call`, whose commands it then executes. `read_only`: EVAL_RO.
  Reply run(Call& call, ScriptId id, Command keys, Command arguments, bool read_only);

  /// Whether a run since the last call of this function was stopped by a limit of ScriptOptions. A
  /// real server has other limits, so that a simulation should call the outcome unknown.
  bool take_exhausted();

  /// Forgets scripts if very many have gathered. Only when no Database refers to this engine's
  /// scripts.
  void trim();

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace locklab::redis
