// Probe: whether anybody can still get the lock after the faults have stopped.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "scenarios/workload.h"
#include "sim/simulation.h"

namespace locklab {

/// Of any key that a lock sets.
Duration longest_ttl(const Scenario& scenario);
/// Δ: within it, from now on, somebody must acquire. From the configuration and what is under way:
/// TTLs and clock rates, backward jumps, detection, rediscovery, polls, round trips, remaining
/// pauses and restarts, late bytes (kernel contract, "Liveness").
Duration probe_bound(const Scenario& scenario, Simulation& simulation);

/// Stops the faults, heals a quorum, and lets the probe contend with each program in turn: one for
/// each lock. Ends the run: finished, repeats or a limit. `insistence`: for so many more Δ the
/// probe goes on after it has found that the state repeats; a probe_acquired behind a probe_blocked
/// would refute it.
void run_probe(const Scenario& scenario, Simulation& simulation,
               std::span<ClientProgram* const> programs, std::uint32_t insistence);

}  // namespace locklab
