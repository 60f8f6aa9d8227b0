// Priorities: who is slow is drawn once for a run, and changes at a few points only; like PCT.
// SPDX-License-Identifier: Apache-2.0
//
// After Burckhardt, Kothari, Musuvathi, Nagarakatte, "A Randomized Scheduler with Probabilistic
// Guarantees of Finding Bugs", ASPLOS 2010. There, of the threads that can run the one with the
// highest priority runs, and its bound on the odds follows. Here events run when they are due, and
// a choice can only hold or delay one below a limit: that bound is NOT claimed, nor any other.
//
// Each actor, link or fiber's process has a level, 0 to 7; each of its choices of order or delay
// takes that share of what it could. With depth d there are d - 1 change points, placed evenly over
// the choices of the calm run: at one, whoever decides there falls to the slowest level, or, with
// even odds where faults may be drawn, a fault strikes. Depth 1 is nothing but levels.
#pragma once

#include "search/strategies/calm_run.h"
#include "search/strategies/engine.h"

namespace locklab {

class Priorities : public Engine {
 public:
  Priorities(const Scenario& scenario, const Laboratory& laboratory, std::uint32_t depth);
  std::unique_ptr<Proposer> proposer() const override;
  bool samples() const override { return true; }

 private:
  CalmRun calm_;
  std::uint32_t depth_;
};

}  // namespace locklab
