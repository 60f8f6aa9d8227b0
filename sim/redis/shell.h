// Shell: one database and its clock behind redis-cli's notation, for tests.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/redis/engine.h"
#include "sim/redis/script_engine.h"

namespace locklab::redis {

/// Words separated by spaces; "…" keeps spaces and knows \n \r \t \" \\ \xHH, '…' is taken
/// verbatim.
std::vector<std::string> split_words(std::string_view line);

class Shell {
 public:
  explicit Shell(const ScriptOptions& options = {}) : scripts_(options) {}

  /// The reply to a line such as `SET k v PX 10`, in redis-cli's notation.
  std::string run(std::string_view line);
  std::string run(const std::vector<std::string>& argv);
  /// The same as bytes of RESP2.
  std::string run_resp2(const std::vector<std::string>& argv);
  /// Runs a line as the replication stream would.
  std::string apply(std::string_view line);

  void advance(Duration duration) { context_.now = context_.now + duration; }
  [[nodiscard]] UnixMs now() const { return unix_milliseconds(context_.now); }

  /// What the last run() propagated, one line per command.
  [[nodiscard]] std::vector<std::string> stream() const;
  /// What the last run() did to keys: "created k", "expired k".
  [[nodiscard]] std::vector<std::string> changes() const;

  [[nodiscard]] Context& context() { return context_; }
  [[nodiscard]] Database& database() { return database_; }
  [[nodiscard]] ScriptEngine& scripts() { return scripts_; }
  [[nodiscard]] Arena& arena() { return arena_; }
  [[nodiscard]] EffectSink& effects() { return effects_; }
  void forget_effects();

 private:
  Reply reply_to(const std::vector<std::string>& argv, bool from_primary);

  Database database_;
  ScriptEngine scripts_;
  Context context_{.now = kWallEpoch, .replication = nullptr};
  Arena arena_;
  EffectSink effects_;
};

}  // namespace locklab::redis
