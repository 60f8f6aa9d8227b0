// Tests of no-stale-write: the order of grants against the order of accepted operations.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "properties/property_cases.h"

namespace locklab::testing {
namespace {

HistoryBuilder in_order() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1);
  h.at(20_ms).read(first);
  h.append(first);
  const HoldId second = h.at(30_ms).grant(kClient2);
  h.at(40_ms).append(second);
  return h;
}

/// A late write before the new holder's first operation is not stale yet (Theorem 3).
HistoryBuilder late_but_first() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1);
  const HoldId second = h.at(30_ms).grant(kClient2);
  h.at(40_ms).append(first);
  h.at(50_ms).append(second);
  return h;
}

HistoryBuilder late_read() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1);
  const HoldId second = h.at(30_ms).grant(kClient2);
  h.at(40_ms).append(second);
  h.at(50_ms).read(first);
  h.at(60_ms).append(second);
  return h;
}

HistoryBuilder late_but_rejected() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1);
  const HoldId second = h.at(30_ms).grant(kClient2);
  h.at(40_ms).read(second);
  h.at(50_ms).rejected(first);
  return h;
}

HistoryBuilder other_lock() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1, {}, kLock);
  const HoldId second = h.at(30_ms).grant(kClient2, {}, kOtherLock);
  h.at(40_ms).append(second);
  h.at(50_ms).append(first);
  return h;
}

/// The servers granted client-2 first, though its answer came second.
HistoryBuilder answers_cross() {
  HistoryBuilder h;
  const HoldId late = h.at(10_ms).begin(kClient1);
  const HoldId early = h.begin(kClient2);
  h.at(11_ms).key_set(early);
  h.at(15_ms).key_set(late);
  h.at(16_ms).granted(late);
  h.at(20_ms).granted(early);
  h.at(30_ms).append(early);
  h.at(40_ms).append(late);
  return h;
}

HistoryBuilder without_a_grant() {
  HistoryBuilder h;
  const HoldId nobody = h.at(10_ms).begin(kClient1);
  h.refused(nobody);
  const HoldId holder = h.at(20_ms).grant(kClient2);
  h.at(30_ms).append(holder);
  h.at(40_ms).append(nobody);
  return h;
}

Case stale() {
  HistoryBuilder h;
  const HoldId first = h.at(100_ms).grant(kClient1);
  const HoldId second = h.at(1200_ms).grant(kClient2);
  const std::uint32_t use = h.at(1300_ms).read(second);
  h.at(1400_ms).append(second);
  const std::uint32_t late = h.at(1700_ms).append(first);
  h.at(1800_ms).append(first);
  return violated("a write after a later grant's read", h, 2, {2, 4, use, late});
}

Case answers_cross_and_stale() {
  HistoryBuilder h;
  const HoldId late = h.at(10_ms).begin(kClient1);
  const HoldId early = h.begin(kClient2);
  h.at(11_ms).key_set(early);  // Record 3.
  h.at(15_ms).key_set(late);   // Record 4.
  h.at(16_ms).granted(late);
  h.at(20_ms).granted(early);
  const std::uint32_t use = h.at(30_ms).append(late);
  const std::uint32_t stale = h.at(40_ms).append(early);
  return violated("the servers' order counts, not that of the answers", h, 1, {3, 4, use, stale});
}

/// Redlock: the grant is the second of three votes.
Case quorum_decides() {
  HistoryBuilder h;
  h.quorum(2);
  const HoldId first = h.at(10_ms).begin(kClient1);
  const HoldId second = h.begin(kClient2);
  h.at(11_ms).key_set(first, {.node = kRedis1});
  h.at(12_ms).key_set(second, {.node = kRedis2});
  h.at(13_ms).key_set(second, {.node = kRedis3});  // Record 5.
  h.at(14_ms).key_deleted({}, second, {.node = kRedis2, .flags = event_flags::kByExpiry});
  h.at(15_ms).key_set(first, {.node = kRedis2});  // Record 7.
  h.granted(first);
  h.granted(second);
  const std::uint32_t use = h.at(20_ms).append(first);
  const std::uint32_t stale = h.at(30_ms).append(second);
  return violated("a quorum makes the grant", h, 1, {5, 7, use, stale});
}

/// The newest user stays the newest, whoever comes between.
Case middle_hold() {
  HistoryBuilder h;
  h.at(10_ms).grant(kClient1);
  const HoldId second = h.at(20_ms).grant(kClient2);
  const HoldId third = h.at(30_ms).grant(kClient3);
  const std::uint32_t use = h.at(40_ms).read(third);
  h.at(50_ms).read(second);
  const std::uint32_t stale = h.at(60_ms).append(second);
  return violated("a middle hold's read does not lower the mark", h, 1, {4, 6, use, stale});
}

}  // namespace

std::vector<Case> no_stale_write_cases() {
  return {holds("in order", in_order(), 1),
          holds("late, but before the new holder's first operation", late_but_first(), 1),
          holds("a late read writes nothing", late_read(), 1),
          holds("late, but rejected", late_but_rejected(), 0),
          holds("another lock's holder", other_lock(), 0),
          holds("answers that cross on the way", answers_cross(), 1),
          holds("who works without a grant is not in the order", without_a_grant(), 0),
          stale(),
          answers_cross_and_stale(),
          quorum_decides(),
          middle_hold()};
}

namespace {

TEST(NoStaleWrite, AgreesWithItsCases) {
  expect_agreement(no_stale_write(), no_stale_write_cases());
}

TEST(NoStaleWrite, NamesActorsAndTimes) {
  EXPECT_EQ(why(no_stale_write(), stale().history),
            "client-1's append at 1700.000ms was accepted although client-2, granted "
            "lock:order-42 after it at 1200.000ms, had used the resource at 1300.000ms");
}

}  // namespace
}  // namespace locklab::testing
