// Fault: what one kind of disturbance strikes, how its drawn sizes are read, and what it does.
// SPDX-License-Identifier: Apache-2.0
//
// One file per kind in this folder; the list in CMakeLists.txt is the registry.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/fault_kind.h"
#include "sim/stage.h"

namespace locklab {

/// Which actors a kind can strike, in the order in which `FaultValue::target` counts them.
enum class TargetSort : std::uint8_t {
  process,      // The client of the point; no other.
  node,         // Servers.
  host,         // Nodes, then clients: whoever has clocks.
  server_link,  // From the client of the point to a node, the resource or the counter.
  connection,   // The connection of the point; no other.
  replica,      // The link from the primary to a replica.
};

/// A fault about to strike, with every name resolved.
struct Strike {
  FaultKind kind = FaultKind::none;
  Point point;
  ActorId target;
  ActorId peer;             // Links: the other end.
  bool whole_host = false;  // pause: everybody on the target's host.
  std::uint32_t fiber = 0;
  ConnectionId connection = kNoConnection;
  Duration length;  // forever(): until the end of the run.
  Duration size;    // Jump ±δ, slew offset, extra delay of slow and lag.
  std::int64_t ppb = 0;
  CutDirection direction = CutDirection::both;
  NodeDeath dies = NodeDeath::process;
  bool restarts = true;
  bool recovered = true;
  std::uint32_t key = 0;      // evict: nth key in sorted order …
  std::string_view key_name;  // … or the key itself.
};

/// What a fault must remember to end.
struct ActiveFault {
  Strike strike;
  std::uint32_t disturbance[2] = {UINT32_MAX, UINT32_MAX};
  bool active = true;
  Instant end = Instant::never();
};

/// FaultValue::second: how many numbers mean something, and what one means for a strike.
struct SecondSize {
  unsigned count = 1;  // 1: the kind has no second size.
  void (*read)(Strike& strike, std::uint16_t second, const TimingConstants& timing) = nullptr;
};

struct FaultSpec {
  FaultKind kind = FaultKind::none;
  TargetSort sort = TargetSort::process;
  SecondSize second;
  /// It lasts: begin() at the strike, end() when `length` has passed.
  bool lasts = false;
  void (*begin)(Stage& stage, ActiveFault& fault) = nullptr;
  void (*end)(Stage& stage, ActiveFault& fault) = nullptr;
  /// false: at this target it would change nothing; nullptr: it does, unless that is dead.
  bool (*possible)(const Stage& stage, const Strike& strike) = nullptr;
};

/// One per kind, in the order of faults/CMakeLists.txt.
std::vector<FaultSpec> all_faults();

/// A drawn amount of time by its ordinal: round trip, TTL/3, TTL − margin, TTL, TTL + 1 ms, 2·TTL.
Duration timing_constant(const TimingConstants& timing, unsigned ordinal);
/// FaultSpec::possible of kinds that strike one fiber.
bool fiber_lives(const Stage& stage, const Strike& strike);
/// Stops everybody who lives on a host for a while.
void pause_host(Stage& stage, HostId host, Duration length);

}  // namespace locklab
