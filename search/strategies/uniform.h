// Uniform: every choice alike, with no mixture; the reference that others are measured against.
// SPDX-License-Identifier: Apache-2.0
//
// Thomson, Donaldson, Betts, "Concurrency Testing Using Schedule Bounding: an Empirical Study",
// PPoPP 2014, found plain random scheduling as good as bounding: what is cleverer must beat it.
// Each choice takes each of its values with the same odds. A fault cannot, or it would always
// strike at the first point: each point of the calm run has the same odds, as many in all as the
// scenario lets strike; then kind, victim, length and size with the same odds each.
#pragma once

#include "search/strategies/calm_run.h"
#include "search/strategies/engine.h"

namespace locklab {

class Uniform : public Engine {
 public:
  Uniform(const Scenario& scenario, const Laboratory& laboratory);
  std::unique_ptr<Proposer> proposer() const override;
  bool samples() const override { return true; }

 private:
  CalmRun calm_;
  std::uint32_t most_faults_;
};

}  // namespace locklab
