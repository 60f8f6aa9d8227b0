// Tests of no-foreign-mutation: who deletes, overwrites and renews what, and what nobody caused.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "properties/property_cases.h"

namespace locklab::testing {
namespace {

HistoryBuilder own_key() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).begin(kClient1);
  h.key_set(first);
  h.granted(first);
  h.at(20_ms).key_ttl(first, first);
  h.at(30_ms).key_deleted(first, first);
  return h;
}

/// A ghost of an earlier attempt of the same operation is the hold's own.
HistoryBuilder own_ghost() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).begin(kClient1);
  h.key_set(first, {.attempt = 1});
  h.at(20_ms).key_deleted(first, first, {.attempt = 1, .flags = event_flags::kOverwritten});
  h.key_set(first, {.attempt = 2});
  h.granted(first);
  return h;
}

HistoryBuilder nobodys_work() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).begin(kClient1);
  const HoldId second = h.begin(kClient2);
  h.key_set(first);
  h.at(20_ms).key_deleted(second, first, {.flags = event_flags::kByExpiry});
  h.key_set(first);
  h.at(30_ms).key_deleted({}, first);  // Evicted or flushed: on nobody's behalf.
  return h;
}

HistoryBuilder on_a_replica() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).begin(kClient1);
  const HoldId second = h.begin(kClient2);
  h.key_set(first, {.node = kRedis2, .flags = event_flags::kReplica});
  h.key_deleted(second, first, {.node = kRedis2, .flags = event_flags::kReplica});
  return h;
}

HistoryBuilder another_key() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).begin(kClient1);
  const HoldId second = h.begin(kClient2);
  h.key_set(first, {.expiry = kNoExpiry, .key = "counter"});
  h.key_deleted(second, first, {.flags = event_flags::kOverwritten, .key = "counter"});
  return h;
}

/// A renewal stored the key anew: its span names the renewal, its hold the owner.
HistoryBuilder renewed_by_set() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).begin(kClient1);
  const HoldId renewal = HoldId::of(kClient1, 77);
  h.key_set(first);
  h.granted(first);
  h.key_deleted(first, first, {.flags = event_flags::kOverwritten});
  Record set;
  set.kind = EventKind::key_set;
  set.actor = kRedis1.value;
  set.hold = first.value;
  set.lock = h.history().records().front().lock;
  set.arg = static_cast<std::int64_t>(Span::of_operation(kClient1, 0, 77, 1).bits);
  h.add(set);
  h.at(30_ms).key_deleted(first, renewal);
  return h;
}

Case blind_delete() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).begin(kClient1);
  const HoldId second = h.begin(kClient2);
  h.key_set(first);
  h.key_deleted({}, first, {.flags = event_flags::kByExpiry});
  h.at(1200_ms).key_set(second);  // Record 5.
  const std::uint32_t wrong = h.at(1500_ms).key_deleted(first, second);
  h.at(1600_ms).key_set(second);
  h.at(1700_ms).key_deleted(first, second);
  return violated("a blind delete", h, 2, {5, wrong});
}

Case blind_renewal() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).begin(kClient1);
  const HoldId second = h.begin(kClient2);
  h.key_set(second);  // Record 3.
  h.at(20_ms).key_ttl(second, second);
  const std::uint32_t wrong = h.at(30_ms).key_ttl(first, second);
  return violated("a renewal of another's key", h, 2, {3, wrong});
}

Case overwritten() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).begin(kClient1);
  const HoldId second = h.at(11_ms).begin(kClient1);
  h.key_set(first);  // Record 3.
  const std::uint32_t wrong =
      h.at(30_ms).key_deleted(second, first, {.flags = event_flags::kOverwritten});
  h.key_set(second);
  return violated("another hold of the same process is another hold", h, 1, {3, wrong});
}

/// Three votes of three holds: the deleted key is not the latest.
Case among_several_nodes() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).begin(kClient1);
  const HoldId second = h.begin(kClient2);
  const HoldId third = h.begin(kClient3);
  h.key_set(second, {.node = kRedis2});  // Record 4.
  h.key_set(third, {.node = kRedis3});
  const std::uint32_t wrong = h.at(30_ms).key_deleted(first, second, {.node = kRedis2});
  return violated("one vote of many", h, 1, {4, wrong});
}

Case on_a_promoted_node() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).begin(kClient1);
  const HoldId second = h.begin(kClient2);
  h.key_set(first);
  h.key_set(first, {.node = kRedis2, .flags = event_flags::kReplica});  // Record 4.
  h.promoted(kRedis2);
  const std::uint32_t wrong = h.at(30_ms).key_deleted(second, first, {.node = kRedis2});
  return violated("a key that came by replication", h, 1, {4, wrong});
}

}  // namespace

std::vector<Case> no_foreign_mutation_cases() {
  return {holds("the own key", own_key(), 2),
          holds("the own ghost of an earlier attempt", own_ghost(), 1),
          holds("expiry, eviction and flush are nobody's work", nobodys_work(), 0),
          holds("a replica follows", on_a_replica(), 0),
          holds("a key that is not a lock", another_key(), 0),
          holds("a key that a renewal stored anew", renewed_by_set(), 2),
          blind_delete(),
          blind_renewal(),
          overwritten(),
          among_several_nodes(),
          on_a_promoted_node()};
}

namespace {

TEST(NoForeignMutation, AgreesWithItsCases) {
  expect_agreement(no_foreign_mutation(), no_foreign_mutation_cases());
}

TEST(NoForeignMutation, NamesActorsTimesAndKeys) {
  EXPECT_EQ(why(no_foreign_mutation(), blind_delete().history),
            "client-1 (hold 1) deleted lock:order-42 on redis-1 at 1500.000ms, a key that "
            "client-2 (hold 1) had created");
  EXPECT_EQ(why(no_foreign_mutation(), blind_renewal().history),
            "client-1 (hold 1) changed the expiry of lock:order-42 on redis-1 at 30.000ms, a key "
            "that client-2 (hold 1) had created");
  EXPECT_EQ(why(no_foreign_mutation(), overwritten().history),
            "client-1 (hold 2) overwrote lock:order-42 on redis-1 at 30.000ms, a key that "
            "client-1 (hold 1) had created");
}

}  // namespace
}  // namespace locklab::testing
