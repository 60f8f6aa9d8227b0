// Hashes: their commands, what becomes of the key, effects, changes and records.
// SPDX-License-Identifier: Apache-2.0
#include "sim/redis/hash.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/redis/shell.h"
#include "sim/testing.h"

namespace locklab::redis {
namespace {

using locklab::testing::Kit;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* kWrongType =
    "(error) WRONGTYPE Operation against a key holding the wrong kind of value";

TEST(Hash, KeepsTheOrderInWhichFieldsCameAndTheirBuffers) {
  Hash hash;
  for (const char* name : {"a", "b", "c"})
    EXPECT_TRUE(hash.set(name, "1"));
  EXPECT_FALSE(hash.set("a", "2"));
  EXPECT_TRUE(hash.erase("b"));
  EXPECT_FALSE(hash.erase("b"));
  EXPECT_TRUE(hash.set("d", "4"));
  std::string listed;
  for (const Hash::Field& field : hash.fields())
    listed += field.name + "=" + field.value + " ";
  EXPECT_EQ(listed, "a=2 c=1 d=4 ");
  hash.clear();
  EXPECT_TRUE(hash.empty());
  EXPECT_EQ(hash.find("a"), nullptr);
}

TEST(Hash, SetCountsNewFieldsOnly) {
  Shell shell;
  EXPECT_EQ(shell.run("HSET h f 1"), "(integer) 1");
  EXPECT_EQ(shell.run("HSET h f 2 g 3 g 4"), "(integer) 1");
  EXPECT_EQ(shell.run("HGETALL h"), "[1) \"f\", 2) \"2\", 3) \"g\", 4) \"4\"]");
  EXPECT_EQ(shell.run("HSETNX h f 9"), "(integer) 0");
  EXPECT_THAT(shell.stream(), IsEmpty());
  EXPECT_EQ(shell.run("HGET h f"), "\"2\"");
  EXPECT_EQ(shell.run("HMGET h g x"), "[1) \"4\", 2) (nil)]");
}

TEST(Hash, AWrongTypeIsRefusedOnBothSides) {
  Shell shell;
  shell.run("SET s v");
  shell.run("HSET h f 1");
  for (const char* line :
       {"HSET s f 1",  "HMSET s f 1",    "HSETNX s f 1", "HGET s f",      "HMGET s f",  "HGETALL s",
        "HDEL s f",    "HEXISTS s f",    "HLEN s",       "HINCRBY s f 1", "HKEYS s",    "HVALS s",
        "HSTRLEN s f", "GET h",          "GETSET h x",   "INCR h",        "APPEND h x", "STRLEN h",
        "GETDEL h",    "GETRANGE h 0 1", "SET h x GET"}) {
    EXPECT_EQ(shell.run(line), kWrongType) << line;
    EXPECT_THAT(shell.stream(), IsEmpty()) << line;
  }
  EXPECT_EQ(shell.run("HGETALL h"), "[1) \"f\", 2) \"1\"]");
  EXPECT_EQ(shell.run("TYPE h"), "hash");
  EXPECT_EQ(shell.run("SET h x NX"), "(nil)");
  EXPECT_EQ(shell.run("SET h x"), "OK");
  EXPECT_EQ(shell.run("TYPE h"), "string");
}

TEST(Hash, AnIncrementIsJudgedBeforeTheKey) {
  Shell shell;
  shell.run("SET s v");
  EXPECT_EQ(shell.run("HINCRBY s f x"), "(error) ERR value is not an integer or out of range");
  EXPECT_EQ(shell.run("HINCRBY h f 5"), "(integer) 5");
  EXPECT_EQ(shell.run("HINCRBY h f -7"), "(integer) -2");
  shell.run("HSET h text abc big 9223372036854775807");
  EXPECT_EQ(shell.run("HINCRBY h text 1"), "(error) ERR hash value is not an integer");
  EXPECT_EQ(shell.run("HINCRBY h big 1"), "(error) ERR increment or decrement would overflow");
}

TEST(Hash, TheLastFieldTakesTheKeyAlong) {
  Shell shell;
  shell.run("HSET h f 1 g 2");
  shell.run("PEXPIRE h 1000");
  EXPECT_EQ(shell.run("HDEL h f x"), "(integer) 1");
  EXPECT_THAT(shell.changes(), ElementsAre("field-removed h"));
  EXPECT_THAT(shell.stream(), ElementsAre("HDEL h f x"));
  EXPECT_EQ(shell.run("HDEL h x"), "(integer) 0");
  EXPECT_THAT(shell.stream(), IsEmpty());
  EXPECT_EQ(shell.run("HDEL h g g"), "(integer) 1");
  EXPECT_THAT(shell.changes(), ElementsAre("deleted h"));
  EXPECT_EQ(shell.run("EXISTS h"), "(integer) 0");
  shell.run("HSET h f 1");
  EXPECT_EQ(shell.run("PTTL h"), "(integer) -1");
}

TEST(Hash, AnIncrementKeepsTheExpiryAndTheIncarnation) {
  Shell shell;
  shell.context().origin = 7;
  shell.run("HINCRBY h f 1");
  EXPECT_THAT(shell.changes(), ElementsAre("created h", "value-changed h"));
  shell.run("PEXPIRE h 1000");
  shell.context().origin = 8;
  shell.run("HINCRBY h f 1");
  EXPECT_THAT(shell.changes(), ElementsAre("value-changed h"));
  EXPECT_THAT(shell.stream(), ElementsAre("HINCRBY h f 1"));
  EXPECT_EQ(shell.run("PTTL h"), "(integer) 1000");
  EXPECT_EQ(shell.database().keys.find("h")->creator, 7U);
}

TEST(Hash, AnExpiredOneIsDeletedBeforeTheNextBegins) {
  Shell shell;
  shell.run("HSET h f 1");
  shell.run("PEXPIRE h 10");
  shell.advance(11_ms);
  EXPECT_EQ(shell.run("HINCRBY h g 1"), "(integer) 1");
  EXPECT_THAT(shell.stream(), ElementsAre("DEL h", "HINCRBY h g 1"));
  EXPECT_EQ(shell.run("HLEN h"), "(integer) 1");
  EXPECT_EQ(shell.run("PTTL h"), "(integer) -1");

  shell.run("SET s v PX 10");
  shell.advance(11_ms);
  EXPECT_EQ(shell.run("HSET s f 1"), "(integer) 1");  // The string is gone: no WRONGTYPE.
}

TEST(Hash, ReentrantLocksOfScriptsWork) {
  Shell shell;
  // Written after what redisson's RLock does: a count for each owner, kept in one hash.
  const std::string enter =
      "EVAL \"if redis.call('exists', KEYS[1]) == 0 or redis.call('hexists', KEYS[1], ARGV[2]) == 1"
      " then redis.call('hincrby', KEYS[1], ARGV[2], 1) redis.call('pexpire', KEYS[1], ARGV[1])"
      " return nil end return redis.call('pttl', KEYS[1])\" 1 lock 1000 ";
  EXPECT_EQ(shell.run(enter + "me"), "(nil)");
  EXPECT_EQ(shell.run(enter + "me"), "(nil)");
  EXPECT_EQ(shell.run(enter + "you"), "(integer) 1000");
  EXPECT_EQ(shell.run("HGETALL lock"), "[1) \"me\", 2) \"2\"]");
  EXPECT_EQ(shell.run("EVAL \"return redis.call('hgetall', KEYS[1])\" 1 lock"),
            "[1) \"me\", 2) \"2\"]");
  EXPECT_EQ(shell.run("EVAL \"return redis.call('hget', KEYS[1], 'x') == false\" 1 lock"),
            "(integer) 1");
}

TEST(Hash, EachChangeOfACountIsInTheHistory) {
  Kit kit;
  kit.client([](Client& client) {
    Redis redis = client.redis();
    EXPECT_TRUE(redis.command({"HINCRBY", "h", "me", "1"}).is_integer(1));
    EXPECT_TRUE(redis.command({"HINCRBY", "h", "me", "1"}).is_integer(2));
    EXPECT_TRUE(redis.command({"HSET", "h", "mode", "write"}).is_integer(1));
    EXPECT_TRUE(redis.command({"HDEL", "h", "mode"}).is_integer(1));
    EXPECT_TRUE(redis.command({"HDEL", "h", "me"}).is_integer(1));
  });
  kit.run();
  const auto text = [&](std::uint32_t id) { return kit.history().text(id); };
  const std::vector<Record> values = kit.all(EventKind::key_value);
  ASSERT_EQ(values.size(), 4U);
  EXPECT_EQ(text(values[0].nonce), "me");
  EXPECT_EQ(values[0].result, 1);
  EXPECT_EQ(values[1].result, 2);
  EXPECT_EQ(text(values[2].nonce), "mode");
  EXPECT_TRUE(values[2].has(event_flags::kText));
  EXPECT_EQ(text(static_cast<std::uint32_t>(values[2].result)), "write");
  EXPECT_TRUE(values[3].has(event_flags::kRemoved));
  // Begun and gone once, by what its fields are called.
  ASSERT_EQ(kit.count(EventKind::key_set), 1U);
  EXPECT_EQ(text(kit.all(EventKind::key_set)[0].nonce), "me");
  EXPECT_EQ(kit.count(EventKind::key_deleted), 1U);
}

TEST(Hash, ACountInsideAScriptChangesTheDigest) {
  const auto digest_with = [](std::string_view by) {
    Kit kit;
    kit.client([by](Client& client) {
      const Script script{"count", "redis.call('HINCRBY', KEYS[1], 'me', #ARGV[1]) return 1"};
      client.redis().eval(script, {"h"}, {by});
    });
    kit.run();
    return kit.history().digest();
  };
  EXPECT_EQ(digest_with("x"), digest_with("x"));
  EXPECT_NE(digest_with("x"), digest_with("xx"));
}

TEST(Hash, ReachesReplicasByEffectAndBySnapshot) {
  Kit kit(locklab::testing::replicated_world(1));
  PlannedFault death = locklab::testing::at_time(50_ms, FaultKind::node_kill, "replica-1");
  death.length = 20_ms;
  kit.fault(death);
  kit.client([](Client& client) {
    client.redis().command({"HSET", "h", "a", "1", "b", "2"});
    client.redis().command({"HDEL", "h", "a"});
    client.sleep_for(1_s);
  });
  kit.run_until(40_ms);
  EXPECT_EQ(kit.value_of("h", 1), "b");
  kit.run();
  ASSERT_EQ(kit.count(EventKind::resynced), 1U);
  const Entry* copy = kit.node(1).database().keys.find("h");
  ASSERT_NE(copy, nullptr);
  ASSERT_NE(copy->hash(), nullptr);
  EXPECT_EQ(copy->hash()->find("b")->value, "2");
}

}  // namespace
}  // namespace locklab::redis
