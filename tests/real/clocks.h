// Clocks: what each machine's clocks read in the simulation, so that the real ones can be set.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "scenarios/scenario.h"
#include "sim/clock.h"
#include "sim/history.h"

namespace locklab::real {

class Clocks {
 public:
  /// Without jumps: no wall clock of a machine steps, whatever the history says.
  Clocks(const Scenario& scenario, const History& history, bool without_jumps);

  LocalInstant wall(ActorId actor, Instant at) const { return host_of(actor).wall.read(at); }
  LocalInstant monotonic(ActorId actor, Instant at) const {
    return host_of(actor).monotonic.read(at);
  }
  const LocalClock& monotonic_of(ActorId actor) const { return host_of(actor).monotonic; }
  /// A fault_begin or fault_end: what it does to the clocks of its target's machine.
  void take(const Record& record);

 private:
  struct Drift {
    ActorId actor;
    FaultKind kind = FaultKind::none;
    std::int64_t ppb = 0;
    Instant end;
  };
  const Host& host_of(ActorId actor) const;
  Host& host_of(ActorId actor);
  std::int64_t ppb_of(const Record& record, FaultKind kind) const;
  void begin(const Record& record, FaultKind kind);
  void end(const Record& record, FaultKind kind);

  const Scenario& scenario_;
  const History& history_;
  bool without_jumps_;
  std::vector<Host> hosts_;
  std::vector<Drift> drifts_;
};

}  // namespace locklab::real
