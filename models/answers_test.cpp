// Answers: what each correct lock says, in plain situations in which there is one right answer.
// SPDX-License-Identifier: Apache-2.0
//
// The stories judge what a lock lets happen. A lock that refuses for ever, or that forgets to say
// that it has released, lets nothing bad happen: that is looked at here.
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "models/correct_testing.h"
#include "models/lock.h"
#include "sim/testing.h"

namespace locklab {
namespace {

using testing::at_label;
using testing::at_time;
using testing::Kit;

constexpr Duration kTtl = milliseconds(1000);
constexpr Duration kMargin = milliseconds(30);

/// Each has its mistake on purpose: what it answers is its own affair, and its stories show it.
constexpr std::string_view kMistaken[] = {"setnx-expire",
                                          "set-nx-px-del",
                                          "getset-timestamp",
                                          "setnx-timestamp-del",
                                          "get-then-del",
                                          "constant-token",
                                          "reused-token",
                                          "set-nx-px-receipt",
                                          "fail-open",
                                          "redlock-no-time-check",
                                          "redlock-wrong-quorum",
                                          "redlock-no-undo",
                                          "watchdog-unchecked",
                                          "watchdog-leaking",
                                          "watchdog-silent",
                                          "watchdog-resurrecting",
                                          "watchdog-blind-expire",
                                          "watchdog-receipt",
                                          "watchdog-late-start",
                                          "reentrant-shared-identity",
                                          "reentrant-trace-id",
                                          "reentrant-no-count",
                                          "reentrant-unguarded",
                                          "reentrant-retried",
                                          "shared-handle",
                                          "stale-deadline",
                                          "retried-release",
                                          "set-nx-px-nanoseconds",
                                          "set-nx-forever",
                                          "watchdog-context-unlock",
                                          "reentrant-fence-per-entry",
                                          "token-outlives-hold",
                                          "set-nx-px-wait-unread",
                                          "incr-fence-unchecked"};

std::vector<LockInfo> correct(bool (*wanted)(const LockInfo&) = [](const LockInfo&) {
  return true;
}) {
  std::vector<LockInfo> locks;
  for (const std::string_view name : testing::kCorrectLocks) {
    if (wanted(*find_lock(name))) locks.push_back(*find_lock(name));
  }
  return locks;
}

WorldConfig world_of(const LockInfo& lock) {
  if (lock.nodes == 1) return testing::replicated_world(1);
  WorldConfig config = testing::small_world();
  config.topology.nodes = lock.nodes;
  return config;
}

/// A program's use of a lock, and what its watchdog tells it.
class User final : public Holder {
 public:
  User(const LockInfo& info, Client& client, std::string_view key = "k")
      : client_(client), context_(client), lock_(info.make()) {
    request_ = {.key = key, .ttl = kTtl, .margin = kMargin, .context = &context_, .holder = this};
  }

  Outcome acquire() {
    client_.process().begin_operation(Operation::acquire, {});
    acquired = lock_->acquire(client_, request_);
    client_.process().end_operation();
    return acquired.outcome;
  }
  Outcome release() {
    client_.process().begin_operation(Operation::release, {});
    const Outcome outcome = lock_->release(client_, acquired.lease);
    client_.process().end_operation();
    context_.cancel();
    return outcome;
  }
  bool valid() { return lock_->valid(client_, acquired.lease); }

  void watching() override {
    ++watchdogs;
    client_.process().continue_as(Operation::renew);
  }
  void renewing() override { client_.process().begin_attempt(); }
  void renewed(Outcome outcome, LocalInstant) override {
    if (outcome == Outcome::renewed) ++renewals;
  }
  void lost() override { lost_at = client_.now(); }

  Acquired acquired;
  int watchdogs = 0;
  int renewals = 0;
  LocalInstant lost_at = LocalInstant::never();

