// Shrink the world: fewer clients, rounds, effects, replicas and nodes, as long as it fails alike.
// SPDX-License-Identifier: Apache-2.0
//
// Who takes part is the scenario's and not the schedule's, so that what can go is told as
// assignments for --set. Choices are named by their causes: those of the actors that stay keep
// their places; where they do not, the smaller world is searched anew.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "search/shrink.h"

namespace locklab {

struct SmallerWorld {
  std::vector<std::string> set;  // In order; empty: the world is as small as it can be.
  Scenario scenario;             // With them.
  ShrinkResult shrunk;           // There; as it was given, if `set` is empty.
  std::uint32_t executions = 0;
};

/// `shrunk` reproduced the violation of `property` in `scenario`. The result has no more deviations
/// and the same signature. The budget is for the whole.
SmallerWorld shrink_actors(const Scenario& scenario, const ShrinkResult& shrunk,
                           std::string_view property, const ShrinkOptions& options = {},
                           const Laboratory& laboratory = {});

}  // namespace locklab
