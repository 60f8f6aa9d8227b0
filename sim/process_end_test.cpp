// Process: the four ways to end a fiber or a program, which are four different things.
// SPDX-License-Identifier: Apache-2.0
#include <exception>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sim/contract.h"
#include "sim/go.h"
#include "sim/testing.h"

namespace locklab {
namespace {

using testing::at_label;
using testing::at_time;
using testing::Kit;

/// `SET k`, and `DEL k` when it goes out of scope.
class RaiiLock {
 public:
  explicit RaiiLock(Client& client, std::string* log = nullptr) : client_(client), log_(log) {
    client_.process().begin_operation(Operation::acquire, {});
    client_.redis().set("k", "mine", {.nx = true, .px = 500_ms});
    client_.process().end_operation();
  }
  RaiiLock(const RaiiLock&) = delete;
  RaiiLock& operator=(const RaiiLock&) = delete;
  ~RaiiLock() {
    client_.process().begin_operation(Operation::release, {});
    const Answer answer = client_.redis().del("k");
    if (log_ != nullptr) *log_ += answer.is_unknown() ? "unknown " : "answered ";
  }

 private:
  Client& client_;
  std::string* log_;
};

PlannedFault kill_at(Label label, bool restarts = false, Duration length = {}) {
  PlannedFault fault = at_label(label, FaultKind::kill);
  fault.restarts = restarts;
  fault.length = length;
  return fault;
}

// --- Kill

TEST(Kill, LeavesALockHeldByRaiiUntilItsTtl) {
  Kit kit;
  kit.fault(kill_at(Label::hold_check_ok));
  std::string log;
  kit.client([&](Client& client) {
    const RaiiLock lock(client, &log);
    client.reach(Label::hold_check_ok);
    log += "lived ";
  });
  kit.run();
  EXPECT_EQ(log, "unknown ");  // The destructor ran, for memory only.
  EXPECT_EQ(kit.times(EventKind::key_lost), std::vector<Duration>{506_ms});
  EXPECT_EQ(kit.count(EventKind::sent, "client-1"), 1U);
}

TEST(Kill, IsTheLastRecordOfItsProcessAndDrawsNothingAfter) {
  Kit kit;
  kit.fault(kill_at(Label::hold_check_ok));
  std::size_t draws = 0;
  std::uint64_t visits = 0;
  kit.client([&](Client& client) {
    struct AtDeath {
      Client& client;
      ~AtDeath() {
        // Whatever a dead program tries is without event, message and choice.
        client.redis().set("other", "x");
        client.next_fence();
        client.jitter(10_ms);
        client.go([] {});
        client.sleep_for(10_ms);
        client.reach(Label::rel_before_send);
      }
    } at_death{client};
    const RaiiLock lock(client);
    draws = kit.choices().draws().size();
    visits = kit.world().choices().visits();
    client.reach(Label::hold_check_ok);
  });
  kit.run_clients();
  EXPECT_EQ(kit.choices().draws().size(), draws);
  EXPECT_EQ(kit.world().choices().visits(), visits);
  const Record& last = kit.history().records().back();
  EXPECT_EQ(last.kind, EventKind::killed);
  EXPECT_EQ(kit.process(0).live_fibers(), 0U);
}

TEST(Kill, InsideTheCallOfADestructorSendsNothing) {
  Kit kit;
  kit.fault(kill_at(Label::rel_before_send));
  std::string log;
  kit.client([&](Client& client) { const RaiiLock lock(client, &log); });
  kit.run();
  EXPECT_EQ(log, "unknown ");
  EXPECT_EQ(kit.count(EventKind::sent), 1U);
  EXPECT_EQ(kit.times(EventKind::key_lost), std::vector<Duration>{506_ms});
}

TEST(Kill, BehindTheSendOfADestructorLetsTheWrittenBytesArrive) {
  Kit kit;
  kit.fault(kill_at(Label::rel_sent));
  std::string log;
  kit.client([&](Client& client) { const RaiiLock lock(client, &log); });
  kit.run();
  EXPECT_EQ(log, "unknown ");
  EXPECT_EQ(kit.times(EventKind::key_deleted), std::vector<Duration>{15_ms});
  EXPECT_EQ(kit.value_of("k"), std::nullopt);
}

TEST(Kill, WhileAPanicUnwindsStopsItsDestructorsToo) {
  Kit kit;
  PlannedFault panic = at_label(Label::hold_check_ok, FaultKind::panic);
  kit.fault(panic);
  kit.fault(kill_at(Label::rel_before_send));
  std::string log;
  kit.client([&](Client& client) {
    const RaiiLock lock(client, &log);
    client.reach(Label::hold_check_ok);
  });
  kit.run();
  EXPECT_EQ(log, "unknown ");
  EXPECT_EQ(kit.count(EventKind::sent), 1U);
  EXPECT_EQ(kit.times(EventKind::key_lost), std::vector<Duration>{506_ms});
}

TEST(Kill, OfAFiberThatAwaitsAReplyIsUnknown) {
  Kit kit;
  kit.fault(kill_at(Label::srv_applied));
  std::string log;
  kit.client([&](Client& client) {
    log += client.redis().set("k", "v").is_unknown() ? "unknown " : "known ";
    client.sleep_for(1_ms);
    log += "lived ";
  });
  kit.run();
  EXPECT_EQ(log, "unknown ");
  EXPECT_EQ(kit.value_of("k"), "v");
}

TEST(Kill, UnwindsTheYoungestFiberFirst) {
  // A watchdog refers to what lies on the stack of the fiber that started it.
  Kit kit;
  kit.fault(kill_at(Label::hold_check_ok));
  std::string log;
  kit.client([&](Client& client) {
    struct Shared {
      std::string* log;
      ~Shared() { *log += "main "; }
    } shared{&log};
    Context context(client);
    client.go([&] {
      struct Watchdog {
        std::string* log;
        ~Watchdog() { *log += "watchdog "; }
      } watchdog{&log};
      select({&context});
    });
    client.sleep_for(10_ms);
    client.reach(Label::hold_check_ok);
  });
  kit.run();
  EXPECT_EQ(log, "watchdog main ");
}

TEST(Kill, DoesNotHangOnADestructorThatWaitsForAnotherFiber) {
  Kit kit;
  kit.fault(kill_at(Label::hold_check_ok));
  std::string log;
  kit.client([&](Client& client) {
    WaitGroup done(client);
    Mutex mutex(client);
    Channel<int> channel(client);
    done.add(1);
    client.go([&] {
      mutex.lock();
      client.sleep_for(10_s);
      done.done();
    });
    client.sleep_for(1_ms);
    struct Waiter {
      WaitGroup& done;
      Mutex& mutex;
      Channel<int>& channel;
      std::string& log;
      ~Waiter() noexcept(false) {
        done.wait();
        log += "a";
        mutex.lock();
        log += "b";
        channel.receive();
        log += "c";
        channel.send(1);
        log += "d";
      }
    } waiter{done, mutex, channel, log};
    client.reach(Label::hold_check_ok);
  });
  kit.run();
  EXPECT_EQ(log, "abcd");
  EXPECT_EQ(kit.process(0).live_fibers(), 0U);
}

TEST(Kill, OfAProgramThatOnlyCallsEndsIt) {
  Kit kit;
  kit.fault(kill_at(Label::srv_applied));
  int calls = 0;
  kit.client([&](Client& client) {
    for (;;) {
      client.redis().get("k");
      ++calls;
    }
  });
  kit.run();
  EXPECT_LT(calls, 100);
  EXPECT_EQ(kit.process(0).live_fibers(), 0U);
}

TEST(Restart, GoesOnWithOperationNumbersAndVisitNumbers) {
  Kit kit;
  PlannedFault fault = kill_at(Label::hold_check_ok, true, 50_ms);
  kit.fault(fault);
  std::vector<std::uint16_t> operations;
  std::vector<std::string> nonces;
  std::vector<Duration> starts;
  kit.client([&](Client& client) {
    starts.push_back(kit.now());
    client.jitter(1_ms);
    for (int i = 0; i < 2; ++i) {
      operations.push_back(client.process().begin_operation(Operation::acquire, {}));
      nonces.emplace_back(client.new_nonce());
    }
    client.reach(Label::hold_check_ok);
  });
  kit.run();
  EXPECT_EQ(operations, (std::vector<std::uint16_t>{1, 2, 3, 4}));
  EXPECT_EQ(std::set<std::string>(nonces.begin(), nonces.end()).size(), 4U);
  EXPECT_EQ(starts, (std::vector<Duration>{{}, 50_ms}));
  std::set<Address> addresses;
  for (const auto& draw : kit.choices().draws()) {
    EXPECT_TRUE(addresses.insert(draw.address).second);  // No visit is counted twice.
  }
}

TEST(Restart, ForgetsPausesAndStallsOfTheOldLife) {
  Kit kit;
  PlannedFault pause = at_time(10_ms, FaultKind::pause, "client-1");
  pause.length = 1_s;
  kit.fault(pause);
  PlannedFault kill = at_time(20_ms, FaultKind::kill, "client-1");
  kill.length = 10_ms;
  kit.fault(kill);
  std::vector<Duration> woke;
  kit.client([&](Client& client) {
    client.sleep_for(40_ms);
    woke.push_back(kit.now());
  });
  kit.run();
  EXPECT_EQ(woke, std::vector<Duration>{70_ms});
}

TEST(Restart, OnAFrozenMachineWaitsForIt) {
  Kit kit;
  PlannedFault freeze = at_time(10_ms, FaultKind::freeze, "client-1");
  freeze.length = 100_ms;
  kit.fault(freeze);
  PlannedFault kill = at_time(20_ms, FaultKind::kill, "client-1");
  kill.length = 10_ms;
  kit.fault(kill);
  std::vector<Duration> starts;
  kit.client([&](Client& client) {
    starts.push_back(kit.now());
    client.sleep_for(50_ms);
  });
  kit.run();
  EXPECT_EQ(starts, (std::vector<Duration>{{}, 120_ms}));
}

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
