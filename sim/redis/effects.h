// What a command did beside its reply: the replication stream's share, and what became of keys.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/redis/command.h"
#include "sim/redis/keyspace.h"

namespace locklab::redis {

enum class ChangeKind : std::uint8_t {
  created,         // The key did not exist (or had just been reported expired).
  overwritten,     // A live key was replaced whole: a new incarnation.
  value_changed,   // The incarnation goes on with another value (INCR, APPEND, SET … KEEPTTL), or
                   // with another value of one field (HSET, HINCRBY).
  field_removed,   // The incarnation goes on without one of its fields.
  expiry_changed,  // The incarnation goes on with another expiry.
  persisted,       // Its expiry was removed.
  deleted,         // By a command, also by a non-positive EXPIRE, or by a DEL of the stream.
  expired,         // Removed because its time had passed, by access or by the active cycle.
};
std::string_view to_string(ChangeKind kind);

/// How changes and records write a value: a string as it is, a hash as the names of its fields,
/// with blanks between them. What a field holds is told by changes of its own.
std::string_view text_of(const Entry& entry, Arena& arena);

/// One change of one key. Views live in the arena of the call.
struct Change {
  ChangeKind kind = ChangeKind::created;
  std::string_view key;
  std::string_view field;         // Of a hash, when only its value is told of.
  std::string_view old_value;     // Text of the value or of the field's; empty if it did not exist.
  std::string_view new_value;     // Empty if it is gone.
  std::uint64_t old_creator = 0;  // 0 if the key did not exist.
  std::uint64_t new_creator = 0;  // 0 if the key is gone.
  UnixMs old_expiry = kNoExpiry;
  UnixMs new_expiry = kNoExpiry;
};

/// Collects the effects of one command, script or transaction, in order. Reuse it: clear() keeps
/// the memory. What it holds lives in the arenas of the calls that filled it.
class EffectSink {
 public:
  void propagate(Command argv) { stream_.push_back(argv); }
  void report(const Change& change) { changes_.push_back(change); }
  void clear() {
    stream_.clear();
    changes_.clear();
  }

  /// The commands for replicas and for the append-only file: rewritten, with absolute expiries, DEL
  /// of keys found expired before the command itself (redis/src/db.c deleteExpiredKeyAndPropagate).
  [[nodiscard]] std::span<const Command> stream() const { return stream_; }
  /// Whether the stream is sent between MULTI and EXEC, when it stems from one command, script or
  /// transaction. Deletions by expire_due() are sent one by one.
  [[nodiscard]] bool needs_multi() const { return stream_.size() > 1; }
  [[nodiscard]] std::span<const Change> changes() const { return changes_; }

 private:
  std::vector<Command> stream_;
  std::vector<Change> changes_;
};

}  // namespace locklab::redis
