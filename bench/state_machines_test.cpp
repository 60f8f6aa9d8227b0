// The baseline is the same experiment: equal seeds, equal histories, with and without fibers.
// SPDX-License-Identifier: Apache-2.0
#include "bench/state_machines.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "bench/quorum_schedule.h"
#include "models/scripts.h"
#include "properties/judge.h"
#include "scenarios/run.h"
#include "sim/redis/native_scripts.h"

namespace locklab::bench {
namespace {

constexpr std::uint64_t kSeeds = 200;

std::uint64_t count(const History& history, EventKind kind) {
  const auto records = history.records();
  return static_cast<std::uint64_t>(std::count_if(
      records.begin(), records.end(), [kind](const Record& r) { return r.kind == kind; }));
}

class EachSize : public testing::TestWithParam<ScheduleSize> {};

TEST_P(EachSize, GivesTheHistoriesOfItsFibers) {
  const Scenario scenario = quorum_schedule(GetParam());
  Runner fibers;
  MachineRunner machines;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    SeededSource source(seed);
    const Execution& execution = fibers.run(scenario, source);
    machines.run(scenario, source);
    ASSERT_EQ(machines.history().digest(), execution.digest) << "seed " << seed;
    ASSERT_EQ(machines.history().records().size(), execution.history->records().size());
    ASSERT_EQ(machines.world().end(), execution.end);
    ASSERT_EQ(machines.world().choices().visits(), execution.choice_visits) << "seed " << seed;
  }
}

TEST_P(EachSize, IsJudgedAlike) {
  const Scenario scenario = quorum_schedule(GetParam());
  Runner fibers;
  MachineRunner machines;
  Judge judge_fibers(all_properties());
  Judge judge_machines(all_properties());
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    SeededSource source(seed);
    const auto of_fibers = judge_fibers.judge(*fibers.run(scenario, source).history);
    machines.run(scenario, source);
    const auto of_machines = judge_machines.judge(machines.history());
    ASSERT_EQ(of_fibers.size(), of_machines.size());
    for (std::size_t i = 0; i < of_fibers.size(); ++i) {
      EXPECT_EQ(of_machines[i].finding.verdict, of_fibers[i].finding.verdict);
      EXPECT_EQ(of_machines[i].finding.exercised, of_fibers[i].finding.exercised);
    }
  }
}

TEST_P(EachSize, HasTheActivationsThatItIsNamedAfter) {
  const Scenario scenario = quorum_schedule(GetParam());
  MachineRunner machines;
  std::uint64_t activations = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    CountingSource source(seed);
    machines.run(scenario, source);
    ASSERT_EQ(source.holds(), machines.activations());
    activations += machines.activations() + count(machines.history(), EventKind::applied) +
                   count(machines.history(), EventKind::resource_op);
  }
  const auto named = std::stoull(std::string(GetParam().name));
  EXPECT_NEAR(static_cast<double>(activations) / kSeeds, static_cast<double>(named),
              static_cast<double>(named) * 0.05);
}

TEST_P(EachSize, MeetsTimeoutsFaultsAndContention) {
  const Scenario scenario = quorum_schedule(GetParam());
  MachineRunner machines;
  std::uint64_t timeouts = 0, faults = 0, broken = 0, refusals = 0, sections = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    SeededSource source(seed);
    machines.run(scenario, source);
    const History& history = machines.history();
    timeouts += count(history, EventKind::timed_out);
    faults += count(history, EventKind::fault_begin);
    broken += count(history, EventKind::broken);
    sections += count(history, EventKind::section_enter);
    for (const Record& record : history.records()) {
      refusals += record.kind == EventKind::op_return &&
                  static_cast<Outcome>(record.result) == Outcome::refused;
    }
  }
  EXPECT_GT(timeouts, 0U);
  EXPECT_GT(faults, kSeeds);
  EXPECT_GT(broken, 0U);
  EXPECT_GT(refusals, kSeeds);
  EXPECT_GT(sections, kSeeds);
}

INSTANTIATE_TEST_SUITE_P(Schedules, EachSize, testing::ValuesIn(kScheduleSizes),
                         [](const auto& size) { return "Of" + std::string(size.param.name); });

TEST(ScriptModes, GiveEqualHistories) {
  const Scenario scenario = quorum_schedule(kScheduleSizes[1]);
  Runner in_lua(find_lock, redis::ScriptMode::lua);
  Runner native(find_lock, redis::ScriptMode::native);
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    SeededSource source(seed);
    const std::uint64_t digest = in_lua.run(scenario, source).digest;
    ASSERT_EQ(native.run(scenario, source).digest, digest) << "seed " << seed;
  }
}

TEST(ScriptModes, NativeRunsTheReleaseWithoutLua) {
  EXPECT_NE(redis::native_script_of(scripts::kCompareAndDelete.body), nullptr);
}

}  // namespace
}  // namespace locklab::bench
