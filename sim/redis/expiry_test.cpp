// Tests of expiry: when a key is gone, for whom, and who deletes it.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/redis/engine.h"
#include "sim/redis/shell.h"

namespace locklab::redis {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string at(UnixMs when) {
  return std::to_string(when);
}

TEST(Expiry, AKeyLivesThroughItsLastMillisecond) {
  Shell shell;
  shell.run("SET k v PX 10");

  shell.advance(10_ms);
  EXPECT_EQ(shell.run("GET k"), "\"v\"");
  EXPECT_EQ(shell.run("PTTL k"), "(integer) 0");
  EXPECT_EQ(shell.run("TTL k"), "(integer) 0");
  EXPECT_EQ(shell.run("EXISTS k"), "(integer) 1");
  EXPECT_EQ(shell.run("SET k w NX"), "(nil)");
  shell.advance(999_us);
  EXPECT_EQ(shell.run("GET k"), "\"v\"");
  shell.advance(1_us);
  EXPECT_EQ(shell.run("GET k"), "(nil)");
}

TEST(Expiry, ExplicitExpiryAtThisMillisecondDeletesAtOnce) {
  Shell shell;
  shell.run("SET k v");
  EXPECT_EQ(shell.run("PEXPIREAT k " + at(shell.now())), "(integer) 1");
  EXPECT_EQ(shell.run("DBSIZE"), "(integer) 0");

  shell.run("SET k v PXAT " + at(shell.now()));
  EXPECT_EQ(shell.run("GET k"), "\"v\"");
  EXPECT_EQ(shell.run("PTTL k"), "(integer) 0");
}

TEST(Expiry, APastPxatIsStoredAndDeletedByTheFirstAccess) {
  Shell shell;
  EXPECT_EQ(shell.run("SET k v PXAT " + at(shell.now() - 1)), "OK");
  EXPECT_EQ(shell.run("DBSIZE"), "(integer) 1");
  EXPECT_EQ(shell.run("GET k"), "(nil)");
  EXPECT_THAT(shell.stream(), ElementsAre("DEL k"));
  EXPECT_EQ(shell.run("DBSIZE"), "(integer) 0");
}

TEST(Expiry, SecondsAreRoundedHalfUp) {
  for (const auto& [ms, seconds] : {std::pair{499, 0}, {500, 1}, {1499, 1}, {1500, 2}}) {
    Shell shell;
    shell.run("SET k v PX " + std::to_string(ms));
    EXPECT_EQ(shell.run("TTL k"), "(integer) " + std::to_string(seconds));
  }
}

TEST(Expiry, AClockThatJumpsBackRevivesWhatNobodyTouched) {
  Shell shell;
  shell.run("SET touched v PX 10");
  shell.run("SET untouched v PX 10");
  shell.advance(20_ms);
  EXPECT_EQ(shell.run("GET touched"), "(nil)");
  shell.advance(-(15_ms));
  EXPECT_EQ(shell.run("GET touched"), "(nil)");
  EXPECT_EQ(shell.run("GET untouched"), "\"v\"");
  EXPECT_EQ(shell.run("PTTL untouched"), "(integer) 5");
}

TEST(Expiry, KeysHidesExpiredOnesWithoutDeletingThem) {
  Shell shell;
  shell.run("SET b v PX 10");
  shell.run("SET a v");
  shell.advance(11_ms);
  EXPECT_EQ(shell.run("KEYS *"), "[1) \"a\"]");
  EXPECT_THAT(shell.stream(), IsEmpty());
  EXPECT_EQ(shell.run("DBSIZE"), "(integer) 2");
}

TEST(Expiry, PausedDeletionHidesButKeeps) {
  Shell shell;
  shell.run("SET k v PX 10");
  shell.advance(11_ms);
  shell.context().deletion_paused = true;
  EXPECT_EQ(shell.run("GET k"), "(nil)");
  EXPECT_THAT(shell.stream(), IsEmpty());
  EXPECT_EQ(shell.run("DBSIZE"), "(integer) 1");
  EXPECT_EQ(shell.run("SET k w"), "OK");
  EXPECT_THAT(shell.changes(), ElementsAre("expired k", "created k"));
}

TEST(Expiry, NextExpiryIsTheEarliestThatHasNotPassed) {
  Shell shell;
  EXPECT_EQ(next_expiry(shell.database(), shell.context().now), std::nullopt);
  for (const char* line : {"SET a v PX 30", "SET b v PX 10", "SET c v PX 20", "SET d v"}) {
    shell.run(line);
  }
  const UnixMs start = shell.now();
  EXPECT_EQ(next_expiry(shell.database(), shell.context().now), start + 10);
  shell.advance(10_ms);
  EXPECT_EQ(next_expiry(shell.database(), shell.context().now), start + 10);
  shell.advance(1_ms);
  EXPECT_EQ(next_expiry(shell.database(), shell.context().now), start + 20);
  shell.run("PERSIST c");
  EXPECT_EQ(next_expiry(shell.database(), shell.context().now), start + 30);
}

TEST(Expiry, TheActiveCycleDeletesInOrderOfExpiry) {
  Shell shell;
  shell.run("SET late v PX 9");
  shell.run("SET early v PX 5");
  shell.run("SET live v PX 10");
  shell.advance(10_ms);
  shell.forget_effects();

  const std::size_t deleted =
      expire_due(shell.database(), shell.context(), shell.arena(), shell.effects());

  EXPECT_EQ(deleted, 2U);
  EXPECT_THAT(shell.stream(), ElementsAre("DEL early", "DEL late"));
  EXPECT_THAT(shell.changes(), ElementsAre("expired early", "expired late"));
  EXPECT_EQ(shell.run("DBSIZE"), "(integer) 1");
}

TEST(Expiry, TheActiveCycleLeavesReplicasAlone) {
  Shell shell;
  shell.apply("SET k v PXAT 1");
  shell.context().role = Role::replica;
  EXPECT_EQ(expire_due(shell.database(), shell.context(), shell.arena(), shell.effects()), 0U);
  EXPECT_EQ(shell.run("DBSIZE"), "(integer) 1");
}

TEST(Replica, StoresPastExpiriesAndHidesThemFromReaders) {
  Shell shell;
  shell.context().role = Role::replica;
  EXPECT_EQ(shell.apply("SET k v PXAT 1"), "OK");
  EXPECT_EQ(shell.apply("PEXPIREAT k 2"), "(integer) 1");
  EXPECT_THAT(shell.stream(), IsEmpty());
  EXPECT_EQ(shell.run("GET k"), "(nil)");
  EXPECT_EQ(shell.run("TTL k"), "(integer) -2");
  EXPECT_EQ(shell.run("TYPE k"), "none");
  EXPECT_EQ(shell.run("KEYS *"), "(empty array)");
  EXPECT_EQ(shell.run("DBSIZE"), "(integer) 1");
  EXPECT_THAT(shell.stream(), IsEmpty());
}

TEST(Replica, TheStreamSeesWhatItsClockCallsExpired) {
  Shell shell;
  shell.context().role = Role::replica;
  shell.apply("SET k 41 PXAT 1");
  EXPECT_EQ(shell.apply("INCR k"), "(integer) 42");
  EXPECT_EQ(shell.apply("DEL k"), "(integer) 1");
  EXPECT_THAT(shell.changes(), ElementsAre("deleted k"));
}

TEST(Replica, RefusesWritesOfClients) {
  Shell shell;
  shell.context().role = Role::replica;
  EXPECT_EQ(shell.run("SET k v"), "(error) READONLY You can't write against a read only replica.");
  EXPECT_EQ(shell.run("SET k"), "(error) ERR wrong number of arguments for 'set' command");
}

TEST(Replica, PromotedItUsesItsOwnClock) {
  Shell shell;
  shell.context().role = Role::replica;
  shell.apply("SET lk tok PXAT " + at(shell.now() + 5000));
  shell.advance(10_s);
  shell.context().role = Role::primary;
  EXPECT_EQ(shell.run("SET lk tok2 NX PX 5000"), "OK");
  EXPECT_THAT(shell.stream(), ElementsAre("DEL lk", "SET lk tok2 PXAT " + at(shell.now() + 5000)));
}

}  // namespace
}  // namespace locklab::redis
