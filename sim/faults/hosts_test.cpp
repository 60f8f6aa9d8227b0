// Faults of a machine: whoever lives on it stops, is lost and comes back with it.
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sim/faults/faults_testing.h"

namespace locklab {
namespace {

using testing::at_time;
using testing::Kit;

using Times = std::vector<Duration>;

/// The resource, the counter and the orchestrator share "machine".
WorldConfig shared_world() {
  WorldConfig config = testing::replicated_world(1);
  config.hosts.push_back({"machine", {"resource", "counter", "orchestrator"}, Duration(), 0});
  return config;
}

PlannedFault of_machine(Duration when, FaultKind kind, Duration length) {
  PlannedFault fault = at_time(when, kind, "machine");
  fault.length = length;
  fault.restarts = length != Duration::forever();
  return fault;
}

CallState append(Client& client) {
  ResourceRequest write;
  write.op = ResourceOp::append;
  Request request;
  request.server = client.stage().resource->id();
  request.body = &write;
  CallResult result;
  client.process().call({&request, 1}, 100_ms, {}, {&result, 1});
  return result.state;
}

constexpr FaultKind kStops[] = {FaultKind::pause, FaultKind::suspend, FaultKind::freeze};

TEST(StoppedMachine, ServesWhatHasQueuedWhenItRunsOn) {
  for (const FaultKind kind : kStops) {
    SCOPED_TRACE(name_of(kind));
    Kit kit(shared_world());
    kit.command_timeout = 1_s;
    kit.fault(of_machine(10_ms, kind, 300_ms));
    kit.client(
        [](Client& client) {
          EXPECT_EQ(append(client), CallState::timed_out);  // It asks for 100 ms.
          EXPECT_EQ(client.next_fence(), 1U);
        },
        20_ms);
    kit.run();
    EXPECT_EQ(kit.times(EventKind::resource_op), Times{310_ms});
    EXPECT_EQ(kit.times(EventKind::fence_issued), Times{310_ms});
    EXPECT_EQ(kit.times(EventKind::resumed, "resource"), Times{310_ms});
  }
}

TEST(StoppedMachine, IsStoppedUntilTheLastOfItsFaultsEnds) {
  Kit kit(shared_world());
  kit.command_timeout = 1_s;
  kit.fault(of_machine(10_ms, FaultKind::pause, 300_ms));
  kit.fault(of_machine(20_ms, FaultKind::pause, 100_ms));
  kit.client([](Client& client) { EXPECT_EQ(client.next_fence(), 1U); }, 20_ms);
  kit.run();
  EXPECT_EQ(kit.times(EventKind::fence_issued), Times{310_ms});
}

TEST(StoppedMachine, PromotesNobodyBeforeItRunsOn) {
  for (const FaultKind kind : kStops) {
    Kit kit(shared_world());
    kit.fault(at_time(100_ms, FaultKind::node_pause, "redis-1"));
    kit.fault(of_machine(1_s, kind, 2_s));
    kit.client([](Client& client) { client.sleep_for(5_s); });
    kit.run_until(5_s);
    // Of the second that it takes to suspect, 100 ms are left; a clock that stands adds them.
    const Duration promoted = kind == FaultKind::pause ? 3_s : 3100_ms;
    EXPECT_EQ(kit.times(EventKind::promoted), Times{promoted}) << name_of(kind);
  }
}

TEST(LostMachine, AnswersNothingAndComesBackAsItWas) {
  Kit kit(shared_world());
  kit.fault(of_machine(50_ms, FaultKind::host_loss, 250_ms));
  std::vector<std::optional<std::uint32_t>> fences;
  std::vector<CallState> states;
  kit.client([&](Client& client) {
    fences.push_back(client.next_fence());
    states.push_back(append(client));
    client.sleep_until(LocalInstant::origin() + 60_ms);
    fences.push_back(client.next_fence());
    states.push_back(append(client));
    client.sleep_until(LocalInstant::origin() + 310_ms);
    fences.push_back(client.next_fence());
    states.push_back(append(client));
  });
  kit.run();
  EXPECT_EQ(fences, (std::vector<std::optional<std::uint32_t>>{1, std::nullopt, 2}));
  EXPECT_EQ(states, (std::vector{CallState::replied, CallState::timed_out, CallState::replied}));
  EXPECT_EQ(kit.all(EventKind::resource_op).at(1).result, 1);  // The version that it had.
  EXPECT_EQ(kit.count(EventKind::resource_op), 2U);
}

TEST(LostMachine, HealsWhenAllFaultsStop) {
  Kit kit(shared_world());
  kit.fault(of_machine(50_ms, FaultKind::host_loss, Duration::forever()));
  std::vector<std::optional<std::uint32_t>> fences;
  kit.client([&](Client& client) {
    client.sleep_for(60_ms);
    fences.push_back(client.next_fence());
    kit.simulation().faults().stop();
    client.sleep_for(1_ms);
    fences.push_back(client.next_fence());
  });
  kit.run();
  EXPECT_EQ(fences, (std::vector<std::optional<std::uint32_t>>{std::nullopt, 1}));
}

TEST(LostMachine, PromotesWhenItIsBackOrNever) {
  for (const Duration length : {2_s, Duration::forever()}) {
    Kit kit(shared_world());
    kit.fault(at_time(100_ms, FaultKind::node_pause, "redis-1"));
    kit.fault(of_machine(1_s, FaultKind::host_loss, length));
    kit.client([](Client& client) { client.sleep_for(5_s); });
    kit.run_until(5_s);
    EXPECT_EQ(kit.times(EventKind::promoted), length == 2_s ? Times{3_s} : Times{});
  }
}

/// When client-1 and redis-1, which die on a machine that has stopped, begin again.
Times restarts_under(FaultKind kind) {
  WorldConfig config = testing::small_world();
  config.hosts.push_back({"machine", {"client-1", "redis-1"}, Duration(), 0});
  Kit kit(config);
  kit.fault(of_machine(10_ms, kind, 100_ms));
  for (const bool process : {true, false}) {
    PlannedFault death = at_time(20_ms, process ? FaultKind::kill : FaultKind::node_kill,
                                 process ? "client-1" : "redis-1");
    death.length = 10_ms;
    kit.fault(death);
  }
  Times starts;
  kit.client([&](Client& client) {
    starts.push_back(kit.now());
    client.sleep_for(500_ms);
  });
  kit.run();
  for (const Duration when : kit.times(EventKind::restarted, "redis-1"))
    starts.push_back(when);
  return starts;
}

TEST(StoppedMachine, StartsNothingBeforeItRunsOn) {
  EXPECT_EQ(restarts_under(FaultKind::pause), (Times{{}, 110_ms, 110_ms}));
  // The 10 ms that a restart takes are of a clock that stands.
  EXPECT_EQ(restarts_under(FaultKind::suspend), (Times{{}, 120_ms, 120_ms}));
  EXPECT_EQ(restarts_under(FaultKind::freeze), (Times{{}, 120_ms, 120_ms}));
}

}  // namespace
}  // namespace locklab
