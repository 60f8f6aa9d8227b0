// Stage: everybody who takes part in one execution, for faults, probe and controls.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/counter.h"
#include "sim/net/network.h"
#include "sim/orchestrator.h"
#include "sim/process.h"
#include "sim/redis/node.h"
#include "sim/redis/sha1.h"
#include "sim/resource/resource.h"
#include "sim/world.h"

namespace locklab {

struct Stage {
  World* world = nullptr;
  Network* network = nullptr;
  std::vector<Process*> processes;  // Clients, in order; idle ones last.
  std::vector<Node*> nodes;         // Independent nodes, or the primary and its replicas.
  Counter* counter = nullptr;
  Resource* resource = nullptr;
  Orchestrator* orchestrator = nullptr;  // Only with replicas.

  Process* process(ActorId id) const {
    for (Process* process : processes) {
      if (process->id() == id) return process;
    }
    return nullptr;
  }
  Node* node(ActorId id) const {
    for (Node* node : nodes) {
      if (node->id() == id) return node;
    }
    return nullptr;
  }
  /// The servers that are no nodes.
  std::vector<HostedServer*> hosted_servers() const {
    std::vector<HostedServer*> servers = {resource, counter};
    if (orchestrator != nullptr) servers.push_back(orchestrator);
    return servers;
  }
  /// The SHA-1 of a script's body, 40 hexadecimal digits; remembered for the thread's other runs.
  std::string_view sha_of(std::string_view body);

  Node& primary() const {
    return orchestrator != nullptr ? orchestrator->primary() : *nodes.front();
  }

 private:
  struct KnownScript {
    std::string body;
    redis::Sha1Hex sha;
  };
  std::vector<std::unique_ptr<KnownScript>> scripts_;
};

}  // namespace locklab
