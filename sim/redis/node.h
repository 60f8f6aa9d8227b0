// Node: a simulated Redis server: one command at a time, replies and effects as separate messages.
// SPDX-License-Identifier: Apache-2.0
//
// Event-driven, no fiber, no free-running timer. A primary sends its effects to its replicas after
// the reply has left; a replica that is promoted drops what had not reached it.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/net/network.h"
#include "sim/redis/append_only_file.h"
#include "sim/redis/engine.h"
#include "sim/redis/script_engine.h"
#include "sim/world.h"

namespace locklab {

/// How a reply is written into records: its kind, and an integer's value above it.
std::int64_t reply_code(const redis::Reply& reply);

class Node;

/// Who watches over nodes (an orchestrator).
class NodeListener {
 public:
  virtual ~NodeListener() = default;
  virtual void went_down(Node& node) = 0;  // Killed or paused, and was not before.
  virtual void came_back(Node& node) = 0;  // Restarted, or its stream has ended.
};

class Node : public Actor {
 public:
  Node(World& world, Network& network, redis::ScriptEngine& scripts);
  void begin(redis::Role role);
  void handle(const Event& event) override;
  void add_deadlines(std::vector<PendingDeadline>& deadlines) const override;
  void set_listener(NodeListener* listener) { listener_ = listener; }

  redis::Role role() const { return role_; }
  bool is_authority() const { return alive_ && role_ == redis::Role::primary; }
  bool alive() const { return alive_; }
  bool paused() const { return paused_; }
  /// A stream of effects comes in.
  bool follows() const { return from_primary_ != kNoConnection; }
  bool restarting() const { return restarting_; }
  std::uint32_t epoch() const { return epoch_; }
  /// Effects executed (primary) or applied (replica) since the data set began.
  std::uint64_t offset() const { return offset_; }
  const redis::Database& database() const { return database_; }

  /// Makes `replica` follow this primary; with `resync` its data set is sent first.
  void attach(Node& replica, bool resync);
  void detach(const Node& replica);
  /// Becomes a primary of the given epoch; what had not arrived from the old one is lost.
  void promote(std::uint32_t epoch, std::uint64_t never_received);
  /// Becomes a replica and forgets its data once the new primary's has arrived.
  void demote(Node& primary);

  void pause(Duration length);
  /// Dies; with a restart it comes back with what its file has. A lost host sends no FIN, and what
  /// was not synced may be gone.
  void kill(EndKind kind, Duration restart_after);
  /// Brings a dead node back now.
  void revive();
  /// FLUSHALL; on a paused node, when it wakes.
  void flush();
  /// Removes the nth key in sorted order (clamped), as an eviction would. A paused node evicts
  /// nothing: memory is looked at before a command (redis/src/server.c processCommand).
  void evict(std::uint32_t nth);
  void evict(std::string_view key);
  std::uint64_t state_hash() const;

 private:
  struct Outgoing {
    ConnectionId connection = kNoConnection;  // kNoConnection: effects only.
    const redis::Reply* reply = nullptr;
    const redis::Command* effects = nullptr;
    std::uint32_t effect_count = 0;
    TextId command;
    Work work;
    std::uint64_t offset = 0;                // Behind its last effect.
    ConnectionId announced = kNoConnection;  // Of the replica whose label has been passed.
    bool asks_ack = false;                   // A question to the replicas follows.
    bool closes = false;                     // So does the end of the connection.
    bool written = false;                    // To the append-only file.
  };
  struct Replica {
    Node* node;
    ConnectionId connection;
    std::uint64_t sent;  // Effects up to this offset have left, or are in its snapshot.
  };
  /// A replica as its primary knows it.
  struct Follower {
    ConnectionId connection;
    ActorId node;
    std::uint64_t acknowledged;  // Offset.
    std::int64_t heard_at;       // Second of the wall clock.
  };
  /// A client blocked in WAIT.
  struct Waiting {
    ConnectionId connection;
    Message message;
    redis::Command argv;
    std::uint64_t offset;
    std::int64_t replicas;
    TimerHandle timer;
  };
  enum class Tick : std::uint8_t { expiry, heartbeat, wait, sync };  // Event::b of a timer.

