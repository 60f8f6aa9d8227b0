// judge: how many schedules it takes until a promise is broken; linked anew with each mutant.
// SPDX-License-Identifier: Apache-2.0
//
// judge locks LOCK... | judge all [SEEDS]
//
// Seed 1 of each story, then seed 2 of each, and so on, until something that must hold does not: a
// kill. Stories are those of the program, and for each correct lock and each kind of fault that it
// does not declare, one with that kind alone (tests/claims). Spent without a kill, the search still
// asks what verdicts_test asks: whether each trap has bitten, and whether a lock that is never at
// fault was ever granted while another wanted it. Prints one line:
//   promise|fails <schedules> <story> <property or message>
//   trap <schedules> <story> <property>
//   idle <schedules> <story>
//   holds <schedules> <digest of all runs>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <set>
#include <string>
#include <vector>

#include "search/search_testing.h"
#include "sim/mix.h"
#include "sim/sources.h"

namespace {

using namespace locklab;

constexpr std::uint64_t kSeeds = 200;     // Within which each trap bites (tests/verdicts).
constexpr std::uint32_t kFaultsMost = 2;  // Of one kind, as in tests/claims.

/// Those that tests/claims holds to what they declare, and that are mutated: no broken variants.
const char* const kCorrect[] = {
    "set-nx-px",           "set-nx-px-checked", "set-nx-px-fenced", "set-nx-px-wait", "redlock",
    "redlock-fenced",      "watchdog",          "redlock-watchdog", "reentrant",      "incr-fence",
    "incr-fence-in-script"};

struct Case {
  Scenario scenario;
  std::set<std::string> judged;  // Empty: everything.
  std::set<std::string> unbitten;
  std::set<std::string> exercised;
  bool calm = false;  // Two clients and no fault: each must have been let in.
};

bool declares(std::string_view kinds, std::string_view kind) {
  return (" " + std::string(kinds) + " ").find(" " + std::string(kind) + " ") != std::string::npos;
}

/// As in tests/claims: two clients, work beyond the TTL for those that renew.
Scenario story_of(const LockInfo& lock, FaultKind kind) {
  Scenario scenario = testing_search::story("calm");
  scenario.name = std::string(lock.name) + " under " + std::string(name_of(kind));
  scenario.clients.resize(1);
  scenario.clients[0].algorithm = lock.name;
  scenario.clients[0].count = 2;
  scenario.world.topology.nodes = lock.nodes;
  scenario.world.topology.replicas = lock.nodes == 1 ? 1 : 0;
  if (lock.renews) scenario.workload.work = milliseconds(1500);
  scenario.expect.clear();
  scenario.world.search = {};
  if (kind != FaultKind::none) {
    scenario.world.search.of = FaultKinds{}.with(kind);
    scenario.world.search.max = kFaultsMost;
  }
  scenario.hash = scenario_hash(scenario);
  return scenario;
}

bool uses(const Scenario& scenario, const std::set<std::string>& locks) {
  return std::any_of(
      scenario.clients.begin(), scenario.clients.end(),
      [&locks](const ClientConfig& client) { return locks.count(client.algorithm) != 0; });
}

std::vector<Case> cases_of(const std::set<std::string>& locks) {
  std::vector<Case> cases;
  for (Scenario& scenario : testing_search::all_stories()) {
    if (!uses(scenario, locks)) continue;
    Case added{std::move(scenario), {}, {}, {}, false};
    for (const auto& [property, verdict] : added.scenario.expect) {
      if (verdict == Verdict::violated) added.unbitten.insert(property);
    }
    cases.push_back(std::move(added));
  }
  for (const std::string& name : locks) {
    const LockInfo* lock = find_lock(name);
    if (lock == nullptr ||
        std::find(std::begin(kCorrect), std::end(kCorrect), name) == std::end(kCorrect)) {
      continue;
    }
    for (unsigned number = 0; number < static_cast<unsigned>(FaultKind::count); ++number) {
      const auto kind = static_cast<FaultKind>(number);
      Case added{story_of(*lock, kind), {}, {}, {}, kind == FaultKind::none};
      const auto judge = [&](std::string_view kinds, const char* property) {
        if (!declares(kinds, name_of(kind))) added.judged.insert(property);
      };
      judge(lock->breaks.two_inside, "double-ownership");
      // Where two can be inside, harm is a matter of luck: that none was found is no promise.
      if (!declares(lock->breaks.two_inside, name_of(kind)))
        judge(lock->breaks.harm, "serializable-effects");
      judge(lock->breaks.blocked, "eventual-release");
      if (!added.judged.empty()) cases.push_back(std::move(added));
    }
  }
  return cases;
}

/// What a run of this case must not show; nullptr: nothing is wrong.
const NamedFinding* broken_promise(Case& tried, std::span<const NamedFinding> findings) {
  for (const NamedFinding& named : findings) {
    const std::string property(named.property->name);
    if (named.finding.exercised > 0) tried.exercised.insert(property);
    if (!tried.judged.empty()) {
      if (tried.judged.count(property) == 0) continue;
      if (named.finding.verdict == Verdict::violated) return &named;
      continue;
    }
    const auto expected = tried.scenario.expect.find(property);
    if (expected == tried.scenario.expect.end()) {
      if (named.finding.verdict != Verdict::holds) return &named;
    } else if (named.finding.verdict == Verdict::violated) {
      tried.unbitten.erase(property);
    }
  }
  return nullptr;
}

class Trial {
 public:
  Trial(std::vector<Case> cases, std::uint64_t seeds)
      : cases_(std::move(cases)), seeds_(seeds), judge_(all_properties()) {}

