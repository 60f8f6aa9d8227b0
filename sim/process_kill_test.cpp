// Process: a kill, which runs destructors for memory only, and the life after it.
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
using testing::kill_at;
using testing::Kit;
using testing::RaiiLock;

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

TEST(Kill, OfACancelledFiberThatIsBeingUnwoundIsTheLastRecordToo) {
  Kit kit;
  kit.fault(at_label(Label::hold_check_ok, FaultKind::cancel));
  kit.fault(kill_at(Label::rel_before_send));
  kit.client([](Client& client) {
    const RaiiLock lock(client);
    client.reach(Label::hold_check_ok);
  });
  kit.run_clients();
  EXPECT_EQ(kit.count(EventKind::killed, "client-1"), 1U);
  EXPECT_EQ(kit.history().records().back().kind, EventKind::killed);
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

/// What the destructor of a lock saw whose holder is killed at that label of its release.
std::string seen_at(Kit& kit, Label label) {
  kit.fault(kill_at(label));
  std::string log;
  kit.client([&](Client& client) { const RaiiLock lock(client, &log); });
  kit.run();
  return log;
}

TEST(Kill, InsideTheCallOfADestructorSendsNothing) {
  Kit kit;
  EXPECT_EQ(seen_at(kit, Label::rel_before_send), "unknown ");
  EXPECT_EQ(kit.count(EventKind::sent), 1U);
  EXPECT_EQ(kit.times(EventKind::key_lost), std::vector<Duration>{506_ms});
}

TEST(Kill, BehindTheSendOfADestructorLetsTheWrittenBytesArrive) {
  Kit kit;
  EXPECT_EQ(seen_at(kit, Label::rel_sent), "unknown ");
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

/// When the program of a client began that starts at 50 ms, killed before that.
std::vector<Duration> starts_after(const PlannedFault& kill) {
  Kit kit;
  kit.fault(kill);
  std::vector<Duration> starts;
  kit.client(
      [&](Client& client) {
        starts.push_back(kit.now());
        client.sleep_for(200_ms);
      },
      50_ms);
  kit.run();
  EXPECT_EQ(kit.count(EventKind::killed), 1U);
  EXPECT_EQ(kit.process(0).live_fibers(), 0U);
  return starts;
}

TEST(Restart, TakesThePlaceOfAStartThatWasStillToCome) {
  PlannedFault kill = at_time(10_ms, FaultKind::kill, "client-1");
  kill.restarts = true;
  for (const Duration length : {20_ms, 100_ms}) {
    kill.length = length;
    EXPECT_EQ(starts_after(kill), std::vector<Duration>{10_ms + length});
  }
  kill.restarts = false;
  EXPECT_EQ(starts_after(kill), std::vector<Duration>{});
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

}  // namespace
}  // namespace locklab