  LocalInstant wall() const { return world_.read(host(), ClockId::wall); }
  redis::Context context(Span origin) const;
  /// event.a: the epoch that had died when this was planned.
  void restart(const Event& event);
  void on_tick(const Event& event);
  void on_deliver(const Event& event);
  void execute(ConnectionId connection, const Message& message);
  /// A command has its reply, and the sink its effects.
  void finish(ConnectionId connection, const Message& message, redis::Command argv,
              const redis::Reply& reply);
  void apply(const Message& message);
  void load(const Message& message);
  Outgoing effects_of_sink();
  void enqueue(Outgoing outgoing);
  /// Queues what the sink holds for the replicas, without a reply.
  void enqueue_effects();
  void drain();
  void send_reply(const Outgoing& outgoing);
  /// The first in the outbox to one replica after the other; false: a fault stopped it on the way.
  bool send_effects();
  void send_effects_to(const Replica& replica, const Outgoing& outgoing);
  void send_snapshot(const Replica& replica);
  void run_internally(redis::Command argv);

  // node_acks.cpp
  redis::UnixMs wall_ms() const { return unix_milliseconds(wall()); }
  std::int64_t monotonic_ms() const;
  bool minds_acks() const;
  void begin_heartbeat();
  void on_heartbeat();
  void acknowledge(bool background);
  void add_follower(Node& replica);
  void forget_follower(ConnectionId connection);
  void on_ack(ConnectionId connection, std::uint64_t offset);
  std::int64_t acknowledged_by(std::uint64_t offset) const;
  void count_good_replicas(std::int64_t now);
  void catch_up_with_cron();
  bool lacks_replicas();
  bool is_blocked(ConnectionId connection) const;
  void wait(ConnectionId connection, const Message& message, redis::Command argv);
  void ask_for_acks();
  void send_get_ack();
  void on_wait_over(ConnectionId connection);
  void unblock(std::size_t index, const redis::Reply& reply);
  void unblock_all();

  // node_persistence.cpp
  std::int64_t wall_second() const;
  void write_outbox();
  void arm_sync();
  void on_sync();
  void lose_unsynced(EndKind kind);
  void load_file();

  // node_records.cpp: what the history and the watches see of the keys.
  void record_applied(const Message& message, redis::Command argv, const redis::Reply& reply);
  void record_changes();
  void record_value(Record record, const redis::Change& change);
  /// What is left after a loss, as if it had come into being now.
  void record_all_keys();
  void arm_expiry();
  void watch_next_expiry();
  void arm_tick(LocalInstant at);
  void on_expiry_seen();
  void on_expiry_tick();

  World& world_;
  Network& network_;
  NodeListener* listener_ = nullptr;
  redis::ScriptEngine& scripts_;
  redis::Database database_;
  redis::EffectSink sink_;
  redis::Role role_ = redis::Role::primary;
  bool alive_ = true;
  bool paused_ = false;
  bool restarting_ = false;
  Instant paused_until_;
  std::uint32_t epoch_ = 1;
  std::uint64_t offset_ = 0;
  ConnectionId from_primary_ = kNoConnection;
  std::vector<Replica> replicas_;
  std::vector<Outgoing> outbox_;
  bool flush_scheduled_ = false;
  std::vector<Event> held_;

  Node* primary_ = nullptr;  // Whom it follows, or followed last.
  TimerHandle heartbeat_;
  std::vector<Follower> followers_;
  std::vector<Waiting> waiting_;
  std::uint32_t good_replicas_ = 0;
  std::int64_t cron_second_ = 0;  // Of the monotonic clock, when they were last counted.
  Instant resumed_at_ = Instant::never();

  redis::AppendOnlyFile file_;
  TimerHandle sync_;
  bool file_lost_ = false;  // Something that the history has told of is not in it.

  TimerHandle expiry_watch_;
  redis::UnixMs watched_expiry_ = redis::kNoExpiry;
  TimerHandle expiry_tick_;
  redis::UnixMs tick_expiry_ = redis::kNoExpiry;
  struct SeenExpiry {
    std::uint32_t key;
    redis::UnixMs expiry;
  };
  std::vector<SeenExpiry> seen_expired_;
  mutable std::vector<const redis::Entry*> sorted_keys_;  // Memory that the walks over keys share.
};

}  // namespace locklab