  void run() {
    for (std::uint64_t seed = 1; seed <= seeds_; ++seed) {
      for (Case& tried : cases_) {
        if (ends(tried, seed)) return;
      }
    }
    for (const Case& tried : cases_) {
      if (tried.unbitten.empty()) continue;
      std::printf("trap %llu %s %s\n", schedules(), tried.scenario.name.c_str(),
                  tried.unbitten.begin()->c_str());
      return;
    }
    for (const Case& tried : cases_) {
      if (!tried.calm || tried.exercised.count("double-ownership") != 0) continue;
      std::printf("idle %llu %s\n", schedules(), tried.scenario.name.c_str());
      return;
    }
    std::printf("holds %llu %016llx\n", schedules(), static_cast<unsigned long long>(digest_));
  }

 private:
  unsigned long long schedules() const { return schedules_; }

  /// true: this run has decided it.
  bool ends(Case& tried, std::uint64_t seed) {
    ++schedules_;
    source_.reseed(seed);
    try {
      const Execution& execution = runner_.run(tried.scenario, source_);
      digest_ = mix(digest_, execution.digest);
      const NamedFinding* found = broken_promise(tried, judge_.judge(*execution.history));
      if (found == nullptr) return false;
      std::printf("promise %llu %s %s\n", schedules(), tried.scenario.name.c_str(),
                  std::string(found->property->name).c_str());
    } catch (const std::exception& failure) {
      std::printf("fails %llu %s: %s\n", schedules(), tried.scenario.name.c_str(), failure.what());
    }
    return true;
  }

  std::vector<Case> cases_;
  std::uint64_t seeds_;
  Runner runner_;
  Judge judge_;
  SeededSource source_{0};
  std::uint64_t schedules_ = 0;
  std::uint64_t digest_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const bool some = words.size() > 1 && words[0] == "locks";
  const bool all = !words.empty() && words.size() < 3 && words[0] == "all";
  if (!some && !all) {
    std::fprintf(stderr, "usage: judge locks LOCK... | judge all [SEEDS]\n");
    return 64;
  }
  std::set<std::string> locks;
  if (some) locks.insert(words.begin() + 1, words.end());
  if (all) {
    for (const LockInfo& lock : all_locks())
      locks.insert(std::string(lock.name));
  }
  Trial(cases_of(locks), all && words.size() == 2 ? std::stoull(words[1]) : kSeeds).run();
  return 0;
}
