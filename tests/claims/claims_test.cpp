// Claims: each lock breaks under the fault kinds that it declares, and under no other alone.
// SPDX-License-Identifier: Apache-2.0
//
// One story for all: two clients, two rounds, one lock, a resource that checks nothing (and, for
// fenced locks, once more one that does); up to two faults of one kind, at any label. A lock that
// renews works beyond its TTL, the others well within. A declared kind must be found within the
// nightly seeds; the short run looks for undeclared ones.
#include <array>
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "models/lock.h"
#include "scenarios/decoder.h"
#include "tests/claims/story.h"

namespace locklab::testing {
namespace {

using testing_claims::story_of;
using testing_claims::with_kind;

constexpr std::uint64_t kSeeds = LOCKLAB_SEEDS;
constexpr bool kFindsAll = kSeeds >= 1000;

/// What a lock declares kinds for: a property, and whether the resource enforces the fence.
struct Claim {
  std::string_view property;
  bool enforced;
  std::string_view Breaks::*kinds;
};
constexpr std::array<Claim, 5> kClaims = {{{"double-ownership", false, &Breaks::two_inside},
                                           {"claimed-exclusion", false, &Breaks::two_claims},
                                           {"serializable-effects", false, &Breaks::harm},
                                           {"serializable-effects", true, &Breaks::fenced_harm},
                                           {"eventual-release", false, &Breaks::blocked}}};
/// By claim: kinds of fault, by name; "none": no fault at all.
using Kinds = std::array<std::set<std::string>, kClaims.size()>;

void add_violated(const Scenario& scenario, FaultKind kind, bool enforced, Kinds& kinds) {
  const SearchResult result = explore(scenario, {1, kSeeds, false});
  for (std::size_t i = 0; i < result.properties->size(); ++i) {
    if (!result.first_violations[i]) continue;
    for (std::size_t c = 0; c < kClaims.size(); ++c) {
      const Claim& claim = kClaims[c];
      if ((*result.properties)[i].name != claim.property || claim.enforced != enforced) continue;
      kinds[c].insert(kind == FaultKind::none ? "none" : std::string(name_of(kind)));
    }
  }
}

Kinds measured(const LockInfo& lock) {
  Kinds kinds;
  const Scenario story = story_of(lock);
  for (unsigned number = 0; number < static_cast<unsigned>(FaultKind::count); ++number) {
    const auto kind = static_cast<FaultKind>(number);
    Scenario scenario = with_kind(story, kind);
    add_violated(scenario, kind, false, kinds);
    if (!lock.fenced) continue;
    scenario.world.resource = ResourceMode::ge_rw;
    scenario.hash = scenario_hash(scenario);
    add_violated(scenario, kind, true, kinds);
  }
  return kinds;
}

std::set<std::string> words_of(std::string_view text) {
  std::set<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) words.insert(std::string(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

Kinds declared(const LockInfo& lock) {
  Kinds kinds;
  for (std::size_t c = 0; c < kClaims.size(); ++c)
    kinds[c] = words_of(lock.breaks.*kClaims[c].kinds);
  return kinds;
}

std::string joined(const std::set<std::string>& words) {
  std::string out;
  for (const std::string& word : words)
    out += (out.empty() ? "" : " ") + word;
  return out;
}

TEST(Claims, EachLockBreaksUnderWhatItDeclaresAndNothingElse) {
  for (const LockInfo& lock : all_locks()) {
    SCOPED_TRACE(std::string(lock.name));
    const Kinds found = measured(lock);
    const Kinds claimed = declared(lock);
    for (std::size_t c = 0; c < kClaims.size(); ++c) {
      const std::string what =
          std::string(kClaims[c].property) + (kClaims[c].enforced ? ", enforced" : "");
      std::printf("  %s|%s|%s\n", std::string(lock.name).c_str(), what.c_str(),
                  joined(found[c]).c_str());
      for (const std::string& kind : found[c])
        EXPECT_TRUE(claimed[c].contains(kind)) << what << " under " << kind;
      if (!kFindsAll) continue;
      for (const std::string& kind : claimed[c])
        EXPECT_TRUE(found[c].contains(kind)) << what << " holds under " << kind;
    }
  }
}

TEST(Claims, NameFaultsThatExist) {
  for (const LockInfo& lock : all_locks()) {
    for (const auto& kinds : declared(lock)) {
      for (const std::string& kind : kinds)
        EXPECT_TRUE(kind == "none" || fault_kind_named(kind)) << lock.name << ": " << kind;
    }
  }
}

}  // namespace
}  // namespace locklab::testing
