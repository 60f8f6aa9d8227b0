// Tests of effects: what a command sends to replicas, and what it reports to the history.
// SPDX-License-Identifier: Apache-2.0
#include "sim/redis/effects.h"

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

}  // namespace
}  // namespace locklab::redis
