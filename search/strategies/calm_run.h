// CalmRun: how much there is to decide in a scenario's calm run, for strategies that place things.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "search/explore.h"

namespace locklab {

/// What the run of all zeros was asked.
struct CalmRun {
  std::uint32_t orders = 0;  // Choices of order, delay and the like: all but the next two.
  std::uint32_t faults = 0;  // Points at which a fault could strike.
  std::uint32_t phases = 0;  // Of free dimensions.

  static CalmRun of(const Scenario& scenario, const Laboratory& laboratory);
};

/// One of the faults that the menu offers: each kind, then each victim, length, distance from it
/// and second size alike. 0: it offers none.
std::uint64_t any_fault(const FaultMenu& menu, std::uint64_t random);

}  // namespace locklab
