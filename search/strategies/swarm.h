// Swarm: random draws whose rates are drawn anew for each run; what `check` does unless told.
// SPDX-License-Identifier: Apache-2.0
//
// Groce, Zhang, Eide, Chen, Regehr, "Swarm Testing", ISSTA 2012: many different mixtures find more
// than one good mixture. Number n is seed n of the kernel's SeededSource, whose knobs are the
// mixture: for each kind of choice whether and how often it deviates, log-uniform from 1/512 to
// always, and the kinds of fault that are switched on.
#pragma once

#include "search/strategies/engine.h"
#include "sim/sources.h"

namespace locklab {

class Swarm : public Engine {
 public:
  std::unique_ptr<Proposer> proposer() const override;
  bool samples() const override { return true; }
};

}  // namespace locklab
