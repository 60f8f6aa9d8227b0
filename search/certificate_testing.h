// A lock with a bug that needs exactly so many deviations, and small stories to certify.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "models/set_nx_px.h"
#include "search/certificate.h"
#include "search/search_testing.h"

namespace locklab::testing_search {

/// Set-nx-px, but that after so many lost answers it takes the lock for its own.
template <std::uint32_t kLost>
class Impatient : public SetNxPx {
 public:
  void begin() override { lost_ = 0; }
  Acquired acquire(Client& client, const LockRequest& request) override {
    const Acquired acquired = SetNxPx::acquire(client, request);
    if (acquired.outcome == Outcome::unknown && ++lost_ == kLost) {
      return Acquired::lease_of({.key = request.key, .nonce = client.new_nonce()});
    }
    return acquired;
  }

 private:
  std::uint32_t lost_ = 0;
};

template <std::uint32_t kLost>
const LockInfo* find_impatient(std::string_view) {
  static const LockInfo kInfo{.name = "set-nx-px",
                              .summary = "impatient",
                              .source = "this test",
                              .make = make_lock<Impatient<kLost>>};
  return &kInfo;
}

template <std::uint32_t kLost>
Laboratory impatient() {
  Laboratory laboratory;
  laboratory.find = find_impatient<kLost>;
  return laboratory;
}

/// Two clients, one round each, and lost answers to acquire.
inline Scenario lost_answers(std::uint32_t most = 3) {
  Scenario scenario = story("retried-set-nx-px");
  scenario.name = "lost-answers";
  for (ClientConfig& client : scenario.clients)
    client.retries = 0;
  scenario.workload.rounds = 1;
  scenario.world.search.of = FaultKinds{}.with(FaultKind::lost_reply);
  scenario.world.search.max = most;
  scenario.hash = scenario_hash(scenario);
  return scenario;
}

/// So many faults and nothing else, in the calm cell alone.
inline Bound faults_only(std::uint32_t most) {
  Bound bound;
  bound.deviations = bound.faults = most;
  bound.phases = {1, 1, 1};
  return bound;
}

inline Certificate certified(const Scenario& scenario, const Bound& bound,
                             const Laboratory& laboratory = {}, unsigned jobs = 1,
                             Shard shard = {}) {
  return certify(scenario, blank_certificate(scenario, bound, shard, laboratory), jobs, {},
                 laboratory);
}

}  // namespace locklab::testing_search
