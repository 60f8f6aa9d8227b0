// Checks: what a scenario must be beyond each key's own range.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scenarios/decoder.h"
#include "scenarios/decoding.h"
#include "scenarios/scenario.h"

namespace locklab::schema {

/// Reports each error at the value that is wrong. A null vocabulary accepts all names.
void check_scenario(const Scenario& scenario, const Vocabulary* vocabulary, Decoding& d);

/// The part of it about the planned faults and what a search may draw.
void check_faults(const Scenario& scenario, Decoding& d);

/// "client-1" …, "idle-1" …, "redis-1" …, "replica-1" …, "resource", "counter", "orchestrator".
std::vector<std::string> actor_names(const Scenario& scenario);

}  // namespace locklab::schema
