// A warm execution allocates nothing but a counted and bounded few.
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <gtest/gtest.h>

#include "bench/contender.h"
#include "bench/counting_new.h"

namespace locklab::bench {
namespace {

constexpr std::uint64_t kWarmUp = 400;
constexpr std::uint64_t kMeasured = 400;
// Calls of operator new per thousand warm executions: rare seeds still lengthen some buffer.
constexpr std::uint64_t kPerThousand = 50;

class EachCase : public testing::TestWithParam<std::tuple<ScheduleSize, redis::ScriptMode>> {};

TEST_P(EachCase, AllocatesNextToNothingWhenWarm) {
  const auto [size, scripts] = GetParam();
  Contender contender({false, scripts, true, size});
  for (std::uint64_t seed = 1; seed <= kWarmUp; ++seed)
    contender.run(seed);
  const AllocationCount count;
  for (std::uint64_t seed = kWarmUp + 1; seed <= kWarmUp + kMeasured; ++seed)
    contender.run(seed);
  EXPECT_LE(count.calls() * 1000, kPerThousand * kMeasured) << count.sites();
}

TEST_P(EachCase, AllocatesNothingForSeedsThatItKnows) {
  const auto [size, scripts] = GetParam();
  Contender contender({false, scripts, true, size});
  for (int round = 0; round < 2; ++round) {
    for (std::uint64_t seed = 1; seed <= 100; ++seed)
      contender.run(seed);
  }
  const AllocationCount count;
  for (std::uint64_t seed = 1; seed <= 100; ++seed)
    contender.run(seed);
  EXPECT_EQ(count.calls(), 0U) << count.sites();
}

INSTANTIATE_TEST_SUITE_P(Schedules, EachCase,
                         testing::Combine(testing::ValuesIn(kScheduleSizes),
                                          testing::Values(redis::ScriptMode::lua,
                                                          redis::ScriptMode::native)),
                         [](const auto& chosen) {
                           return "Of" + std::string(std::get<0>(chosen.param).name) +
                                  (std::get<1>(chosen.param) == redis::ScriptMode::lua ? "Lua"
                                                                                       : "Native");
                         });

TEST(AllocationCounts, SeeWhatIsAllocatedWhileTheyLive) {
  const auto before = std::make_unique<int>(1);
  const AllocationCount count;
  const auto during = std::make_unique<int>(2);
  EXPECT_EQ(count.calls(), 1U);
  EXPECT_EQ(count.bytes(), sizeof(int));
  EXPECT_NE(count.sites().find("1 from"), std::string::npos);
}

}  // namespace
}  // namespace locklab::bench
