// run: one scenario, one source of choices, one execution.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "models/lock.h"
#include "scenarios/scenario.h"
#include "scenarios/workload.h"
#include "sim/simulation.h"

namespace locklab {

/// What one run left behind. Views live until the runner's next run.
struct Execution {
  const Scenario* scenario = nullptr;
  const History* history = nullptr;
  /// Deviations and non-zero free dimensions, in the order in which they were met.
  std::span<const Deviation> choices;
  std::uint64_t digest = 0;
  std::uint64_t steps = 0;  // Kernel dispatches.
  std::uint64_t choice_visits = 0;
  std::uint32_t labels_reached = 0;  // Bit per Label: passed while faults could strike.
  FaultKinds faults_drawn;           // Also where there was nothing to act on.
  EndReason end = EndReason::none;

  /// Deviations that count: free dimensions left out.
  std::uint32_t deviation_count() const;
};

/// Where a scenario's algorithm comes from; tests add controls to the catalogue's locks.
using LockFinder = std::function<const LockInfo*(std::string_view name)>;
/// Checks what the decoder cannot know: algorithms exist, and an unfenced lock at a resource that
/// enforces fences is an error. → one line, or empty.
std::string check_locks(const Scenario& scenario, const LockFinder& find = find_lock);

/// Runs scenarios one after another on this thread, reusing everything.
class Runner {
 public:
  explicit Runner(LockFinder find = find_lock, redis::ScriptMode scripts = redis::ScriptMode::lua);
  ~Runner();

  /// The scenario must outlive the execution, and check_locks() must be empty for it.
  const Execution& run(const Scenario& scenario, ChoiceSource& source);
  /// For tests of the probe: see run_probe().
  void insist(std::uint32_t bounds) { insistence_ = bounds; }
  Simulation& simulation() { return simulation_; }

 private:
  struct Seat;  // One client: its lock object and its program.
  void prepare(const Scenario& scenario);
  void seat_clients(const Scenario& scenario);
  RunFacts facts_of(const Scenario& scenario) const;

  LockFinder find_;
  Simulation simulation_;
  std::vector<std::unique_ptr<Seat>> seats_;
  std::vector<std::unique_ptr<Seat>> probes_;  // One for each lock: an algorithm and a key.
  std::vector<ClientProgram*> probe_programs_;
  const Scenario* prepared_ = nullptr;
  std::uint64_t prepared_hash_ = 0;
  std::uint32_t insistence_ = 0;
  WorldConfig config_;
  Execution execution_;
};

}  // namespace locklab
