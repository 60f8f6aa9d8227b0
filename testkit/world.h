// Test world: what a test says of the world that it puts a lock into; the rest is as in stories.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "testkit/judgement.h"
#include "testkit/own_lock.h"
#include "testkit/plans.h"
#include "testkit/question.h"
#include "testkit/setting.h"
#include "testkit/test_run.h"

namespace locklab {

/// Says who contends and what may go wrong, and asks what follows. Calls may stand in any order,
/// but that story() comes first. What is wrong with a world is told by the first question.
class TestWorld {
 public:
  /// Named after the running test; tokens find it by that name.
  TestWorld();
  explicit TestWorld(std::string_view name);

  /// Begins with a story of locklab, by its name or its file. Its clients stay until others come.
  TestWorld& story(std::string_view name_or_path);
  TestWorld& topology(const TopologyConfig& topology);

  /// Clients with a lock of the test's own: a class derived from Lock, or a PlainLock.
  template <class L>
  TestWorld& clients(std::uint32_t count, const LockTraits& traits = {}) {
    return seat(count, testkit::info_of<L>(traits), testkit::spelled_type<L>());
  }
  /// As many as the deployment says.
  template <class L>
  TestWorld& clients() {
    return clients<L>(count_);
  }
  TestWorld& clients(std::uint32_t count, const LockInfo& lock) { return seat(count, lock, {}); }
  /// With a lock of locklab's catalogue.
  TestWorld& clients(std::uint32_t count, std::string_view lock);

  TestWorld& ttl(Duration ttl);
  TestWorld& margin(Duration margin);
  TestWorld& workload(const WorkloadConfig& workload);
  TestWorld& resource(ResourceMode mode);
  /// What a search may draw.
  TestWorld& faults(const Faults& faults) { return with(plan_of(faults)); }
  /// One that strikes in every run, beside those that are drawn.
  TestWorld& fault(const PlannedFault& fault);
  /// Any key of a scenario file, as the program's --set takes it: "workload.rounds=3".
  TestWorld& set(const std::string& assignment);

  TestWorld& with(const FaultPlan& faults);
  TestWorld& with(const LockParams& params);
  TestWorld& with(const Deployment& deployment);
  TestWorld& with(Seed seed);
  TestWorld& with(const Plan& plan);

  /// Searches, until a run says otherwise: no run violates the property, none leaves it unknown,
  /// and some put it to the test.
  Judgement holds(PropertyMaker property, std::optional<Runs> runs = {}) const;
  /// Searches for a run that does.
  Judgement violates(PropertyMaker property, std::optional<Runs> runs = {}) const;
  /// Searches for a run in which such an event occurs: "key_lost", "promoted", "fault_begin".
  Judgement reaches(std::string_view event, std::optional<Runs> runs = {}) const;

  /// One run. `run()` is the calm one.
  TestRun run() const;
  TestRun run(Seed seed) const;
  /// The schedule of another world's run, as far as it can be had in this one.
  TestRun run(const TestRun& like) const;
  /// The run that a token names.
  TestRun replay(std::string_view token) const;

  /// How many runs a question has that does not say.
  TestWorld& usual_runs(Runs runs) {
    usual_runs_ = runs;
    return *this;
  }
  /// As it is searched. Shared: it outlives this object.
  testkit::SharedSetting setting() const;

 private:
  TestWorld& seat(std::uint32_t count, LockInfo lock, std::string_view spelled_type);
  std::string place(LockInfo lock);
  void complain(const std::string& problem);
  testkit::Range range_of(std::optional<Runs> runs) const {
    return {first_seed_, runs.value_or(usual_runs_)};
  }

  struct Own {
    std::string name;
    LockInfo info;
  };
  Scenario scenario_;
  std::vector<Own> locks_;
  std::vector<std::string> assignments_;
  ClientConfig usual_;
  std::uint32_t count_ = 2;
  std::optional<std::uint64_t> first_seed_;
  Runs usual_runs_;
  std::string problem_;  // The first.
  bool of_story_ = false;
};

}  // namespace locklab
