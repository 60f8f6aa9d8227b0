// Tests of suffixes: the same past, and whether somebody gets the lock in each future.
// SPDX-License-Identifier: Apache-2.0
#include "search/suffixes.h"

#include <gtest/gtest.h>

#include "search/search_testing.h"

namespace locklab {
namespace {

using testing_search::story;

/// Of the run with that seed, which is blocked.
Suffixes of(std::string_view name, std::uint64_t seed) {
  Scenario scenario = story(name);
  scenario.properties = {"eventual-release"};
  const SearchResult result = explore(scenario, {seed, seed, false});
  return suffixes_of(scenario, result.first_violations.at(0).value().choices);
}

TEST(Suffixes, OfAnOrphanAreAllBlocked) {
  EXPECT_EQ(of("crash-between-setnx-and-expire", 1), (Suffixes{20, 0, 20, 0}));
}

TEST(Suffixes, OfALeakedWatchdogAreAllBlocked) {
  EXPECT_EQ(of("watchdog-leaks", 1), (Suffixes{20, 0, 20, 0}));
}

/// The SETNX of a client that was killed is under way when the faults stop: in this run it
/// overtakes the probe's, in the others it does not.
TEST(Suffixes, MayAllBeLiveAlthoughTheRunIsBlocked) {
  EXPECT_EQ(of("crash-between-setnx-and-expire", 123), (Suffixes{20, 20, 0, 0}));
}

TEST(Suffixes, OfTheCalmRunAreAllLive) {
  EXPECT_EQ(suffixes_of(story("calm"), {}, 5), (Suffixes{5, 5, 0, 0}));
}

TEST(Suffixes, AreNotDrawnOfARunThatEndsBeforeItsFaultsStop) {
  EXPECT_EQ(suffixes_of(story("calm", {"limits.steps=50"}), {}), Suffixes{});
}

}  // namespace
}  // namespace locklab
