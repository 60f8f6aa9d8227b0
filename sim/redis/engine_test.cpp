// Expiry, options, propagation and reports, against the vectors of redis.md.
// SPDX-License-Identifier: Apache-2.0
#include "sim/redis/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/redis/shell.h"

namespace locklab::redis {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string at(UnixMs when) {
  return std::to_string(when);
}

// --- redis.md §2.1: the two comparisons of an expiry -----------------------------------------

TEST(Errors, OfAnUnknownCommandAreOneLine) {
  Shell shell;
  EXPECT_EQ(shell.run("\"no\\r\\nsuch\" \"a\\nb\""),
            "(error) ERR unknown command 'no  such', with args beginning with: 'a b' ");
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

// --- redis.md §2.4: replicas -------------------------------------------------------------------

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

// --- redis.md §4.2: what is propagated ---------------------------------------------------------

TEST(Stream, CarriesAbsoluteExpiries) {
  Shell shell;
  const UnixMs now = shell.now();
  const std::vector<std::pair<std::string, std::string>> vectors = {
      {"SET k v", "SET k v"},
      {"set k v", "set k v"},
      {"SET k v XX PX 10000", "SET k v PXAT " + at(now + 10000)},
      {"SET k v EX 10", "SET k v PXAT " + at(now + 10000)},
      {"SET k v EX 10 GET", "SET k v PXAT " + at(now + 10000)},
      {"SET k v NX GET", ""},
      {"SET k v NX", ""},
      {"SETEX k 10 v", "SET k v PXAT " + at(now + 10000)},
      {"PSETEX k 10 v", "SET k v PXAT " + at(now + 10)},
      {"SET k v XX GET", "SET k v XX"},
      {"SeT k v get KEEPTTL get", "SeT k v KEEPTTL"},
      {"SETNX k v", ""},
      {"GETSET k w", "SET k w"},
      {"EXPIRE k 10", "PEXPIREAT k " + at(now + 10000)},
      {"PEXPIRE k 5 LT", "PEXPIREAT k " + at(now + 5) + " LT"},
      {"EXPIREAT k 99999999999 gt", "PEXPIREAT k 99999999999000 gt"},
      {"pexpireat k 88888888888888 lt", "pexpireat k 88888888888888 lt"},
      {"PERSIST k", "PERSIST k"},
      {"PERSIST k", ""},
      {"GETEX k PX 7", "PEXPIREAT k " + at(now + 7)},
      {"GETEX k", ""},
      {"GETEX k PERSIST", "PERSIST k"},
      {"GETDEL k", "DEL k"},
      {"GETDEL k", ""},
      {"SETNX k v", "SETNX k v"},
      {"DEL missing", ""},
      {"UNLINK missing k", "UNLINK missing k"},
      {"SET n 5", "SET n 5"},
      {"INCR n", "INCR n"},
      {"PEXPIRE n -1", "DEL n"},
      {"MSET a 1 b 2", "MSET a 1 b 2"},
      {"FLUSHALL", "FLUSHALL"},
  };
  for (const auto& [line, expected] : vectors) {
    shell.run(line);
    const std::vector<std::string> stream = shell.stream();
    EXPECT_LE(stream.size(), 1U) << line;
    EXPECT_EQ(stream.empty() ? "" : stream[0], expected) << line;
  }
}

TEST(Stream, DeletesTheExpiredKeyBeforeTheCommand) {
  Shell shell;
  shell.run("SET k v PX 1");
  shell.advance(2_ms);
  shell.run("SET k w NX PX 5");
  EXPECT_THAT(shell.stream(), ElementsAre("DEL k", "SET k w PXAT " + at(shell.now() + 5)));
  EXPECT_TRUE(shell.effects().needs_multi());
  EXPECT_THAT(shell.changes(), ElementsAre("expired k", "created k"));
}

TEST(Stream, AnExpiredDelIsAMissThatPropagates) {
  Shell shell;
  shell.run("SET k v PX 1");
  shell.advance(2_ms);
  EXPECT_EQ(shell.run("DEL k"), "(integer) 0");
  EXPECT_THAT(shell.stream(), ElementsAre("DEL k"));
  EXPECT_FALSE(shell.effects().needs_multi());
}

// --- Reports for the history -------------------------------------------------------------------

TEST(Changes, NameTheCreatorsAndValuesOnBothSides) {
  Shell shell;
  shell.context().origin = 11;
  shell.run("SET k mine PX 50");
  shell.context().origin = 22;
  shell.run("SET k theirs");

  ASSERT_EQ(shell.effects().changes().size(), 1U);
  const Change& change = shell.effects().changes()[0];
  EXPECT_EQ(change.kind, ChangeKind::overwritten);
  EXPECT_EQ(change.old_value, "mine");
  EXPECT_EQ(change.new_value, "theirs");
  EXPECT_EQ(change.old_creator, 11U);
  EXPECT_EQ(change.new_creator, 22U);
  EXPECT_EQ(change.old_expiry, shell.now() + 50);
  EXPECT_EQ(change.new_expiry, kNoExpiry);
}

TEST(Changes, AnIncarnationKeepsItsCreatorUntilItIsReplaced) {
  Shell shell;
  const auto creator = [&] { return shell.database().keys.find("n")->creator; };
  shell.context().origin = 1;
  shell.run("SET n 5");
  shell.context().origin = 2;
  for (const char* line : {"PEXPIRE n 1000", "INCR n", "PERSIST n", "APPEND n 0", "SET n 7 KEEPTTL",
                           "GETEX n PX 100", "GET n"}) {
    shell.run(line);
    EXPECT_EQ(creator(), 1U) << line;
  }
  for (const char* line : {"SET n 8", "SETEX n 5 8", "GETSET n 9", "MSET n 10"}) {
    ++shell.context().origin;
    shell.run(line);
    EXPECT_EQ(creator(), shell.context().origin) << line;
  }
  shell.run("DEL n");
  EXPECT_EQ(shell.effects().changes()[0].old_creator, shell.context().origin);
  EXPECT_EQ(shell.effects().changes()[0].new_creator, 0U);
}

TEST(Changes, OneForEachKind) {
  Shell shell;
  const std::vector<std::pair<const char*, const char*>> vectors = {
      {"SET k 1", "created k"},
      {"SET k 2", "overwritten k"},
      {"INCR k", "value-changed k"},
      {"SET k 4 KEEPTTL", "value-changed k"},
      {"PEXPIRE k 9", "expiry-changed k"},
      {"PERSIST k", "persisted k"},
      {"DEL k", "deleted k"},
      {"SET k 1 PX 1", "created k"},
      {"PEXPIRE k 0", "deleted k"}};
  for (const auto& [line, expected] : vectors) {
    shell.run(line);
    EXPECT_THAT(shell.changes(), ElementsAre(expected)) << line;
  }
  for (const char* line : {"SET k 1 XX", "GET k", "DEL k", "PEXPIRE k 5", "PERSIST k"}) {
    shell.run(line);
    EXPECT_THAT(shell.changes(), IsEmpty()) << line;
  }
}

TEST(Changes, FlushReportsEveryKeyInOrder) {
  Shell shell;
  shell.run("MSET b 1 c 2 a 3");
  shell.run("FLUSHALL");
  EXPECT_THAT(shell.changes(), ElementsAre("deleted a", "deleted b", "deleted c"));
}

// --- Gatekeeping (redis.md §1.3) ---------------------------------------------------------------

TEST(Gate, EarlierReasonsWin) {
  Shell shell;
  Context& context = shell.context();
  context.out_of_memory = true;
  context.too_few_replicas = true;
  context.loading = true;
  EXPECT_EQ(shell.run("NOPE x"),
            "(error) ERR unknown command 'NOPE', with args beginning with: 'x' ");
  EXPECT_EQ(shell.run("SET k"), "(error) ERR wrong number of arguments for 'set' command");
  EXPECT_EQ(shell.run("SET k v"),
            "(error) OOM command not allowed when used memory > 'maxmemory'.");
  EXPECT_EQ(shell.run("DEL k"), "(error) NOREPLICAS Not enough good replicas to write.");
  EXPECT_EQ(shell.run("GET k"), "(error) LOADING Redis is loading the dataset in memory");
  EXPECT_EQ(shell.run("TIME").substr(0, 1), "[");
}

TEST(Gate, AStaleReplicaSaysReadonlyToWritesAndMasterdownToReads) {
  Shell shell;
  shell.context().role = Role::replica;
  shell.context().stale = true;
  EXPECT_TRUE(shell.run("SET k v").starts_with("(error) READONLY"));
  EXPECT_TRUE(shell.run("GET k").starts_with("(error) MASTERDOWN"));
  EXPECT_TRUE(shell.run("PING").starts_with("(error) MASTERDOWN"));
  EXPECT_EQ(shell.run("ECHO x"), "\"x\"");
}

TEST(Gate, OutOfMemoryStillReleasesAndRenews) {
  Shell shell;
  shell.run("SET k v");
  shell.context().out_of_memory = true;
  EXPECT_EQ(shell.run("PEXPIRE k 1000"), "(integer) 1");
  EXPECT_EQ(shell.run("DEL k"), "(integer) 1");
  EXPECT_TRUE(shell.run("INCR n").starts_with("(error) OOM"));
}

TEST(Gate, RefusalJudgesWhatItDoesNotRun) {
  Shell shell;
  const std::vector<std::string_view> wait = {"WAIT", "1"};
  const std::vector<std::string_view> multi = {"multi"};
  EXPECT_TRUE(refusal(shell.context(), wait, shell.arena())->is_error("ERR wrong number"));
  EXPECT_EQ(refusal(shell.context(), multi, shell.arena()), std::nullopt);
}

TEST(Role, TellsReplicasOrThePrimary) {
  Shell shell;
  const ReplicaInfo replica{"10.0.0.2", 6380, 41};
  ReplicationInfo info;
  info.offset = 42;
  info.replicas = {&replica, 1};
  info.primary_host = "10.0.0.1";
  info.primary_port = 6379;
  shell.context().replication = &info;
  EXPECT_EQ(shell.run("ROLE"),
            R"([1) "master", 2) (integer) 42, 3) [1) [1) "10.0.0.2", 2) "6380", 3) "41"]]])");
  shell.context().role = Role::replica;
  EXPECT_EQ(shell.run("ROLE"),
            R"([1) "slave", 2) "10.0.0.1", 3) (integer) 6379, 4) "connected", 5) (integer) 42])");
}

TEST(Time, SplitsMicroseconds) {
  Shell shell;
  shell.context().now = kWallEpoch + microseconds(1'234'567);
  EXPECT_EQ(shell.run("TIME"), R"([1) "1700000001", 2) "234567"])");
}

TEST(Reset, LeavesAnEmptyNodeThatBehavesTheSame) {
  Shell shell;
  shell.run("SET k v PX 5");
  shell.run("EVAL 'return math.random()' 0");
  shell.database().reset();
  EXPECT_EQ(shell.run("DBSIZE"), "(integer) 0");
  EXPECT_EQ(next_expiry(shell.database(), shell.context().now), std::nullopt);
  EXPECT_TRUE(shell.run("EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0")
                  .starts_with("(error) NOSCRIPT"));
  EXPECT_EQ(shell.run("EVAL 'return math.random(1000000)' 0"), "(integer) 396465");
}

}  // namespace
}  // namespace locklab::redis
