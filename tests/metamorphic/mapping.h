// Mapping: the deviations of one story as those of its image, when actors change their numbers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "sim/choice.h"

namespace locklab::testing {

struct Mapping {
  std::function<ActorId(ActorId)> actor;
  /// FaultValue::target of a kind; 0 stays the natural one.
  std::function<unsigned(FaultKind, unsigned)> target = [](FaultKind, unsigned t) { return t; };
};

/// Every address, deadline owner and target mapped; witnesses are dropped, for they name actors.
std::vector<Deviation> mapped(std::span<const Deviation> deviations, const Mapping& mapping);

/// What a kind strikes, as sim/faults/ has it.
bool strikes_process(FaultKind kind);
bool strikes_host(FaultKind kind);

}  // namespace locklab::testing
