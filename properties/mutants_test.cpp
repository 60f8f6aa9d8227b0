// Mutants: each wrong variant of each checker gets some case wrong, so the tables can fail.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string_view>

#include <gtest/gtest.h>

#include "properties/property_cases.h"

namespace locklab::testing {
namespace {

struct Suspect {
  std::string_view property;
  std::vector<Case> (*cases)();
  std::span<const Mutant> (*mutants)();
  const Mutant& (*original)();
};

constexpr Suspect kSuspects[] = {
    {"double-ownership", double_ownership_cases, double_ownership_mutants,
     double_ownership_original},
    {"claimed-exclusion", claimed_exclusion_cases, claimed_exclusion_mutants,
     claimed_exclusion_original},
    {"serializable-effects", serializable_effects_cases, serializable_effects_mutants,
     serializable_effects_original},
    {"no-stale-write", no_stale_write_cases, no_stale_write_mutants, no_stale_write_original},
    {"no-lost-update", no_lost_update_cases, no_lost_update_mutants, no_lost_update_original},
    {"no-foreign-mutation", no_foreign_mutation_cases, no_foreign_mutation_mutants,
     no_foreign_mutation_original},
    {"no-orphan-key", no_orphan_key_cases, no_orphan_key_mutants, no_orphan_key_original},
    {"eventual-release", eventual_release_cases, eventual_release_mutants,
     eventual_release_original},
    {"fence-order", fence_order_cases, fence_order_mutants, fence_order_original},
    {"effect-exclusion", effect_exclusion_cases, effect_exclusion_mutants,
     effect_exclusion_original},
    {"lease-safety", lease_safety_cases, lease_safety_mutants, lease_safety_original},
    {"honest-outcome", honest_outcome_cases, honest_outcome_mutants, honest_outcome_original},
    {"watchdog-termination", watchdog_termination_cases, watchdog_termination_mutants,
     watchdog_termination_original},
    {"no-open-door", no_open_door_cases, no_open_door_mutants, no_open_door_original},
    {"reentrancy-balance", reentrancy_balance_cases, reentrancy_balance_mutants,
     reentrancy_balance_original},
};

TEST(Mutants, EachIsKilledByACaseOfItsProperty) {
  for (const Suspect& suspect : kSuspects) {
    const std::vector<Case> cases = suspect.cases();
    for (const Mutant& mutant : suspect.mutants()) {
      const bool survives = std::all_of(cases.begin(), cases.end(), [&mutant](const Case& example) {
        return agrees(example, mutant.judge(example.history));
      });
      EXPECT_FALSE(survives) << suspect.property << " survives " << mutant.change;
    }
  }
}

TEST(Mutants, TheUnchangedSourceAgreesWithEveryCase) {
  for (const Suspect& suspect : kSuspects) {
    for (const Case& example : suspect.cases()) {
      EXPECT_TRUE(agrees(example, suspect.original().judge(example.history)))
          << suspect.property << ": " << example.name;
    }
  }
}

TEST(Mutants, EachPropertyHasThemAndCasesOfBothSorts) {
  const std::vector<Property> all = all_properties();
  ASSERT_EQ(all.size(), std::size(kSuspects));
  for (std::size_t i = 0; i < all.size(); ++i) {
    SCOPED_TRACE(all[i].name);
    const std::vector<Case> cases = kSuspects[i].cases();
    const auto count = [&cases](Verdict verdict) {
      return std::count_if(cases.begin(), cases.end(),
                           [verdict](const Case& example) { return example.verdict == verdict; });
    };

    EXPECT_EQ(all[i].name, kSuspects[i].property);
    EXPECT_GE(kSuspects[i].mutants().size(), 4U);
    EXPECT_GE(count(Verdict::holds), 3);
    EXPECT_GE(count(Verdict::violated), 2);
  }
}

}  // namespace
}  // namespace locklab::testing
