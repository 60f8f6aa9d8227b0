// The command engine: a pure function of (database, clock reading, command) to (reply, effects).
// SPDX-License-Identifier: Apache-2.0
//
// No fibers, no sockets, no world: a simulated node and a real RESP server share it. The behaviour
// is that of Redis 7.0.15 (Compat::v70) or 7.2 (Compat::v72).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "sim/arena.h"
#include "sim/redis/command.h"
#include "sim/redis/effects.h"
#include "sim/redis/keyspace.h"
#include "sim/redis/reply.h"
#include "sim/redis/script_cache.h"
#include "sim/time.h"

namespace locklab::redis {

class ScriptEngine;

enum class Compat : std::uint8_t { v70, v72 };
enum class Role : std::uint8_t { primary, replica };
enum class Caller : std::uint8_t {
  client,
  primary_link,  // The replication stream: no key is ever expired for it, nothing is refused.
};

/// All that dies with the process of one node.
struct Database {
  Keyspace keys;
  ScriptCache scripts;
  ScriptRandom random;

  /// An empty node as after its start. Keeps memory; compiled scripts stay in the ScriptEngine.
  void reset();
};

struct ReplicaInfo {
  std::string_view host;
  std::uint16_t port = 0;
  std::int64_t acknowledged_offset = 0;
};

/// What ROLE tells. A primary fills offset and replicas; a replica fills offset, primary_host,
/// primary_port and link_state ("connect", "connecting", "sync", "connected").
struct ReplicationInfo {
  std::int64_t offset = 0;
  std::span<const ReplicaInfo> replicas;
  std::string_view primary_host;
  std::uint16_t primary_port = 0;
  std::string_view link_state = "connected";
};

/// The node's state as one command sees it. The clock does not move during a command or a script.
struct Context {
  LocalInstant now;  // Reading of the node's wall clock.
  Compat compat = Compat::v70;
  Role role = Role::primary;
  Caller caller = Caller::client;
  std::uint64_t origin = 0;  // Becomes Entry::creator of what the command brings into being.
  const ReplicationInfo* replication = nullptr;  // nullptr: a primary without replicas.

  // Reasons for refusing commands, as processCommand knows them.
  bool out_of_memory = false;     // OOM: used memory is above maxmemory, nothing can be evicted.
  bool too_few_replicas = false;  // NOREPLICAS: min-replicas-to-write is not met.
  bool stale = false;             // MASTERDOWN: link down and replica-serve-stale-data no.
  bool loading = false;           // LOADING.
  bool deletion_paused = false;   // CLIENT PAUSE: expired keys are hidden but not deleted.
};

/// Why the server would not execute the command in this state, in the order of processCommand:
/// unknown name, arity, OOM, NOREPLICAS, READONLY, MASTERDOWN, LOADING; nullopt if it would. MULTI
/// asks this when it queues. NOAUTH, EXECABORT and what else hangs on a connection is up to its
/// owner.
std::optional<Reply> refusal(const Context& context, Command argv, Arena& arena);

/// Runs one command. Reply and effects live in `arena` and refer to nothing else, so that the
/// caller may drop argv. Effects are appended to `effects`. argv must not be empty.
Reply execute(Database& database, ScriptEngine& scripts, const Context& context, Command argv,
              Arena& arena, EffectSink& effects);

/// Runs one command of the replication stream on a replica: keys never count as expired, past
/// expiries are stored, nothing is refused (redis/src/db.c expireIfNeeded). The stream in `effects`
/// stays empty, as a sub-replica receives the original bytes. context.role and context.caller are
/// ignored.
Reply apply(Database& database, ScriptEngine& scripts, const Context& context, Command argv,
            Arena& arena, EffectSink& effects);

/// The earliest expiry that has not passed at `now`: the key lives through that millisecond and is
/// expired from the next one on (now > when, redis/src/db.c keyIsExpired). nullopt: none.
std::optional<UnixMs> next_expiry(const Database& database, LocalInstant now);

/// One active expiry cycle that finds everything: deletes all keys that are expired at context.now,
/// in order of (expiry, age), one DEL each. Does nothing on a replica or while deletions are
/// paused. Returns how many keys it deleted.
std::size_t expire_due(Database& database, const Context& context, Arena& arena,
                       EffectSink& effects);

/// Whether `entry` counts as expired for a reader at `now`.
inline bool is_expired(const Entry& entry, LocalInstant now) {
  return entry.has_expiry() && unix_milliseconds(now) > entry.expiry();
}

}  // namespace locklab::redis
