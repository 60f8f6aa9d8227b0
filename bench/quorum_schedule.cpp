// Quorum schedule: contention for one quorum lock, built in code.
// SPDX-License-Identifier: Apache-2.0
#include "bench/quorum_schedule.h"

#include "scenarios/decoder.h"

namespace locklab::bench {

const std::array<ScheduleSize, 3> kScheduleSizes = {{
    {"92", 2, 1, 6, milliseconds(300)},
    {"288", 3, 3, 9, milliseconds(400)},
    {"542", 5, 5, 7, milliseconds(80)},
}};

Scenario quorum_schedule(const ScheduleSize& size) {
  Scenario scenario;
  scenario.name = "quorum-" + std::string(size.name);
  scenario.world.topology.nodes = size.nodes;
  scenario.world.search.of = FaultKinds{}.with(FaultKind::reset).with(FaultKind::lost_reply);
  scenario.world.search.max = 2;
  ClientConfig client;
  client.count = size.clients;
  client.algorithm = "redlock";
  // A link draws up to 15 ms each way: the longest round trips pass this.
  client.timeout = milliseconds(25);
  scenario.clients.push_back(client);
  scenario.workload.rounds = 1000;  // The attempts end the program.
  scenario.workload.attempts = size.attempts;
  scenario.workload.work = size.work;
  scenario.hash = scenario_hash(scenario);
  return scenario;
}

}  // namespace locklab::bench