 private:
  Client& client_;
  Context context_;
  std::unique_ptr<Lock> lock_;
  LockRequest request_;
};

TEST(Answers, AreLookedAtForEveryLockWithoutAMistake) {
  for (const LockInfo& lock : all_locks()) {
    const auto lists =
        std::count(testing::kCorrectLocks.begin(), testing::kCorrectLocks.end(), lock.name) +
        std::count(std::begin(kMistaken), std::end(kMistaken), lock.name);
    EXPECT_EQ(lists, 1) << lock.name << " belongs to one of the two lists";
  }
}

TEST(Answers, AreThoseOfALockThatIsHeldByOneAndThenFree) {
  for (const LockInfo& lock : correct()) {
    SCOPED_TRACE(std::string(lock.name));
    Kit kit(world_of(lock));
    std::uint32_t fence = 0;
    kit.client([&](Client& client) {
      User user(lock, client);
      EXPECT_EQ(user.acquire(), Outcome::acquired);
      fence = user.acquired.lease.fence;
      EXPECT_EQ(fence > 0, lock.fenced);
      client.sleep_until(LocalInstant::origin() + 200_ms);
      EXPECT_TRUE(user.valid());
      EXPECT_EQ(user.release(), Outcome::released);
    });
    kit.client(
        [&](Client& client) {
          User user(lock, client);
          EXPECT_EQ(user.acquire(), Outcome::refused);
          client.sleep_until(LocalInstant::origin() + 300_ms);
          EXPECT_EQ(user.acquire(), Outcome::acquired);
          EXPECT_EQ(user.acquired.lease.fence > fence, lock.fenced);
          EXPECT_EQ(user.release(), Outcome::released);
          EXPECT_EQ(user.release(), Outcome::not_held);
        },
        100_ms);
    kit.run();
  }
}

TEST(Answers, EndALeaseTheMarginBeforeItsKey) {
  for (const LockInfo& lock : correct()) {
    SCOPED_TRACE(std::string(lock.name));
    Kit kit(world_of(lock));
    kit.client([&](Client& client) {
      User user(lock, client);
      const LocalInstant asked = client.now();
      EXPECT_EQ(user.acquire(), Outcome::acquired);
      EXPECT_EQ(user.acquired.lease.until,
                lock.checked ? asked + kTtl - kMargin : LocalInstant::never());
      user.release();
    });
    kit.run();
  }
}

TEST(Answers, OfOneThatHasExpiredLeaveTheNextAlone) {
  for (const LockInfo& lock : correct([](const LockInfo& info) { return !info.renews; })) {
    SCOPED_TRACE(std::string(lock.name));
    Kit kit(world_of(lock));
    kit.client([&](Client& client) {
      User user(lock, client);
      EXPECT_EQ(user.acquire(), Outcome::acquired);
      client.sleep_for(1500_ms);
      EXPECT_EQ(user.valid(), !lock.checked);
      EXPECT_EQ(user.release(), Outcome::not_held);
      EXPECT_EQ(user.acquire(), Outcome::refused);
    });
    kit.client(
        [&](Client& client) {
          User user(lock, client);
          EXPECT_EQ(user.acquire(), Outcome::acquired);
          client.sleep_for(700_ms);
          EXPECT_EQ(user.release(), Outcome::released);
        },
        1100_ms);
    kit.run();
  }
}

TEST(Answers, OfServersThatAreGoneAreNone) {
  for (const LockInfo& lock : all_locks()) {
    SCOPED_TRACE(std::string(lock.name));
    std::unique_ptr<User> user;  // It outlives a watchdog that leaks.
    Kit kit(world_of(lock));
    for (std::uint32_t node = 1; node <= lock.nodes; ++node) {
      kit.fault(at_time(100_ms, FaultKind::node_kill, "redis-" + std::to_string(node)));
    }
    kit.client([&](Client& client) {
      user = std::make_unique<User>(lock, client);
      EXPECT_EQ(user->acquire(), Outcome::acquired);
      client.sleep_until(LocalInstant::origin() + 200_ms);
      EXPECT_EQ(user->release(), Outcome::unknown);
      // An error is a grant to the one; a token of long ago lets the other in.
      if (lock.name != "fail-open" && lock.name != "token-outlives-hold") {
        EXPECT_NE(user->acquire(), Outcome::acquired);
      }
    });
    kit.run();
  }
}

TEST(Answers, ThatAreErrorsAreNoTimesThatHavePassed) {
  const LockInfo& lock = *find_lock("getset-timestamp");
  Kit kit(world_of(lock));
  kit.fault(at_label(Label::acq_between, FaultKind::node_kill));
  kit.client([&](Client& client) {
    EXPECT_TRUE(client.redis().setnx("k", "1").is_integer(1));  // One millisecond after 1970.
    User user(lock, client);
    EXPECT_NE(user.acquire(), Outcome::acquired);
  });
  kit.run();
}

TEST(Answers, ThatAreLostLeaveNoKeyBehind) {
  // A majority answers all the same, and reentrant locks wait for the TTL.
  for (const LockInfo& lock : correct([](const LockInfo& info) {
         return info.nodes == 1 && !info.name.starts_with("reentrant");
       })) {
    SCOPED_TRACE(std::string(lock.name));
    Kit kit(world_of(lock));
    kit.fault(at_label(Label::srv_applied, FaultKind::lost_reply));
    kit.client([&](Client& client) {
      User user(lock, client);
      // Which command is the first depends on the lock; a script is sent once more in full.
      const Outcome outcome = user.acquire();
      if (outcome == Outcome::acquired) user.release();
    });
    kit.client(
        [&](Client& client) {
          User user(lock, client);
          EXPECT_EQ(user.acquire(), Outcome::acquired);
          user.release();
        },
        500_ms);
    kit.run();
  }
}

TEST(FencedAnswers, AreNoGrantsWithoutANumber) {
  for (const std::string_view name : {"set-nx-px-fenced", "redlock-fenced", "incr-fence"}) {
    SCOPED_TRACE(std::string(name));
    const LockInfo& lock = *find_lock(name);
    Kit kit(world_of(lock));
    const bool own_server = name == "incr-fence";
    PlannedFault cut = own_server ? at_label(Label::acq_between, FaultKind::cut)
                                  : at_time(0_ms, FaultKind::cut, "client-1");
    cut.target = "client-1";
    cut.peer = own_server ? "redis-1" : "counter";
    cut.length = 300_ms;
    kit.fault(cut);
    kit.client([&](Client& client) {
      User user(lock, client);
      EXPECT_NE(user.acquire(), Outcome::acquired);
    });
    kit.client(
        [&](Client& client) {
          User user(lock, client);
          EXPECT_EQ(user.acquire(), Outcome::acquired);
          EXPECT_GT(user.acquired.lease.fence, 0U);
        },
        1200_ms);
    kit.run();
  }
}

bool renews(const LockInfo& info) {
  return info.renews;
}

TEST(RenewedAnswers, HoldForAsLongAsTheWorkTakes) {
  for (const LockInfo& lock : correct(renews)) {
    SCOPED_TRACE(std::string(lock.name));
    Kit kit(world_of(lock));
    kit.client([&](Client& client) {
      User user(lock, client);
      EXPECT_EQ(user.acquire(), Outcome::acquired);
      client.sleep_for(2500_ms);
      EXPECT_TRUE(user.valid());
      EXPECT_EQ(user.watchdogs, 1);
      EXPECT_EQ(user.renewals, 7);  // At each third of the TTL.
      EXPECT_EQ(user.lost_at, LocalInstant::never());
      EXPECT_EQ(user.release(), Outcome::released);
      client.sleep_for(1_s);
      EXPECT_EQ(user.renewals, 7);
    });
    kit.client(
        [&](Client& client) {
          User user(lock, client);
          EXPECT_EQ(user.acquire(), Outcome::refused);
          client.sleep_for(200_ms);
          EXPECT_EQ(user.acquire(), Outcome::acquired);
          EXPECT_EQ(user.release(), Outcome::released);
        },
        2400_ms);
    kit.run();
    // Each renewal passes the points at which a fault may strike it.
    EXPECT_EQ(kit.visits(Label::wd_before_tick), 7U);
    EXPECT_EQ(kit.visits(Label::wd_result), 7U);
  }
}

/// When a holder learns that so many nodes have lost its key after 500 ms; never, if it need not.
LocalInstant told_lost(const LockInfo& lock, std::uint32_t nodes) {
  Kit kit(world_of(lock));
  LocalInstant lost = LocalInstant::never();
  for (std::uint32_t i = 1; i <= nodes; ++i)
    kit.fault(at_time(500_ms, FaultKind::flush, "redis-" + std::to_string(i)));
  kit.client([&](Client& client) {
    User user(lock, client);
    EXPECT_EQ(user.acquire(), Outcome::acquired);
    client.sleep_for(2500_ms);
    lost = user.lost_at;
    EXPECT_EQ(user.valid(), lost == LocalInstant::never());
    user.release();
  });
  kit.run();
  return lost;
}

TEST(RenewedAnswers, TellOfALossAtTheNextRenewal) {
  for (const LockInfo& lock : correct(renews)) {
    SCOPED_TRACE(std::string(lock.name));
    const LocalInstant lost = told_lost(lock, lock.nodes / 2 + 1);
    EXPECT_GT(lost, LocalInstant::origin() + 600_ms);
    EXPECT_LT(lost, LocalInstant::origin() + 700_ms);
  }
}

TEST(RenewedAnswers, TakeASilenceForNoLoss) {
  // Of three nodes one has lost the key and one says nothing: it may have renewed it.
  const LockInfo& lock = *find_lock("redlock-watchdog");
  Kit kit(world_of(lock));
  kit.fault(at_time(200_ms, FaultKind::flush, "redis-1"));
  PlannedFault cut = at_time(300_ms, FaultKind::cut, "client-1");
  cut.peer = "redis-2";
  cut.length = 300_ms;
  kit.fault(cut);
  kit.client([&](Client& client) {
    User user(lock, client);
    EXPECT_EQ(user.acquire(), Outcome::acquired);
    client.sleep_for(1500_ms);
    EXPECT_EQ(user.lost_at, LocalInstant::never());
    EXPECT_TRUE(user.valid());
    EXPECT_EQ(user.renewals, 3);  // Not the first of four.
    user.release();
  });
  kit.run();
}

TEST(RenewedAnswers, GoOnWithoutAMinorityOfTheNodes) {
  const LockInfo& lock = *find_lock("redlock-watchdog");
  EXPECT_EQ(lock.nodes, 3U);
  EXPECT_EQ(told_lost(lock, 1), LocalInstant::never());
}

}  // namespace
}  // namespace locklab
