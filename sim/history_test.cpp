// History: dense records, interned texts, and a digest that covers each field of each.
// SPDX-License-Identifier: Apache-2.0
#include "sim/history.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace locklab {
namespace {

std::uint64_t digest_of(const Record& record) {
  History history;
  history.begin(0);
  history.append(record);
  return history.digest();
}

TEST(Digest, ChangesWithEachFieldOfARecord) {
  const std::vector<std::function<void(Record&)>> changes = {
      [](Record&) {},
      [](Record& r) { r.t = 1; },
      [](Record& r) { r.cause = 1; },
      [](Record& r) { r.actor = 1; },
      [](Record& r) { r.kind = EventKind::custom; },
      [](Record& r) { r.label = Label::acq_sent; },
      [](Record& r) { r.lock = 1; },
      [](Record& r) { r.flags = 1; },
      [](Record& r) { r.hold = 1; },
      [](Record& r) { r.nonce = 1; },
      [](Record& r) { r.fence = 1; },
      [](Record& r) { r.epoch = 1; },
      [](Record& r) { r.arg = 1; },
      [](Record& r) { r.result = 1; },
      [](Record& r) { r.local = 1; },
  };
  std::set<std::uint64_t> digests;
  for (const auto& change : changes) {
    Record record;
    change(record);
    digests.insert(digest_of(record));
  }
  EXPECT_EQ(digests.size(), changes.size());
}

TEST(Digest, DependsOnTheOrderAndOnTheNumberOfRecords) {
  const auto digest = [](std::initializer_list<std::int64_t> arguments) {
    History history;
    history.begin(0);
    for (const std::int64_t arg : arguments)
      history.append({.arg = arg});
    return history.digest();
  };
  EXPECT_NE(digest({1, 2}), digest({2, 1}));
  EXPECT_NE(digest({1, 1}), digest({1}));
  EXPECT_EQ(digest({1, 2}), digest({1, 2}));
}

TEST(Digest, BeginsWithTheScenario) {
  History history;
  history.begin(1);
  const std::uint64_t one = history.digest();
  history.begin(2);
  EXPECT_NE(history.digest(), one);
  history.begin(1);
  EXPECT_EQ(history.digest(), one);
}

TEST(Digest, IsOfTheBytesAndTheSameOnEveryMachine) {
  History history;
  history.begin(0x0123456789abcdefULL);
  history.intern("lock:order-42");
  history.append({.t = 5'000'000,
                  .actor = 3,
                  .kind = EventKind::applied,
                  .lock = 1,
                  .nonce = 2,
                  .arg = -1,
                  .result = 77});
  EXPECT_EQ(history.digest(), 0x900c796c12d9571cULL);
}

TEST(Digest, AbsorbsATextWhenItIsFirstInterned) {
  History history;
  history.begin(0);
  const std::uint64_t empty = history.digest();
  const TextId a = history.intern("a");
  const std::uint64_t with_a = history.digest();
  EXPECT_NE(with_a, empty);
  EXPECT_EQ(history.intern("a"), a);
  EXPECT_EQ(history.digest(), with_a);
  const TextId b = history.intern("b");
  EXPECT_NE(b, a);
  EXPECT_NE(history.digest(), with_a);
  EXPECT_EQ(history.text(a), "a");
  EXPECT_EQ(history.text(b), "b");
}

TEST(History, NumbersItsTextsAnewInEachExecution) {
  History history;
  history.begin(0);
  history.intern("first");
  history.intern("second");
  history.begin(0);
  EXPECT_EQ(history.intern("second"), TextId{1});
  EXPECT_EQ(history.intern("first"), TextId{2});
  EXPECT_EQ(history.intern(""), TextId{});
  EXPECT_EQ(history.text(TextId{}), "");
}

TEST(History, FindsTextsAgainWhenTheirTableGrows) {
  History history;
  history.begin(0);
  for (int i = 0; i < 2000; ++i) {
    EXPECT_EQ(history.intern(std::to_string(i)).value, static_cast<std::uint32_t>(i + 1));
  }
  for (int i = 0; i < 2000; ++i) {
    EXPECT_EQ(history.intern(std::to_string(i)).value, static_cast<std::uint32_t>(i + 1));
  }
}

TEST(History, NumbersItsRecordsDenselyFromOne) {
  History history;
  history.begin(0);
  for (std::uint32_t i = 1; i <= 5; ++i)
    EXPECT_EQ(history.append({.seq = 99}), i);
  EXPECT_EQ(history.at(3).seq, 3U);
  EXPECT_EQ(history.records().size(), 5U);
}

TEST(History, KeepsTheDigestOfEverySixtyFourthRecord) {
  History history;
  history.begin(0);
  std::vector<std::uint64_t> expected;
  for (int i = 1; i <= 200; ++i) {
    history.append({.arg = i});
    if (i % 64 == 0) expected.push_back(history.digest());
  }
  EXPECT_EQ(std::vector<std::uint64_t>(history.checkpoints().begin(), history.checkpoints().end()),
            expected);
  EXPECT_EQ(expected.size(), 3U);
  history.begin(0);
  EXPECT_TRUE(history.checkpoints().empty());
}

}  // namespace
}  // namespace locklab
