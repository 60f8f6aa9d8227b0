// Double ownership with and without fencing tokens, over plans and seeds drawn at random.
// SPDX-License-Identifier: Apache-2.0
//
// What a fence can do and what it cannot: harm disappears, double ownership does not.
#include <iostream>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "search/explore.h"
#include "search/search_testing.h"

namespace locklab {
namespace {

constexpr std::uint64_t kSeeds = 40;  // Runs of each plan.

/// A lock whose fences come from a linearizable counter, and up to two faults of any kinds
/// anywhere.
Scenario any_plan() {
  Scenario scenario = testing_search::story("pause-outlives-lease");
  scenario.properties.clear();
  scenario.expect.clear();
  scenario.clients[0].algorithm = "set-nx-px-fenced";
  scenario.clients[0].count = *rc::gen::element<std::uint32_t>(2, 3);
  scenario.clients[0].ttl = milliseconds(*rc::gen::element<std::int64_t>(400, 1000, 3000));
  scenario.workload.work = milliseconds(*rc::gen::element<std::int64_t>(100, 300, 700));
  scenario.workload.effects = *rc::gen::element<std::uint32_t>(1, 2);
  scenario.world.objects = *rc::gen::element<std::uint32_t>(1, 2);
  if (*rc::gen::element(false, true)) scenario.world.topology.replicas = 1;
  FaultSearch& search = scenario.world.search;
  search = {};
  search.max = *rc::gen::element<std::uint32_t>(1, 2);
  search.of = search.of.with(*rc::gen::element(FaultKind::pause, FaultKind::slow, FaultKind::jump,
                                               FaultKind::suspend, FaultKind::failover));
  const auto more =
      static_cast<FaultKind>(*rc::gen::inRange(1, static_cast<int>(FaultKind::count)));
  search.of = search.of.with(more);
  return scenario;
}

struct Count {
  std::uint64_t inside = 0;  // Runs with double ownership.
  std::uint64_t harmed = 0;  // Runs whose accepted effects are not serializable.
};

Count count(Scenario scenario, ResourceMode mode, std::uint64_t first_seed) {
  scenario.world.resource = mode;
  scenario.hash = scenario_hash(scenario);
  RC_ASSERT(check_locks(scenario).empty());
  const SearchResult result = explore(scenario, {first_seed, first_seed + kSeeds - 1, false});
  Count counted;
  for (const Tally& tally : result.tallies.all()) {
    if (tally.property->name == "double-ownership") counted.inside = tally.violated;
    if (tally.property->name == "serializable-effects") counted.harmed = tally.violated;
  }
  return counted;
}

TEST(Fencing, HarmsNobodyWhileTwoAreInside) {
  Count without;
  Count with;
  std::uint64_t runs = 0;
  const bool holds = rc::check([&] {
    const Scenario plan = any_plan();
    const std::uint64_t seed = *rc::gen::noShrink(rc::gen::inRange<std::uint64_t>(1, 1U << 30));
    const Count open = count(plan, ResourceMode::none, seed);
    const Count fenced = count(plan, ResourceMode::ge_rw, seed);
    RC_ASSERT(fenced.harmed == 0U);
    without.inside += open.inside;
    without.harmed += open.harmed;
    with.inside += fenced.inside;
    runs += kSeeds;
  });
  EXPECT_TRUE(holds);
  // Both must have happened often enough to mean something.
  EXPECT_GE(without.harmed, 20U);
  EXPECT_GE(with.inside, 20U);
  ::testing::Test::RecordProperty("runs", static_cast<int>(runs));
  ::testing::Test::RecordProperty("double-ownership-without", static_cast<int>(without.inside));
  ::testing::Test::RecordProperty("harm-without", static_cast<int>(without.harmed));
  ::testing::Test::RecordProperty("double-ownership-with", static_cast<int>(with.inside));
  std::cout << "  " << runs << " runs each: without enforcement " << without.inside
            << " with two inside and " << without.harmed << " harmed; with it " << with.inside
            << " with two inside and none harmed\n";
}

}  // namespace
}  // namespace locklab
