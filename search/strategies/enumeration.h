// Enumeration: single deviations, or sets of more and more, as numbered schedules.
// SPDX-License-Identifier: Apache-2.0
//
// Singles end: there are the calm run of each cell of the grid of free dimensions, then each single
// deviation from each of them, spread over the run, so that a budget that ends early has looked
// everywhere a little. Deepening goes on with pairs and triples, depth first; it is certify's
// enumeration without the certificate (docs/certificates.md), in the order that is best for that
// and not for finding something soon.
#pragma once

#include "search/explore.h"
#include "search/strategies/bound.h"
#include "search/strategies/engine.h"

namespace locklab {

class Singles : public Engine {
 public:
  Singles(const Scenario& scenario, const Laboratory& laboratory);
  std::unique_ptr<Proposer> proposer() const override;

 private:
  const Scenario& scenario_;
  Laboratory laboratory_;
};

class IterativeDeepening : public Engine {
 public:
  IterativeDeepening(const Scenario& scenario, const Laboratory& laboratory);
  std::unique_ptr<Proposer> proposer() const override;

 private:
  const Scenario& scenario_;
  Laboratory laboratory_;
};

}  // namespace locklab
