// Claims: each lock breaks under the fault kinds that it declares, and under no other alone.
// SPDX-License-Identifier: Apache-2.0
//
// One story for all: two clients, two rounds, one lock, a resource that checks nothing; up to two
// faults of one kind, at any label. A lock that renews works beyond its TTL, the others well
// within. A declared kind must be found within the nightly seeds; the short run looks for
// undeclared ones.
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

constexpr std::array<std::string_view, 3> kProperties = {"double-ownership", "serializable-effects",
                                                         "eventual-release"};
/// By property: kinds of fault, by name; "none": no fault at all.
using Kinds = std::array<std::set<std::string>, kProperties.size()>;

Kinds measured(const LockInfo& lock) {
  Kinds kinds;
  for (unsigned number = 0; number < static_cast<unsigned>(FaultKind::count); ++number) {
    const auto kind = static_cast<FaultKind>(number);
    const Scenario scenario = with_kind(story_of(lock), kind);
    const SearchResult result = explore(scenario, {1, kSeeds, false});
    for (std::size_t i = 0; i < result.properties->size(); ++i) {
      if (!result.first_violations[i]) continue;
      for (std::size_t p = 0; p < kProperties.size(); ++p) {
        if ((*result.properties)[i].name != kProperties[p]) continue;
        kinds[p].insert(kind == FaultKind::none ? "none" : std::string(name_of(kind)));
      }
    }
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
  return {words_of(lock.breaks.two_inside), words_of(lock.breaks.harm),
          words_of(lock.breaks.blocked)};
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
    for (std::size_t p = 0; p < kProperties.size(); ++p) {
      std::printf("  %s|%s|%s\n", std::string(lock.name).c_str(),
                  std::string(kProperties[p]).c_str(), joined(found[p]).c_str());
      for (const std::string& kind : found[p])
        EXPECT_TRUE(claimed[p].contains(kind)) << kProperties[p] << " under " << kind;
      if (!kFindsAll) continue;
      for (const std::string& kind : claimed[p])
        EXPECT_TRUE(found[p].contains(kind)) << kProperties[p] << " holds under " << kind;
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
