// Boost's own primitives inside a client: they run on virtual time, and cannot be killed.
// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <mutex>
#include <string>
#include <vector>

#include <boost/fiber/condition_variable.hpp>
#include <boost/fiber/mutex.hpp>
#include <boost/fiber/operations.hpp>
#include <gtest/gtest.h>

#include "sim/testing.h"

namespace locklab {
namespace {

using testing::at_time;
using testing::Kit;

// The time types of a user's lock that was not written for the simulator.
constexpr auto kTenMs = std::chrono::milliseconds(10);

TEST(BoostFiber, SleepsOnVirtualTime) {
  Kit kit;
  std::vector<Duration> woke;
  kit.client([&](Client&) {
    for (int i = 0; i < 3; ++i) {
      boost::this_fiber::sleep_for(kTenMs);
      woke.push_back(kit.now());
    }
  });
  kit.run_clients();
  EXPECT_EQ(woke, (std::vector<Duration>{10_ms, 20_ms, 30_ms}));
  EXPECT_LT(kit.world().steps(), 20U);
}

TEST(BoostFiber, MutexHandsOverBetweenTheFibersOfAClient) {
  Kit kit;
  std::string order;
  kit.client([&](Client& client) {
    boost::fibers::mutex mutex;
    const auto section = [&](char name) {
      const std::unique_lock<boost::fibers::mutex> lock(mutex);
      order += name;
      client.sleep_for(10_ms);
      order += name;
    };
    client.go([&] { section('a'); });
    client.go([&] { section('b'); });
    client.sleep_for(100_ms);
  });
  kit.run_clients();
  EXPECT_EQ(order, "aabb");
}

TEST(BoostFiber, ConditionIsWaitedForUpToAVirtualTimeout) {
  Kit kit;
  std::vector<Duration> woke;
  kit.client([&](Client& client) {
    boost::fibers::mutex mutex;
    boost::fibers::condition_variable condition;
    bool flag = false;
    client.go([&] {
      client.sleep_for(15_ms);
      flag = true;
      condition.notify_all();
    });
    std::unique_lock<boost::fibers::mutex> lock(mutex);
    EXPECT_FALSE(condition.wait_for(lock, kTenMs, [&] { return flag; }));
    woke.push_back(kit.now());
    EXPECT_TRUE(condition.wait_for(lock, kTenMs, [&] { return flag; }));
    woke.push_back(kit.now());
  });
  kit.run_clients();
  EXPECT_EQ(woke, (std::vector<Duration>{10_ms, 15_ms}));
}

TEST(BoostFiber, RunsTheSameEachTime) {
  std::uint64_t digests[2] = {};
  for (std::uint64_t& digest : digests) {
    Kit kit;
    kit.client([&](Client& client) {
      boost::this_fiber::sleep_for(kTenMs);
      client.redis().set("k", "v");
      boost::this_fiber::sleep_for(kTenMs);
    });
    kit.run_clients();
    digest = kit.history().digest();
  }
  EXPECT_EQ(digests[0], digests[1]);
}

EndReason end_after(FaultKind kind) {
  Kit kit;
  PlannedFault fault = at_time(5_ms, kind, "client-1");
  fault.restarts = false;
  kit.fault(fault);
  kit.client([](Client&) { boost::this_fiber::sleep_for(kTenMs); });
  kit.run_clients();
  return kit.world().end();
}

TEST(BoostFiber, KillCancelOrPanicThatReachesItEndsTheRunAsUnsupported) {
  EXPECT_EQ(end_after(FaultKind::kill), EndReason::unsupported);
  EXPECT_EQ(end_after(FaultKind::cancel), EndReason::unsupported);
  EXPECT_EQ(end_after(FaultKind::panic), EndReason::unsupported);
}

TEST(BoostFiber, PauseAndStallReachItWhenItComesOut) {
  for (const FaultKind kind : {FaultKind::pause, FaultKind::stall}) {
    Kit kit;
    PlannedFault fault = at_time(5_ms, kind, "client-1");
    fault.length = 100_ms;
    kit.fault(fault);
    Duration woke;
    kit.client([&](Client&) {
      boost::this_fiber::sleep_for(kTenMs);
      woke = kit.now();
    });
    kit.run_clients();
    EXPECT_EQ(woke, 105_ms) << name_of(kind);
  }
}

TEST(BoostFiber, LeavesTheNextRunsAlone) {
  EXPECT_EQ(end_after(FaultKind::kill), EndReason::unsupported);
  Kit kit;
  Duration woke;
  kit.client([&](Client&) {
    boost::this_fiber::sleep_for(kTenMs);
    woke = kit.now();
  });
  kit.run_clients();
  EXPECT_EQ(woke, 10_ms);
}

}  // namespace
}  // namespace locklab
