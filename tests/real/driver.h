// Driver: plays a simulated run again on real servers and clients, and compares what happens.
// SPDX-License-Identifier: Apache-2.0
//
// It walks the records of the run in order. At each one it lets the process concerned take that
// step: a client writes the request that its lock's code wants to write, the proxy passes it on, a
// server executes it by the clock that has been set for it, the reply goes back. Most steps leave a
// record of what the real parts did (note), and the first that is not the simulated one ends the
// walk. What the driver itself does to them, or decides, is copied (note_as_done): such a record
// shows nothing, and is counted apart. Fields that nobody can see are copied too; the page, whose
// words are in table.cpp, lists them all.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/run.h"
#include "tests/real/clocks.h"
#include "tests/real/keys.h"
#include "tests/real/real_client.h"
#include "tests/real/replication_link.h"
#include "tests/real/wires.h"

namespace locklab::real {

/// Sabotage, to show that a difference is seen.
struct DriverOptions {
  bool without_jumps = false;          // The servers' clocks do not step.
  bool leaking_replication = false;    // At a promotion the replica has everything.
  bool without_kills = false;          // A server that should die lives on.
  bool discarding_pools = false;       // A client closes a connection with a reply under way.
  std::int64_t added_to_timeouts = 0;  // Nanoseconds by which clients wait longer.
  std::uint32_t stray_write = 0;       // Behind that command, from 1, somebody writes a key.
  std::uint32_t falsified_reply = 0;   // The nth reply of a server, from 1, arrives as (nil).
};

struct Walk {
  std::string difference;  // The first one; empty: none.
  std::string unmapped;    // Why the story cannot be played; empty: it can.
  std::string trouble;     // What the machine did not do in time; empty: it did its part.
  std::uint32_t events = 0;
  std::uint32_t copied = 0;       // Of the events: those that the driver did or decided itself.
  std::uint32_t commands = 0;     // That redis-servers executed.
  std::uint32_t other_calls = 0;  // Of the resource and the counter.
  std::uint32_t key_changes = 0;  // Seen on the servers.
  std::uint32_t effects = 0;      // That replicas executed.
  std::uint32_t processes = 0;
  bool ends_well() const { return difference.empty() && unmapped.empty() && trouble.empty(); }
  /// What the real parts did; as long as the simulated one when there is no difference.
  History history;
};

class Driver {
 public:
  Driver(const Execution& execution, const DriverOptions& options);
  ~Driver();
  Walk run();

 private:
  struct Node {
    std::unique_ptr<RedisServer> server;
    Keys keys;
    bool replica = false;
    std::uint32_t epoch = 1;
    std::unique_ptr<ReplicationLink> link;  // From its primary.
    /// Of a machine that is gone: its primary has heard of no end.
    std::unique_ptr<ReplicationLink> silent_link;
    bool has_end_to_see = false;  // Of a replica's connection, when it runs on.
    Instant end_arrives{};        // In the simulation, that of a replica's connection.
    ActorId follows{};
    std::uint32_t losses = 0;     // Times that its machine has died.
    std::size_t outstanding = 0;  // Effects said to be sent and not said to be applied.
    HoldId caller;                // Of the command that came last.
    std::optional<Span> cause;    // Whose it was; none: effects of another server, or a file.
  };
  struct Seat {
    ClientSetup setup;
    std::unique_ptr<RealClient> client;
    bool promoted_since_death = false;
    /// Of a process that has ended by itself: what it was granted has not ended with it.
    std::optional<ClaimWatch> watch;
  };

  // driver.cpp: the walk.
  void check_topology() const;
  void start_servers();
  void step(const Record& record);
  void let_clients_run(Instant until);
  void check_patience(const Record& record) const;
  void check_end();
  void step_of_client(const Record& record);
  void step_of_server(const Record& record);
  void step_of_world(const Record& record);
  /// Adds what really happened, and compares.
  void note(Record real, const Record& simulated);
  /// Adds the simulated record as it is: there is nothing to compare.
  void note_as_done(const Record& simulated);
  bool is_same(const Record& real, const Record& simulated) const;
  [[noreturn]] void differ(const Record& simulated, const std::string& what) const;
  std::string_view text(std::uint32_t id) const { return simulated_.text(id); }

