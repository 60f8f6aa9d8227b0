// Controls: two locks that no catalogue lists, and that every oracle must tell apart.
// SPDX-License-Identifier: Apache-2.0
//
// The omniscient lock reads the truth and must never be found at fault; the always-granting lock
// must always be. They guard properties and kernel in both directions (kernel contract,
// "Controls").
#pragma once

#include <string>
#include <vector>

#include "scenarios/run.h"
#include "scenarios/scenario.h"

namespace locklab::testing {

/// Grants only when nobody is inside, in true time, and nothing is under way to the resource; its
/// fences come from a true count. It stores and deletes keys as set-nx-px does, so that faults have
/// something to strike, and cares for no answer.
const LockInfo& omniscient();

/// The same, and says by which nonce it holds and until when, so that properties can ask the
/// servers. It is never at fault as long as the servers keep what they have and their time.
const LockInfo& omniscient_by_name();

/// Grants whoever asks, at once, with ever the same fence.
const LockInfo& always_granting();

/// Whatever algorithm a scenario names, it gets this one.
LockFinder in_place_of_all(const LockInfo& control);

/// The embedded scenarios, and two with replicas and two objects, the second over an at-least-once
/// queue: each with all kinds of faults at all labels, no expectation, and the properties that a
/// lock can be held to.
std::vector<Scenario> scenarios_with_all_faults(std::uint32_t faults_max);

/// Two calm worlds, with the kinds of faults that leave servers and clocks alone.
std::vector<Scenario> scenarios_with_client_faults(std::uint32_t faults_max);

}  // namespace locklab::testing
