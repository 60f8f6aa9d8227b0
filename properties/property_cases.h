// Property cases: what each property's test file offers to the mutants' test.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "properties/testing.h"

namespace locklab {
Property double_ownership();
Property claimed_exclusion();
Property serializable_effects();
Property no_stale_write();
Property no_lost_update();
Property no_foreign_mutation();
Property no_orphan_key();
Property eventual_release();
Property fence_order();
Property effect_exclusion();
Property lease_safety();
Property honest_outcome();
Property watchdog_termination();
Property no_open_door();
Property reentrancy_balance();
}  // namespace locklab

namespace locklab::testing {

/// Defined in <property>_test.cpp.
std::vector<Case> double_ownership_cases();
std::vector<Case> claimed_exclusion_cases();
std::vector<Case> serializable_effects_cases();
std::vector<Case> no_stale_write_cases();
std::vector<Case> no_lost_update_cases();
std::vector<Case> no_foreign_mutation_cases();
std::vector<Case> no_orphan_key_cases();
std::vector<Case> eventual_release_cases();
std::vector<Case> fence_order_cases();
std::vector<Case> effect_exclusion_cases();
std::vector<Case> lease_safety_cases();
/// Part of them.
std::vector<Case> denial_cases();
std::vector<Case> honest_outcome_cases();
std::vector<Case> watchdog_termination_cases();
std::vector<Case> no_open_door_cases();
std::vector<Case> reentrancy_balance_cases();

/// Generated from mutants.txt; see mutate.cpp.
std::span<const Mutant> double_ownership_mutants();
std::span<const Mutant> claimed_exclusion_mutants();
std::span<const Mutant> serializable_effects_mutants();
std::span<const Mutant> no_stale_write_mutants();
std::span<const Mutant> no_lost_update_mutants();
std::span<const Mutant> no_foreign_mutation_mutants();
std::span<const Mutant> no_orphan_key_mutants();
std::span<const Mutant> eventual_release_mutants();
std::span<const Mutant> fence_order_mutants();
std::span<const Mutant> effect_exclusion_mutants();
std::span<const Mutant> lease_safety_mutants();
std::span<const Mutant> honest_outcome_mutants();
std::span<const Mutant> watchdog_termination_mutants();
std::span<const Mutant> no_open_door_mutants();
std::span<const Mutant> reentrancy_balance_mutants();
const Mutant& double_ownership_original();
const Mutant& claimed_exclusion_original();
const Mutant& serializable_effects_original();
const Mutant& no_stale_write_original();
const Mutant& no_lost_update_original();
const Mutant& no_foreign_mutation_original();
const Mutant& no_orphan_key_original();
const Mutant& eventual_release_original();
const Mutant& fence_order_original();
const Mutant& effect_exclusion_original();
const Mutant& lease_safety_original();
const Mutant& honest_outcome_original();
const Mutant& watchdog_termination_original();
const Mutant& no_open_door_original();
const Mutant& reentrancy_balance_original();

}  // namespace locklab::testing
