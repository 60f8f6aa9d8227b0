// WorldConfig: what a scenario says about the simulated world; plain data, no names of locks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/choice.h"
#include "sim/fault_kind.h"
#include "sim/label.h"
#include "sim/time.h"

namespace locklab {

/// Modes of the protected resource, by the names of the scenario file: "none", "ge_w", "ge_rw",
/// "gt_w", "lex_rw", "eq", "cas", "ge_rw+cas+id", "split", "cached".
enum class ResourceMode : std::uint8_t {
  none,          // accepts everything
  ge_w,          // writes need fence >= the highest seen
  ge_rw,         // reads and writes do
  gt_w,          // writes need fence > the highest seen
  lex_rw,        // (fence, sequence) must grow
  eq,            // wrong: the first fence pins the resource
  cas,           // writes need the version that they read
  cas_token,     // reads leave their hold's token, writes need to find it
  ge_rw_cas_id,  // all of the right ones, and an operation id
  split,         // wrong: check and apply are two events
  cached,        // wrong: the highest fence is kept per replica
  count
};
std::string_view name_of(ResourceMode mode);
std::optional<ResourceMode> resource_mode_named(std::string_view name);
/// The mode refuses operations by their fence.
bool enforces_fence(ResourceMode mode);

struct NetworkConfig {
  /// One way, on every link. A round trip is twice this.
  Duration latency = milliseconds(5);
  /// delay@link and hold@fiber draw below this; longer is a fault. Default: one round trip.
  std::optional<Duration> delay_max;
  /// How long after a cut has healed the held bytes set out again (TCP's retransmission back-off).
  Duration heal_backoff = milliseconds(10);
  /// Requests pass an at-least-once queue (a proxy, a broker) that may deliver one again, late and
  /// behind later ones; the client sees the first answer only.
  bool queue = false;
};

struct FailoverConfig {
  /// A scripted orchestrator promotes a replica when the primary is down for `detect`.
  bool automatic = true;
  Duration detect = milliseconds(1000);
  /// The choice `detect` adds up to this.
  Duration detect_spread = milliseconds(1000);
  /// How long after a promotion a living old primary is turned into a replica and resynced.
  Duration demote_after = milliseconds(8000);
  /// The choice `rediscover` adds up to this for each client.
  Duration rediscover_spread = milliseconds(1000);
};

/// What a node finds when it starts again: the append-only file and when it is synced to disk.
enum class Persistence : std::uint8_t {
  none,      // `appendonly no`, `save ""`: nothing
  everysec,  // all, but for the last second or so if its operating system has died too
  always     // all that was answered
};

struct TopologyConfig {
  std::uint32_t nodes = 1;         // Independent primaries: "redis-1" … "redis-N".
  std::uint32_t replicas = 0;      // Of redis-1: "replica-1" … Only with nodes == 1.
  std::uint32_t idle_clients = 0;  // Processes that do nothing ("idle-1" …).
  Persistence persistence = Persistence::none;
  /// min-replicas-to-write: a primary with fewer good replicas refuses writes. 0: none needed.
  std::uint32_t min_replicas = 0;
  /// min-replicas-max-lag: a replica is good for so long after its last acknowledgement. Whole
  /// seconds.
  Duration min_replicas_max_lag = seconds(10);
  /// A server deletes expired keys this often: serverCron, ten times a second
  /// (redis/src/server.c databasesCron, `hz 10`). Whole milliseconds; not in the scenario file.
  Duration expire_tick = milliseconds(100);
  NetworkConfig network;
  FailoverConfig failover;
};

/// A machine shared by several actors, by their names. Actors not listed have one of their own.
struct HostConfig {
  std::string name;
  std::vector<std::string> actors;
  Duration wall_offset;       // Added to the wall epoch.
  std::int64_t rate_ppb = 0;  // Of both clocks.
};

/// When a planned fault strikes: at a time, or at the nth visit of a label.
struct FaultTrigger {
  std::optional<Instant> at;
  Label label = Label::none;
  std::string actor;    // Who executes the label; empty: anybody.
  std::string client;   // On whose behalf; empty: anybody.
  std::string command;  // "SET", "EVAL", …; empty: any.
  std::uint32_t nth = 1;
};

enum class CutDirection : std::uint8_t { both, to_peer, from_peer };
/// What of a server dies: `os` says no goodbye to its peers, and what had not left is lost.
enum class NodeDeath : std::uint8_t { process, os };

/// A fault with explicit amounts, as scenario files write it.
struct PlannedFault {
  FaultTrigger trigger;
  FaultKind kind = FaultKind::none;
  std::string target;  // Empty: the natural one of the kind at that point.
  std::string peer;    // cut, slow: the other end.
  Duration length = Duration::forever();
  Duration offset;       // jump: ±δ; slew: the offset; slow, lag: the extra delay.
  std::int64_t ppb = 0;  // rate, slew.
  CutDirection direction = CutDirection::both;
  NodeDeath dies = NodeDeath::process;  // node-kill.
  bool restarts = true;                 // kill, node-kill, host-loss: comes back after `length`.
  bool recovered = true;                // panic.
  std::string key;                      // evict.
  std::uint32_t line = 0;               // Of the scenario file, for messages.
};

/// What may be drawn: `search.faults {of, at, max}`. An empty `at` allows every label.
struct FaultSearch {
  FaultKinds of;
  std::uint32_t at_labels = 0;  // Bit per Label; 0: all.
  std::uint32_t max = 0;
  bool allows_label(Label label) const {
    return at_labels == 0 || (at_labels >> static_cast<unsigned>(label) & 1U) != 0;
  }
};

struct Limits {
  Duration virtual_time = seconds(120);
  std::uint32_t steps = 100'000;  // Kernel dispatches.
};

/// The constants that fault lengths are chosen from.
struct TimingConstants {
  Duration round_trip;
  Duration ttl;
  Duration margin;  // Safety margin of checked clients.
};

struct WorldConfig {
  TopologyConfig topology;
  std::vector<HostConfig> hosts;
  ResourceMode resource = ResourceMode::none;
  std::uint32_t objects = 1;  // 1 or 2.
  std::vector<PlannedFault> faults;
  FaultSearch search;
  Limits limits;
  TimingConstants timing;
  Duration wall_epoch_shift;  // Whole milliseconds.
};

}  // namespace locklab
