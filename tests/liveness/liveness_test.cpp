// Tests of the probe at scale: who is said to be blocked stays so, and who is live has the lock.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include <gtest/gtest.h>

#include "models/lock.h"
#include "scenarios/decoder.h"
#include "search/search_testing.h"
#include "tests/claims/story.h"
#include "tests/liveness/sweep.h"

namespace locklab::testing_liveness {
namespace {

using testing_search::all_stories;
using testing_search::with_any_faults;

constexpr std::uint64_t kSeeds = LOCKLAB_SEEDS;
constexpr std::uint32_t kFaultsMost = 3;

/// Every story as it is, and every lock where anything may strike.
std::vector<Scenario> scenarios() {
  std::vector<Scenario> all = all_stories();
  for (const LockInfo& lock : all_locks()) {
    all.push_back(with_any_faults(testing_claims::story_of(lock), kFaultsMost));
    all.back().name = "any faults, " + std::string(lock.name);
  }
  for (Scenario& scenario : all)
    scenario.world.limits = {seconds(1200), 1'000'000};  // Room for the insistence.
  return all;
}

void print(const Sweep& all) {
  std::printf("  %llu runs: %llu live, %llu blocked, %llu unknown\n",
              static_cast<unsigned long long>(all.runs), static_cast<unsigned long long>(all.live),
              static_cast<unsigned long long>(all.blocked),
              static_cast<unsigned long long>(all.unknown));
  for (std::size_t i = 0; i < all.facts.size(); ++i) {
    if (all.facts[i] == 0) continue;
    std::printf("  blocked by %-17s %llu\n",
                std::string(name_of(static_cast<BlockingFact>(i))).c_str(),
                static_cast<unsigned long long>(all.facts[i]));
  }
  std::printf("  futures of blocked runs: %llu of %llu blocked\n",
              static_cast<unsigned long long>(all.still_blocked),
              static_cast<unsigned long long>(all.futures_of_blocked));
  std::printf("  futures of live runs:    %llu of %llu live\n",
              static_cast<unsigned long long>(all.still_live),
              static_cast<unsigned long long>(all.futures_of_live));
}

TEST(Liveness, IsWhatTheProbeSays) {
  Sweep all;
  for (const Scenario& scenario : scenarios()) {
    const Sweep one = sweep(scenario, kSeeds);
    for (const std::string& run : one.refuted)
      ADD_FAILURE() << run << " is refuted";
    for (const std::string& run : one.by_luck)
      std::printf("    by luck: %s\n", run.c_str());
    all.add(one);
  }
  print(all);
  for (const std::string& run : all.cut_short)
    ADD_FAILURE() << run << " is cut short";
  EXPECT_GT(all.blocked, 0U);
  EXPECT_GT(all.live, 0U);
}

}  // namespace
}  // namespace locklab::testing_liveness
