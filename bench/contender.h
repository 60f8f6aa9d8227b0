// Contender: one way of running the quorum schedule, ready to be measured.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "bench/quorum_schedule.h"
#include "bench/state_machines.h"
#include "properties/judge.h"
#include "scenarios/run.h"

namespace locklab::bench {

/// "fiber" or "machine", "lua" or "native", judged by all properties or not.
struct Setup {
  bool machine = false;
  redis::ScriptMode scripts = redis::ScriptMode::lua;
  bool judged = true;
  ScheduleSize size;

  std::string name() const {
    std::string text = machine ? "machine/" : "fiber/";
    text += scripts == redis::ScriptMode::lua ? "lua/" : "native/";
    text += judged ? "judged/" : "unjudged/";
    return text + std::string(size.name);
  }
};

/// Keeps everything that a search would keep from run to run.
class Contender {
 public:
  explicit Contender(const Setup& setup)
      : setup_(setup),
        scenario_(quorum_schedule(setup.size)),
        runner_(find_lock, setup.scripts),
        machines_(setup.scripts),
        judge_(all_properties()) {}

  /// One execution. → its events: the records of its history.
  std::size_t run(std::uint64_t seed) {
    source_.reseed(seed);
    const History& history = execute();
    if (setup_.judged) judge_.judge(history);
    return history.records().size();
  }

 private:
  const History& execute() {
    if (!setup_.machine) return *runner_.run(scenario_, source_).history;
    machines_.run(scenario_, source_);
    return machines_.history();
  }

  Setup setup_;
  Scenario scenario_;
  Runner runner_;
  MachineRunner machines_;
  Judge judge_;
  SeededSource source_{0};
};

}  // namespace locklab::bench
