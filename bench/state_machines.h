// State machines: the quorum schedule run without fibers, on the same engine.
// SPDX-License-Identifier: Apache-2.0
//
// World, network, nodes, scripts, resource and fault engine are those of sim/; only the clients are
// other code. Equal seeds give the digests of scenarios/run.h (state_machines_test.cpp), so the
// ratio of the two speeds is what fibers, readable lock code and its harness cost, and nothing
// else.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "bench/quorum_machine.h"
#include "sim/faults/engine.h"

namespace locklab::bench {

/// scenarios/workload.cpp: rounds of acquire, enter, read and append, leave, release.
class WorkerMachine : public QuorumMachine {
 public:
  using QuorumMachine::QuorumMachine;
  void begin_worker(const WorkloadConfig& workload, const ClientConfig& config);

 protected:
  bool on_start() override;
  bool on_acquired(bool granted) override;
  bool on_released() override;
  bool on_other() override;

 private:
  enum class Awaits : std::uint8_t { poll, think, read, work, append, lease_end };
  bool next_round();
  bool try_again();
  bool use_resource(ResourceOp op, Awaits awaits);
  bool leave_and_release(LeaveReason reason);

  Awaits awaits_ = Awaits::poll;
  Duration poll_;
  Duration work_;
  std::uint32_t rounds_done_ = 0;
  std::uint32_t attempts_ = 0;
};

/// scenarios/probe.cpp: acquires once the faults have stopped, or shows that nobody can.
class ProbeMachine : public QuorumMachine {
 public:
  using QuorumMachine::QuorumMachine;
  /// Δ is asked for when it starts.
  void start_within(std::function<Duration()> bound) {
    bound_ = std::move(bound);
    start(Duration());
  }

 protected:
  bool on_start() override;
  bool on_acquired(bool granted) override;
  bool on_released() override;
  bool on_other() override;

 private:
  bool repeats();

  std::function<Duration()> bound_;
  Duration poll_;
  Instant deadline_;
  bool known_ = false;
  std::uint64_t last_ = 0;
};

/// What scenarios/run.h's Runner is for fibers. Only for scenarios of quorum_schedule().
class MachineRunner {
 public:
  explicit MachineRunner(redis::ScriptMode scripts = redis::ScriptMode::lua);

  void run(const Scenario& scenario, ChoiceSource& source);
  World& world() { return world_; }
  const History& history() const { return world_.history(); }
  /// Of the last run: how often a client or the probe was activated.
  std::uint64_t activations() const;

 private:
  void build(const Scenario& scenario, ChoiceSource& source);
  void start_clients(const Scenario& scenario);
  void run_probe(const Scenario& scenario);
  Duration probe_bound(const Scenario& scenario) const;

  World world_;
  Network network_;
  redis::ScriptEngine scripts_;
  Stage stage_;
  FaultEngine faults_;
  Counter counter_;
  Resource resource_;
  WorldConfig config_;
  std::vector<std::unique_ptr<WorkerMachine>> clients_;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::unique_ptr<ProbeMachine> probe_;
};

}  // namespace locklab::bench
