// Simulation: the whole simulated system of one thread, reset for each execution.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "sim/faults/engine.h"
#include "sim/stage.h"

namespace locklab {

class Simulation {
 public:
  explicit Simulation(redis::ScriptMode scripts = redis::ScriptMode::lua);
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;
  ~Simulation();

  /// An empty world of this shape with `clients` processes named "client-1", … and the probe's.
  void begin(const WorldConfig& config, std::uint32_t clients, ChoiceSource& source,
             std::uint64_t scenario_hash);
  /// One dispatch, and what it leaves to be done on the main loop. false: the run is over.
  bool step();
  /// Unwinds every fiber that is left. Called by the next begin() and by the destructor.
  void finish();

  World& world() { return world_; }
  Stage& stage() { return stage_; }
  FaultEngine& faults() { return faults_; }
  Process& client(std::uint32_t index) { return *processes_[index]; }
  /// The probe's process: it takes no part before the probe begins.
  Process& probe() { return *probe_; }
  /// The state modulo time: what kernel contract "Liveness" lists. Equal hashes at two points of a
  /// run without faults mean that it goes round in circles.
  std::uint64_t state_hash() const;

 private:
  HostId host_of(const std::string& actor);
  template <class T>
  T& take(std::vector<std::unique_ptr<T>>& pool, std::size_t index);
  void add_nodes();
  void poll_foreign();

  FiberPool& pool_;
  World world_;
  Network network_;
  redis::ScriptEngine scripts_;
  Stage stage_;
  FaultEngine faults_;
  Counter counter_;
  Resource resource_;
  Orchestrator orchestrator_;
  std::vector<std::unique_ptr<Process>> processes_;
  std::vector<std::unique_ptr<Node>> nodes_;
  Process* probe_ = nullptr;
  std::vector<HostId> configured_hosts_;
  bool foreign_ = false;
};

}  // namespace locklab
