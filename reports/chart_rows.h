// Chart rows: the lanes of each sort of actor, read from one history.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "reports/chart.h"

namespace locklab {

/// One row for each fault that struck, the last one for all that find no row of their own.
std::vector<ChartRow> fault_rows(const RunView& run);
/// Two rows for each client that asked for a lock: where its program is, and what it claims.
std::vector<ChartRow> client_rows(const RunView& run);
/// The probe, if it began.
std::vector<ChartRow> probe_rows(const RunView& run);
/// One row for each server, and for each key of several.
std::vector<ChartRow> owner_rows(const RunView& run);
/// One row for each server: its role, and whether it is up.
std::vector<ChartRow> node_rows(const RunView& run);
/// One row for each replica that was ever behind: how many changes of keys it still misses.
std::vector<ChartRow> lag_rows(const RunView& run);
/// One row for each host whose wall clock is not the true one.
std::vector<ChartRow> clock_rows(const RunView& run);
/// Two rows for each object of the resource: reads, and appends.
std::vector<ChartRow> resource_rows(const RunView& run);

// --- What they share ----------------------------------------------------------------------------

/// When an actor did not run: paused, stalled or dead, in order.
struct Stop {
  Instant begin;
  Instant end;
  bool dead = false;
  bool stalled = false;  // Only its program; what runs beside it, a watchdog, runs on.
};
std::vector<Stop> stops_of(const RunView& run, ActorId actor);
/// An overlay for each stop of the actor; `stalls`: of its program too.
void add_stops(ChartRow& row, const RunView& run, ActorId actor, bool stalls = false);

/// The number of a client (Bar::whose); the probe is nobody.
std::uint16_t whose(const History& history, ActorId process);
/// "c1" of "client-1"; other names as they are.
std::string brief_name(const History& history, ActorId actor);
bool is_probe(const History& history, ActorId actor);
std::vector<ActorId> nodes_of(const History& history);
/// "replica-1" … begin as replicas of "redis-1", all other servers as primaries
/// (sim/world_config.h).
bool begins_as_replica(const History& history, ActorId node);
/// The time of the last record.
Instant end_of(const RunView& run);
/// "from 375.000 to 690.000 ms", "from 375.000 ms on".
std::string span_text(Instant begin, Instant end, bool open);

}  // namespace locklab
