// One command being executed: what a handler may see and do.
// SPDX-License-Identifier: Apache-2.0
//
// Handlers change keys only through this class, so that every change reaches the effects.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "sim/arena.h"
#include "sim/redis/engine.h"

namespace locklab::redis {

/// Whether a write continues the incarnation of a key or begins another (Entry::creator).
enum class Incarnation : std::uint8_t { fresh, continued };

class Call {
 public:
  Call(Database& database, ScriptEngine& scripts, const Context& context, Command argv,
       const CommandSpec& spec, Arena& arena, EffectSink& effects)
      : database_(database),
        scripts_(scripts),
        context_(context),
        argv_(argv),
        spec_(spec),
        arena_(arena),
        effects_(effects) {}

  [[nodiscard]] Command argv() const { return argv_; }
  [[nodiscard]] std::string_view argument(std::size_t index) const { return argv_[index]; }
  [[nodiscard]] std::size_t size() const { return argv_.size(); }
  [[nodiscard]] const CommandSpec& spec() const { return spec_; }
  [[nodiscard]] const Context& context() const { return context_; }
  [[nodiscard]] Arena& arena() { return arena_; }
  [[nodiscard]] Keyspace& keys() { return database_.keys; }
  [[nodiscard]] ScriptCache& script_cache() { return database_.scripts; }
  [[nodiscard]] ScriptRandom& random() { return database_.random; }
  [[nodiscard]] ScriptEngine& scripts() { return scripts_; }
  [[nodiscard]] UnixMs now() const { return unix_milliseconds(context_.now); }

  /// The key as this caller sees it, nullptr if absent. An expired key is deleted and its DEL
  /// propagated on a primary, hidden on a replica, seen by the primary link
  /// (redis/src/db.c expireIfNeeded).
  Entry* lookup(std::string_view key);
  /// Whether readers are to be told that the entry does not exist. Deletes nothing.
  [[nodiscard]] bool hides(const Entry& entry) const;

  /// Whether an explicit expiry at `when` deletes the key at once: when <= now, unlike the lookup's
  /// now > when; a replica stores it (redis/src/expire.c checkAlreadyExpired).
  [[nodiscard]] bool expiry_means_deletion(UnixMs when) const {
    return when <= now() && context_.role == Role::primary && !context_.loading;
  }

  /// Writes a string. `existing` is what lookup(key) returned.
  Entry& store(Entry* existing, std::string_view key, std::string_view value, UnixMs expiry,
               Incarnation incarnation);
  /// Writes fields of a hash, given as name, value, name, value …; `existing` is what lookup(key)
  /// returned, and is a hash. → how many are new.
  std::int64_t store_fields(Entry* existing, std::string_view key, Command pairs);
  /// false: there is no such field. A hash without fields ceases to exist.
  bool erase_field(Entry& entry, std::string_view field);
  void set_expiry(Entry& entry, UnixMs when);
  void persist(Entry& entry);
  void erase(Entry& entry, ChangeKind kind = ChangeKind::deleted);

  /// Adds the command as it came to the replication stream.
  void propagate();
  /// Adds another command instead.
  void propagate(std::initializer_list<std::string_view> argv);
  void propagate(Command argv);

  Reply error(std::string_view text) { return Reply::error(arena_.copy(text)); }
  /// A text of the database as a reply that outlives it.
  Reply bulk(std::string_view text) { return Reply::bulk(arena_.copy(text)); }

  /// A command called by a script, on the same state. Effects obey the script's redis.set_repl.
  [[nodiscard]] Call nested(Command argv, const CommandSpec& spec, bool replicated) {
    Call call(database_, scripts_, context_, argv, spec, arena_, effects_);
    call.replicated_ = replicated;
    return call;
  }

 private:
  [[nodiscard]] bool expired(const Entry& entry) const {
    return is_expired(entry, context_.now) && context_.caller == Caller::client;
  }
  /// A new entry in place of an expired one that may not be deleted now.
  Entry& create(std::string_view key);
  void report(Change change, const Entry& after);
  void report_field(ChangeKind kind, const Entry& entry, std::string_view field,
                    std::string_view old_value, std::string_view new_value);

  Database& database_;
  ScriptEngine& scripts_;
  const Context& context_;
  Command argv_;
  const CommandSpec& spec_;
  Arena& arena_;
  EffectSink& effects_;
  bool replicated_ = true;
};

/// Deletes an expired key on a primary: DEL for the stream, an `expired` for the history.
void expire(Keyspace& keys, Entry& entry, Arena& arena, EffectSink& effects);

namespace errors {
constexpr Reply kSyntax = Reply::error("ERR syntax error");
constexpr Reply kNotInteger = Reply::error("ERR value is not an integer or out of range");
constexpr Reply kWrongType =
    Reply::error("WRONGTYPE Operation against a key holding the wrong kind of value");
constexpr Reply kOverflow = Reply::error("ERR increment or decrement would overflow");
constexpr Reply kNoScript = Reply::error("NOSCRIPT No matching script. Please use EVAL.");
constexpr Reply kReadOnly = Reply::error("READONLY You can't write against a read only replica.");
constexpr Reply kNoReplicas = Reply::error("NOREPLICAS Not enough good replicas to write.");
constexpr Reply kOutOfMemory =
    Reply::error("OOM command not allowed when used memory > 'maxmemory'.");
constexpr Reply kMasterDown = Reply::error(
    "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.");
constexpr Reply kLoading = Reply::error("LOADING Redis is loading the dataset in memory");
}  // namespace errors

}  // namespace locklab::redis
