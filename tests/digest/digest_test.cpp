// Every embedded scenario under hostile heaps and stacks gives the same digests.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "search/search_testing.h"
#include "tests/digest/twice.h"

namespace locklab::testing {
namespace {

constexpr std::uint64_t kSeeds = 50;

TEST(Digests, DoNotDependOnHeapStackHistoryOrThread) {
  for (const Scenario& scenario : testing_search::all_stories()) {
    EXPECT_EQ(what_differs(scenario, find_lock, kSeeds), "");
  }
}

TEST(Digests, OfTwoRunnersThatTakeTurnsAreThoseOfOne) {
  const Scenario calm = testing_search::story("calm");
  const Scenario pause = testing_search::story("pause-outlives-lease");
  const std::vector<std::uint64_t> alone = digests(pause, find_lock, kSeeds, 0);
  Runner runner;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    SeededSource source(seed);
    runner.run(calm, source);
    EXPECT_EQ(runner.run(pause, source).digest, alone[seed - 1]) << seed;
  }
}

TEST(Heaps, GiveAddressesInTheirOrderAndTheirBytes) {
  const auto probe = [](HeapOrder order, unsigned char fill) {
    const HeapScope scope(order, fill);
    auto* const first = static_cast<unsigned char*>(::operator new(64));
    auto* const second = static_cast<unsigned char*>(::operator new(64));
    const bool ascending = first < second;
    const volatile unsigned char* const unwritten = second;
    // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): it is what the test plants.
    const unsigned char seen = unwritten[17];
    ::operator delete(first);
    ::operator delete(second);
    return std::pair(ascending, seen);
  };
  EXPECT_EQ(probe(HeapOrder::ascending, 0x00), std::pair(true, static_cast<unsigned char>(0x00)));
  EXPECT_EQ(probe(HeapOrder::descending, 0xff), std::pair(false, static_cast<unsigned char>(0xff)));
}

}  // namespace
}  // namespace locklab::testing
