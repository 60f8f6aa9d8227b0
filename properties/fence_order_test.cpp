// Tests of fence-order: duplicates, inversions, and which order of grants counts.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "properties/property_cases.h"

namespace locklab::testing {
namespace {

HistoryBuilder fences(std::vector<std::uint32_t> numbers) {
  HistoryBuilder h;
  const ActorId clients[] = {kClient1, kClient2, kClient3};
  h.at(10_ms);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    h.grant(clients[i % 3], {.fence = numbers[i]});
  }
  return h;
}

HistoryBuilder per_lock() {
  HistoryBuilder h;
  h.at(10_ms).grant(kClient1, {.fence = 7}, kLock);
  h.grant(kClient2, {.fence = 3}, kOtherLock);
  h.grant(kClient3, {.fence = 8}, kLock);
  h.grant(kClient1, {.fence = 7}, kOtherLock);
  return h;
}

/// Fences follow the servers' order; the answers come the other way round.
HistoryBuilder answers_cross() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).begin(kClient1);
  const HoldId second = h.begin(kClient2);
  h.key_set(first);
  h.key_set(second);
  h.granted(second, {.fence = 34});
  h.granted(first, {.fence = 33});
  return h;
}

HistoryBuilder ungranted() {
  HistoryBuilder h;
  h.at(10_ms).grant(kClient1, {.fence = 33});
  const HoldId lost = h.begin(kClient2);
  Record issued;
  issued.kind = EventKind::fence_issued;
  issued.actor = kRedis1.value;
  issued.hold = lost.value;
  issued.fence = 33;
  h.add(issued);
  Record answer = h.history().records().back();
  answer.kind = EventKind::op_return;
  answer.actor = kClient2.value;
  answer.arg = static_cast<std::int64_t>(Operation::acquire);
  answer.result = static_cast<std::int64_t>(Outcome::unknown);
  h.add(answer);
  h.grant(kClient3, {.fence = 34});
  return h;
}

/// K1: the counter went back by one in a failover.
Case duplicate() {
  HistoryBuilder h;
  h.at(10_ms).grant(kClient1, {.fence = 34});
  h.at(1200_ms).grant(kClient2, {.fence = 34});
  return violated("a counter that went back", h, 1, {2, 4});
}

/// A13: client-1 was granted first and fetched its fence last.
Case fetched_late() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).begin(kClient1);
  const HoldId second = h.begin(kClient2);
  h.at(11_ms).key_set(first);                   // Record 3.
  h.at(1100_ms).key_set(second);                // Record 4.
  h.at(1101_ms).granted(second, {.fence = 5});  // Record 5.
  h.at(1510_ms).granted(first, {.fence = 6});   // Record 6.
  return violated("a fence that was fetched after the lock", h, 1, {3, 4, 5, 6});
}

Case duplicate_comes_first() {
  return violated("a duplicate is worse than an inversion", fences({5, 9, 5, 7}), 3, {2, 6});
}

Case inversion_against_the_highest() {
  return violated("lower than some earlier one", fences({5, 9, 0, 7}), 2, {4, 8});
}

/// The lowest is granted between the others and answered last.
Case not_only_neighbours() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).begin(kClient1);
  const HoldId second = h.begin(kClient2);
  const HoldId third = h.begin(kClient3);
  h.key_set(first);  // Record 4.
  h.key_set(second);
  h.key_set(third);                // Record 6.
  h.granted(first, {.fence = 9});  // Record 7.
  h.granted(third, {.fence = 7});  // Record 8.
  h.granted(second, {.fence = 5});
  return violated("lower than one before the last", h, 2, {4, 6, 7, 8});
}

/// The other lock's pair is complete earlier.
Case earliest_pair() {
  HistoryBuilder h;
  h.at(10_ms).grant(kClient1, {.fence = 5}, kLock);
  h.grant(kClient1, {.fence = 9}, kOtherLock);  // Record 4.
  h.grant(kClient2, {.fence = 8}, kOtherLock);  // Record 6.
  h.grant(kClient2, {.fence = 4}, kLock);
  h.grant(kClient3, {.fence = 3}, kLock);
  return violated("the earliest of all locks", h, 3, {4, 6});
}

}  // namespace

std::vector<Case> fence_order_cases() {
  return {holds("growing", fences({1, 2, 7}), 2),
          holds("without fences", fences({0, 0, 0}), 0),
          holds("a hold without a fence between", fences({4, 0, 5}), 1),
          holds("each lock has its own order", per_lock(), 2),
          holds("answers that cross on the way", answers_cross(), 1),
          holds("a fence that nobody was granted", ungranted(), 1),
          duplicate(),
          fetched_late(),
          duplicate_comes_first(),
          inversion_against_the_highest(),
          not_only_neighbours(),
          earliest_pair()};
}

namespace {

TEST(FenceOrder, AgreesWithItsCases) {
  expect_agreement(fence_order(), fence_order_cases());
}

TEST(FenceOrder, NamesActorsTimesAndFences) {
  EXPECT_EQ(why(fence_order(), duplicate().history),
            "client-1 and client-2 were both given fence 34 for lock:order-42, at 10.000ms and "
            "1200.000ms");
  EXPECT_EQ(why(fence_order(), fetched_late().history),
            "client-2 was granted lock:order-42 at 1100.000ms, after client-1 at 11.000ms, but "
            "has the lower fence: 5 after 6");
}

}  // namespace
}  // namespace locklab::testing
