// Portfolio: some of each strategy, for who does not want to choose one.
// SPDX-License-Identifier: Apache-2.0
//
// Of twenty numbers twelve are of the swarm, four of priorities (depth 2, 2, 3, 4), three of the
// single deviations and one is uniform. When the single deviations have been tried their numbers
// are the swarm's. Nothing in it learns, so that each number is a schedule of its own.
#pragma once

#include "search/strategies/enumeration.h"
#include "search/strategies/priorities.h"
#include "search/strategies/swarm.h"
#include "search/strategies/uniform.h"

namespace locklab {

class Portfolio : public Engine {
 public:
  Portfolio(const Scenario& scenario, const Laboratory& laboratory);
  std::unique_ptr<Proposer> proposer() const override;

 private:
  Swarm swarm_;
  Priorities depth_2_;
  Priorities depth_3_;
  Priorities depth_4_;
  Singles singles_;
  Uniform uniform_;
};

}  // namespace locklab