  // driver_clients.cpp: processes, requests, strikes.
  void seat_clients();
  static void leave_seat(Seat& seat);
  ClientSetup setup_for(ActorId actor) const;
  void let_in(ClientSetup& setup) const;
  void begin_fiber(const Record& record);
  ActorId primary_known_to(const Record& start) const;
  void end_fiber(const Record& record);
  void act(const Record& record);
  Record act_of(const Words& gate, const Record& simulated);
  void perform(const Record& record, const Record& real, RealClient& client, std::uint32_t fiber);
  void send(const Record& record, const Record& real, RealClient& client, std::uint32_t fiber);
  Record record_in(const Words& words, const Record& simulated);
  Record sending_of(const Words& words, const Record& simulated);
  void hold_at_label(const Record& record);
  void strike(const Record& record, std::uint32_t fiber, const std::string& what, bool recovered);
  std::uint64_t choose(Span span, ActorId actor, std::int64_t kind);
  RealClient& client_of(const Record& record);
  Readings readings(ActorId actor, Instant at) const;
  Readings readings(const Record& record) const { return readings(record.who(), record.at()); }

  // driver_replies.cpp: what comes back.
  void leave_unread(const Record& record, Wire& wire);
  void hand_over(const Record& record, Wire& wire);
  bool keeps_unread(const Wire& wire) const;
  void on_outcome(const Record& record);
  void check_deadline(const Record& record, const RealClient& client) const;
  void on_claim_end(const Record& record);

  // driver_servers.cpp: commands, keys, replication.
  Node& node_of(const Record& record);
  Node& node_at(ActorId actor, Instant at);
  const Record& sending(const Record& record) const;
  /// A request that a server has executed, and what it answered.
  struct Exchange {
    HeldRequest request;
    std::string reply;
  };
  Exchange exchange(const Record& record);
  void exchange_wait(const Record& record, std::uint32_t connection);
  void pass_acknowledgements(const Record& record, std::int64_t count);
  void on_applied(const Record& record);
  void on_fence(const Record& record);
  void on_resource(const Record& record);
  void on_effect_sent(const Record& record);
  void on_effect_applied(const Record& record);
  void leak(Node& node);
  void let_primary_write(Node& node);
  static void see_end(Node& primary);
  void on_promoted(const Record& record);
  void on_demoted(const Record& record);
  void on_resynced(const Record& record);

  // driver_keys.cpp: what becomes of keys.
  void on_key(const Record& record);
  void on_key_lost(const Record& record);
  void see_new_key(const Record& record, Node& node, const std::string& name, Record& real);
  void see_changed_key(const Record& record, Node& node, const std::string& name, Record& real);
  void see_end_of_key(const Record& record, Node& node, const std::string& name, Record& real);
  bool is_hidden(const Record& record) const;
  bool has_later(const Record& record, EventKind kind) const;
  void check_keys(const Record& record, const Node& node) const;
  void check_keys_anew(const Record& record, Node& node) const;

  // driver_faults.cpp: what strikes.
  void on_fault(const Record& record);
  void operate(const Record& record, const Words& command);
  void on_paused(const Record& record);
  void on_resumed(const Record& record);
  void on_stalled(const Record& record);
  void on_panic(const Record& record);
  void on_killed(const Record& record);
  void lose_unsynced(const Record& record, Node& node);
  void on_restarted(const Record& record);
  void on_blocked(const Record& record);
  bool is_orphaned(const Record& record);

  const Execution& execution_;
  const Scenario& scenario_;
  const History& simulated_;
  DriverOptions options_;
  Walk walk_;
  Clocks clocks_;
  TemporaryFolder folder_;
  std::map<ActorId, Node> nodes_;
  std::vector<Child> helpers_;              // Resource and counter.
  std::map<ActorId, std::uint16_t> ports_;  // Of the helpers.
  Wires wires_;
  std::map<std::uint32_t, HeldRequest> delivered_;  // By their `sent`, for a queue to repeat.
  std::map<ActorId, Seat> seats_;
  Creators creators_;
  ActorId primary_{};
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> visits_;
  const Record* latest_fault_ = nullptr;
};

}  // namespace locklab::real
