// host-loss: a machine vanishes; unsent bytes are lost and no FIN is sent.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sim/faults/fault.h"

namespace locklab {
namespace {

void read_second(Strike& strike, std::uint16_t second, const TimingConstants&) {
  strike.restarts = second == 0;
}

bool possible(const Stage& stage, const Strike& s) {
  const HostId host = stage.world->actor(s.target).host();
  const auto lives = [host](const auto* actor) { return actor->host() == host && actor->alive(); };
  const std::vector<HostedServer*> servers = stage.hosted_servers();
  return std::any_of(servers.begin(), servers.end(), lives) ||
         std::any_of(stage.processes.begin(), stage.processes.end(), lives) ||
         std::any_of(stage.nodes.begin(), stage.nodes.end(), lives);
}

void begin(Stage& stage, ActiveFault& fault) {
  const Strike& s = fault.strike;
  const HostId host = stage.world->actor(s.target).host();
  const Duration restart = s.restarts ? s.length : Duration::forever();
  for (Process* process : stage.processes) {
    if (process->host() == host) process->kill(EndKind::host_loss, restart);
  }
  for (Node* node : stage.nodes) {
    if (node->host() == host) node->kill(EndKind::host_loss, restart);
  }
  for (HostedServer* server : stage.hosted_servers()) {
    if (server->host() == host) server->lose(restart);
  }
}

}  // namespace

FaultSpec host_loss() {
  return {
      FaultKind::host_loss, TargetSort::host, {2, read_second}, false, begin, nullptr, possible};
}

}  // namespace locklab
