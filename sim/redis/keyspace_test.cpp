// The table of keys: probing, recycling, order.
// SPDX-License-Identifier: Apache-2.0
#include "sim/redis/keyspace.h"

#include <map>
#include <string>

#include <gtest/gtest.h>

namespace locklab::redis {
namespace {

std::string name(std::uint64_t i) {
  return "key:" + std::to_string(i);
}

TEST(Keyspace, AgreesWithAMapThroughGrowthAndErasure) {
  Keyspace keys;
  std::map<std::string, std::string> model;
  std::uint64_t state = 1;
  for (int step = 0; step < 20'000; ++step) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    const std::string key = name((state >> 33) % 700);
    Entry* entry = keys.find(key);
    ASSERT_EQ(entry != nullptr, model.count(key) == 1) << key;
    if (entry == nullptr) {
      *keys.insert(key).string() = std::to_string(step);
      model[key] = std::to_string(step);
    } else {
      ASSERT_EQ(*entry->string(), model[key]);
      keys.erase(*entry);
      model.erase(key);
    }
    ASSERT_EQ(keys.size(), model.size());
  }
  std::vector<std::string> listed;
  for (const Entry* entry : keys.sorted())
    listed.emplace_back(entry->key());
  std::vector<std::string> expected;
  expected.reserve(model.size());
  for (const auto& [key, value] : model)
    expected.push_back(key);
  EXPECT_EQ(listed, expected);
}

TEST(Keyspace, NewEntriesCarryNothingOver) {
  Keyspace keys;
  Entry& old = keys.insert("old");
  *old.string() = "a value too long for the small buffer of a string";
  old.creator = 7;
  keys.set_expiry(old, 5);
  keys.erase(old);

  const Entry& fresh = keys.insert("fresh");
  EXPECT_EQ(*fresh.string(), "");
  EXPECT_EQ(fresh.creator, 0U);
  EXPECT_FALSE(fresh.has_expiry());
  EXPECT_EQ(keys.first_deadline(), nullptr);
}

TEST(Keyspace, DeadlinesComeInOrderOfExpiryThenAge) {
  Keyspace keys;
  std::multimap<UnixMs, std::string> model;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const auto when = static_cast<UnixMs>((i * 7919) % 50);
    keys.set_expiry(keys.insert(name(i)), 1'000'000);
    keys.set_expiry(*keys.find(name(i)), when);
    model.emplace(when, name(i));
  }
  for (const auto& [when, key] : model) {
    Entry* entry = keys.first_deadline();
    ASSERT_NE(entry, nullptr);
    EXPECT_EQ(entry->key(), key);
    EXPECT_EQ(entry->expiry(), when);
    keys.erase(*entry);
  }
  EXPECT_EQ(keys.first_deadline(), nullptr);
}

TEST(Keyspace, NextExpirySkipsThePastWhateverTheHeapLooksLike) {
  Keyspace keys;
  for (std::uint64_t i = 0; i < 64; ++i) {
    keys.set_expiry(keys.insert(name(i)), static_cast<UnixMs>((i * 37) % 64));
  }
  for (UnixMs from = 0; from < 64; ++from)
    EXPECT_EQ(keys.next_expiry(from), from);
  EXPECT_EQ(keys.next_expiry(64), std::nullopt);
}

TEST(Keyspace, ClearForgetsKeysAndKeepsWorking) {
  Keyspace keys;
  for (std::uint64_t i = 0; i < 100; ++i)
    keys.set_expiry(keys.insert(name(i)), 1);
  keys.clear();
  EXPECT_EQ(keys.size(), 0U);
  EXPECT_EQ(keys.find(name(3)), nullptr);
  EXPECT_EQ(keys.first_deadline(), nullptr);
  keys.insert(name(3));
  EXPECT_EQ(keys.sorted().size(), 1U);
}

TEST(Keyspace, KeysAreBinary) {
  Keyspace keys;
  const std::string with_nul("a\0b", 3);
  keys.insert(with_nul);
  EXPECT_NE(keys.find(with_nul), nullptr);
  EXPECT_EQ(keys.find("a"), nullptr);
}

}  // namespace
}  // namespace locklab::redis
