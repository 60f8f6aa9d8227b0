// Process: panics, cancels and lost machines, three more ways to end.
// SPDX-License-Identifier: Apache-2.0
#include <exception>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sim/contract.h"
#include "sim/go.h"
#include "sim/process_end_testing.h"

namespace locklab {
namespace {

using testing::at_label;
using testing::at_time;
using testing::Kit;
using testing::RaiiLock;

// --- Panic

TEST(Panic, RunsDestructorsThatStillSendAndIfRecoveredTheProcessLives) {
  Kit kit;
  kit.fault(at_label(Label::hold_check_ok, FaultKind::panic));
  std::string log;
  kit.client([&](Client& client) {
    client.go([&] {
      client.sleep_for(1_s);
      log += "watchdog-lives ";
    });
    const RaiiLock lock(client, &log);
    client.reach(Label::hold_check_ok);
  });
  kit.run();
  EXPECT_EQ(log, "answered watchdog-lives ");
  EXPECT_EQ(kit.times(EventKind::key_deleted), std::vector<Duration>{15_ms});
  ASSERT_EQ(kit.count(EventKind::panicked), 1U);
  EXPECT_EQ(kit.all(EventKind::panicked)[0].result, 1);
  EXPECT_EQ(kit.count(EventKind::killed), 0U);
}

TEST(Panic, NotRecoveredRunsItsOwnDestructorsAndKillsTheOthers) {
  Kit kit;
  PlannedFault fault = at_label(Label::hold_check_ok, FaultKind::panic);
  fault.recovered = false;
  kit.fault(fault);
  std::string log;
  kit.client([&](Client& client) {
    client.go([&] {
      const RaiiLock lock(client, &log);
      client.reach(Label::hold_check_ok);
    });
    struct Other {
      Client& client;
      std::string& log;
      ~Other() { log += client.redis().set("x", "y").is_unknown() ? "other-unknown " : "?"; }
    } other{client, log};
    client.sleep_for(1_s);
    log += "lived ";
  });
  kit.run();
  EXPECT_EQ(log, "answered other-unknown ");
  EXPECT_EQ(kit.count(EventKind::key_deleted), 1U);
  ASSERT_EQ(kit.count(EventKind::killed), 1U);
  EXPECT_EQ(kit.all(EventKind::killed)[0].arg, static_cast<std::int64_t>(EndKind::panic));
  EXPECT_EQ(kit.value_of("x"), std::nullopt);
}

TEST(Panic, StrikesAFiberThatAwaitsAReplyAtOnce) {
  Kit kit;
  kit.fault(at_label(Label::srv_applied, FaultKind::panic));
  std::string log;
  kit.client([&](Client& client) {
    client.redis().get("k");
    log += "went on";
  });
  kit.run();
  EXPECT_EQ(log, "");
  EXPECT_EQ(kit.times(EventKind::panicked), std::vector<Duration>{5_ms});
}

TEST(Panic, OfTheProgramsOwnMakingIsRecorded) {
  Kit kit;
  kit.client([](Client& client) { client.panic(false); });
  kit.client([](Client& client) { client.panic(true); });
  kit.run();
  EXPECT_EQ(kit.count(EventKind::panicked), 2U);
  EXPECT_EQ(kit.count(EventKind::killed), 1U);
  EXPECT_FALSE(kit.process(0).alive());
  EXPECT_TRUE(kit.process(1).alive());
}

// --- Cancel

TEST(Cancel, EndsASleepAndDestructorsActAsUsual) {
  Kit kit;
  kit.fault(at_time(20_ms, FaultKind::cancel, "client-1"));
  std::string log;
  kit.client([&](Client& client) {
    const RaiiLock lock(client, &log);
    client.sleep_for(10_s);
    log += "slept ";
  });
  kit.run();
  EXPECT_EQ(log, "answered ");
  EXPECT_EQ(kit.times(EventKind::key_deleted), std::vector<Duration>{25_ms});
  EXPECT_TRUE(kit.process(0).alive());
}

TEST(Cancel, EndsTheWaitForAReplyAndGivesUpTheConnection) {
  Kit kit;
  kit.fault(at_label(Label::srv_applied, FaultKind::cancel));
  bool caught = false;
  kit.client([&](Client& client) {
    try {
      client.redis().set("k", "v");
    } catch (const Cancelled&) {
      caught = true;
    }
    EXPECT_TRUE(client.redis().get("k").text() == "v");
  });
  kit.run();
  EXPECT_TRUE(caught);
  EXPECT_EQ(kit.network().connection_count(), 2U);
}

TEST(Cancel, EndsAWaitForAnotherFiber) {
  Kit kit;
  kit.fault(at_time(20_ms, FaultKind::cancel, "client-1"));
  Duration ended;
  kit.client([&](Client& client) {
    Channel<int> never(client);
    try {
      never.receive();
    } catch (const Cancelled&) {
      ended = kit.now();
    }
  });
  kit.run();
  EXPECT_EQ(ended, 20_ms);
}

// --- Host loss

TEST(HostLoss, SendsNoFinAndIsWithoutEffectAsAKill) {
  Kit kit;
  PlannedFault fault = at_label(Label::hold_check_ok, FaultKind::host_loss);
  fault.target = "client-1";
  fault.restarts = false;
  kit.fault(fault);
  std::string log;
  kit.client([&](Client& client) {
    const RaiiLock lock(client, &log);
    client.reach(Label::hold_check_ok);
  });
  kit.run();
  EXPECT_EQ(log, "unknown ");
  EXPECT_EQ(kit.times(EventKind::key_lost), std::vector<Duration>{506_ms});
  EXPECT_EQ(kit.all(EventKind::killed)[0].arg, static_cast<std::int64_t>(EndKind::host_loss));
}

TEST(HostLoss, TakesAllWhoLiveThere) {
  WorldConfig config = testing::small_world();
  config.hosts.push_back({"machine", {"client-1", "redis-1"}, Duration(), 0});
  Kit kit(config);
  PlannedFault fault = at_time(20_ms, FaultKind::host_loss, "machine");
  fault.restarts = false;
  kit.fault(fault);
  kit.client([](Client& client) { client.sleep_for(1_s); });
  kit.client([](Client& client) { EXPECT_TRUE(client.redis().get("k").is_unknown()); }, 30_ms);
  kit.run();
  EXPECT_EQ(kit.count(EventKind::killed, "client-1"), 1U);
  EXPECT_EQ(kit.count(EventKind::killed, "redis-1"), 1U);
  EXPECT_EQ(kit.count(EventKind::refused), 0U);  // There is nobody who could refuse.
  EXPECT_EQ(kit.times(EventKind::timed_out), std::vector<Duration>{130_ms});
}

}  // namespace
}  // namespace locklab
