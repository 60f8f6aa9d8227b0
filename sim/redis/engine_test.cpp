// Tests of the engine: which commands it refuses, and what it answers about itself.
// SPDX-License-Identifier: Apache-2.0
#include "sim/redis/engine.h"

#include <gtest/gtest.h>

#include "sim/redis/shell.h"

namespace locklab::redis {
namespace {

TEST(Errors, OfAnUnknownCommandAreOneLine) {
  Shell shell;
  EXPECT_EQ(shell.run("\"no\\r\\nsuch\" \"a\\nb\""),
            "(error) ERR unknown command 'no  such', with args beginning with: 'a b' ");
}

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
