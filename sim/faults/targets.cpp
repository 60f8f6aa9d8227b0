// Targets: whom a number names at a point.
// SPDX-License-Identifier: Apache-2.0
#include "sim/faults/targets.h"

#include <algorithm>

namespace locklab {
namespace {

Process* natural_process(const Stage& stage, const Point& point) {
  if (Process* client = stage.process(point.client)) return client;
  if (Process* actor = stage.process(point.actor)) return actor;
  return stage.processes.empty() ? nullptr : stage.processes.front();
}

Node* natural_node(const Stage& stage, const Point& point) {
  // Who executes the label comes before the other end: at repl.before_send the primary.
  if (Node* actor = stage.node(point.actor)) return actor;
  if (Node* server = stage.node(point.server)) return server;
  return stage.nodes.empty() ? nullptr : &stage.primary();
}

ActorId server_number(const Stage& stage, unsigned number) {
  const std::size_t nodes = stage.nodes.size();
  if (number <= nodes) return stage.nodes[number - 1]->id();
  return number == nodes + 1 ? stage.resource->id() : stage.counter->id();
}

bool pick_link(const Stage& stage, unsigned number, Strike& strike) {
  const Process* client = natural_process(stage, strike.point);
  if (client == nullptr) return false;
  strike.target = client->id();
  if (number > 0) {
    strike.peer = server_number(stage, number);
  } else if (strike.point.server != kWorldActor) {
    strike.peer = strike.point.server;
  } else {
    const Node* node = natural_node(stage, strike.point);
    strike.peer = node == nullptr ? stage.resource->id() : node->id();
  }
  return true;
}

bool pick_replica(const Stage& stage, unsigned number, Strike& strike) {
  std::vector<ActorId> replicas;
  for (const Node* node : stage.nodes) {
    if (node->role() == redis::Role::replica) replicas.push_back(node->id());
  }
  if (replicas.empty()) return false;
  strike.target =
      replicas[std::min<std::size_t>(number == 0 ? 0 : number - 1, replicas.size() - 1)];
  strike.peer = stage.primary().id();
  return true;
}

}  // namespace

std::uint32_t fiber_at(const Process& process, const Point& point) {
  const bool own = point.client == process.id() && point.fiber != UINT32_MAX;
  return own ? point.fiber : process.first_live_fiber();
}

unsigned target_count(const Stage& stage, TargetSort sort) {
  const auto nodes = static_cast<unsigned>(stage.nodes.size());
  const auto processes = static_cast<unsigned>(stage.processes.size());
  switch (sort) {
    case TargetSort::process:
      return 1;  // The others are struck at labels of their own.
    case TargetSort::node:
      return 1 + nodes;
    case TargetSort::host:
      return 1 + nodes + processes;
    case TargetSort::server_link:
      return 1 + nodes + 2;
    case TargetSort::connection:
      return 1;
    case TargetSort::replica:
      return nodes;
  }
  return 1;
}

bool pick_target(const Stage& stage, TargetSort sort, unsigned number, Strike& strike) {
  number = std::min(number, target_count(stage, sort) - 1);
  const auto nodes = static_cast<unsigned>(stage.nodes.size());
  switch (sort) {
    case TargetSort::process: {
      Process* process = natural_process(stage, strike.point);
      if (process == nullptr || !process->alive()) return false;
      strike.target = process->id();
      strike.fiber = fiber_at(*process, strike.point);
      return true;
    }
    case TargetSort::node: {
      Node* node = number == 0 ? natural_node(stage, strike.point) : stage.nodes[number - 1];
      if (node == nullptr || !node->alive()) return false;
      strike.target = node->id();
      return true;
    }
    case TargetSort::host: {
      if (number > nodes) {
        strike.target = stage.processes[number - nodes - 1]->id();
        return true;
      }
      Node* node = number == 0 ? natural_node(stage, strike.point) : stage.nodes[number - 1];
      if (node == nullptr) return false;
      strike.target = node->id();
      return true;
    }
    case TargetSort::server_link:
      return pick_link(stage, number, strike);
    case TargetSort::connection:
      strike.connection = strike.point.connection;
      strike.target = strike.point.server;
      return strike.connection != kNoConnection;
    case TargetSort::replica:
      return pick_replica(stage, number, strike);
  }
  return false;
}

}  // namespace locklab
