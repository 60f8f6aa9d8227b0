// Shrinking whatever fails, over stories and seeds drawn at random.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "search/search_testing.h"
#include "search/shrink.h"
#include "sim/sources.h"

namespace locklab {
namespace {

using testing_search::story;

constexpr std::string_view kStories[] = {"pause-outlives-lease",
                                         "late-write",
                                         "late-blind-del",
                                         "failover-forgets-lock",
                                         "crash-between-setnx-and-expire",
                                         "redlock-clock-jump"};

/// Some failing run of one of the stories at or after a random seed.
struct Failing {
  Scenario scenario;
  FoundRun run;
  std::string_view property;
};

Failing any_failing() {
  Failing failing;
  failing.scenario = story(kStories[*rc::gen::inRange<std::size_t>(0, std::size(kStories))]);
  failing.scenario.expect.clear();
  const std::uint64_t seed = *rc::gen::noShrink(rc::gen::inRange<std::uint64_t>(1, 1U << 30));
  const SearchResult result = explore(failing.scenario, {seed, seed + 2000, true});
  RC_ASSERT(result.unexpected.has_value());
  failing.run = *result.unexpected;
  std::vector<std::string_view> violated;
  for (const NamedFinding& named : failing.run.findings) {
    if (named.finding.verdict == Verdict::violated) violated.push_back(named.property->name);
  }
  failing.property = *rc::gen::elementOf(violated);
  return failing;
}

RC_GTEST_PROP(ShrinkProperty, IsSmallVerifiedAndAtRest, ()) {
  const Failing failing = any_failing();
  const ShrinkResult once = shrink(failing.scenario, failing.run.choices, failing.property);
  RC_ASSERT(once.reproduced && once.minimal && once.verified);
  RC_ASSERT(size_of(once.choices) <= size_of(failing.run.choices));
  const ShrinkResult twice = shrink(failing.scenario, once.choices, failing.property);
  RC_ASSERT(twice.choices == once.choices);
  RC_ASSERT(twice.signature == once.signature);
  RC_TAG(once.deviations_after);
}

RC_GTEST_PROP(ShrinkProperty, EveryBudgetLeavesAFailure, ()) {
  const Failing failing = any_failing();
  ShrinkOptions options;
  options.budget = *rc::gen::inRange<std::uint32_t>(1, 60);
  const ShrinkResult result =
      shrink(failing.scenario, failing.run.choices, failing.property, options);
  RC_ASSERT(result.reproduced && result.verified);
  RC_ASSERT(result.executions <= options.budget + 2);
  RC_ASSERT(result.finding.verdict == Verdict::violated);
}

}  // namespace
}  // namespace locklab
