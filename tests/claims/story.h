// The story of the claims: one lock, two clients, and faults of one kind alone.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/lock.h"
#include "search/search_testing.h"

namespace locklab::testing_claims {

constexpr std::uint32_t kFaultsMost = 2;

/// Work well within the TTL; beyond it for a lock that renews.
inline Scenario story_of(const LockInfo& lock) {
  Scenario scenario = testing_search::story("calm");
  scenario.clients.resize(1);
  scenario.clients[0].algorithm = lock.name;
  scenario.clients[0].count = 2;
  scenario.world.topology.nodes = lock.nodes;
  scenario.world.topology.replicas = lock.nodes == 1 ? 1 : 0;
  if (lock.renews) scenario.workload.work = milliseconds(1500);
  scenario.expect.clear();
  return scenario;
}

inline Scenario with_kind(Scenario scenario, FaultKind kind) {
  scenario.world.search = {};
  if (kind != FaultKind::none) {
    scenario.world.search.of = FaultKinds{}.with(kind);
    scenario.world.search.max = kFaultsMost;
  }
  scenario.hash = scenario_hash(scenario);
  return scenario;
}

}  // namespace locklab::testing_claims
