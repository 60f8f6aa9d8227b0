// judge: how many schedules it takes until a promise is broken; linked anew with each mutant.
// SPDX-License-Identifier: Apache-2.0
//
// judge locks LOCK... | judge all
//
// Seed 1 of each story, then seed 2 of each, and so on, until something that must hold does not: a
// kill. Stories are those of the program, and for each correct lock and each kind of fault that it
// does not declare, one with that kind alone (tests/claims). Spent without a kill, the search still
// asks what verdicts_test asks: whether each trap has bitten, and whether a lock that is never at
// fault was ever granted while another wanted it. Prints one line:
//   promise|fails <schedules> <story> <property or message>
//   trap <schedules> <story> <property>
//   idle <schedules> <story>
//   holds <schedules>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <set>
#include <string>
#include <vector>

#include "models/correct_testing.h"
#include "sim/contract.h"
#include "sim/sources.h"
#include "tests/claims/story.h"
#include "tests/verdicts/seeds.h"

namespace {

using namespace locklab;

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

/// That of tests/claims, under a name of its own.
Scenario story_of(const LockInfo& lock, FaultKind kind) {
  Scenario scenario = testing_claims::story_of(lock);
  scenario.name = std::string(lock.name) + " under " + std::string(name_of(kind));
  return testing_claims::with_kind(std::move(scenario), kind);
}

bool is_correct(std::string_view lock) {
  return std::find(testing::kCorrectLocks.begin(), testing::kCorrectLocks.end(), lock) !=
         testing::kCorrectLocks.end();
}

/// Without the place in the source that the message of a contract begins with: it changes.
std::string without_place(std::string_view message, bool of_contract) {
  const std::size_t end = message.find(": ");
  if (of_contract && end != std::string_view::npos) message.remove_prefix(end + 2);
  return std::string(message);
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
    if (lock == nullptr || !is_correct(name)) continue;
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
  explicit Trial(std::vector<Case> cases) : cases_(std::move(cases)), judge_(all_properties()) {}

  void run() {
    for (std::uint64_t seed = 1; seed <= kSeedsToFind; ++seed) {
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
    std::printf("holds %llu\n", schedules());
  }

 private:
  unsigned long long schedules() const { return schedules_; }

  /// true: this run has decided it.
  bool ends(Case& tried, std::uint64_t seed) {
    ++schedules_;
    source_.reseed(seed);
    try {
      const Execution& execution = runner_.run(tried.scenario, source_);
      const NamedFinding* found = broken_promise(tried, judge_.judge(*execution.history));
      if (found == nullptr) return false;
      std::printf("promise %llu %s %s\n", schedules(), tried.scenario.name.c_str(),
                  std::string(found->property->name).c_str());
    } catch (const std::exception& failure) {
      const bool of_contract = dynamic_cast<const ContractFailure*>(&failure) != nullptr;
      std::printf("fails %llu %s: %s\n", schedules(), tried.scenario.name.c_str(),
                  without_place(failure.what(), of_contract).c_str());
    }
    return true;
  }

  std::vector<Case> cases_;
  Runner runner_;
  Judge judge_;
  SeededSource source_{0};
  std::uint64_t schedules_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const bool some = words.size() > 1 && words[0] == "locks";
  const bool all = words.size() == 1 && words[0] == "all";
  if (!some && !all) {
    std::fprintf(stderr, "usage: judge locks LOCK... | judge all\n");
    return 64;
  }
  std::set<std::string> locks;
  if (some) locks.insert(words.begin() + 1, words.end());
  if (all) {
    for (const LockInfo& lock : all_locks())
      locks.insert(std::string(lock.name));
  }
  Trial(cases_of(locks)).run();
  return 0;
}
