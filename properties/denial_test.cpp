// Tests of denial: which of several servers would grant a hold's lock to another, and when.
// SPDX-License-Identifier: Apache-2.0
//
// Judged through lease-safety, which asks of a loss only whether somebody claims at that time.
#include <gtest/gtest.h>

#include "properties/property_cases.h"

namespace locklab::testing {
namespace {

constexpr KeyAt kOnReplica = {.node = kRedis2, .flags = event_flags::kReplica};

HistoryBuilder replicated_in_time() {
  HistoryBuilder h;
  const HoldId hold = h.grant_stored();
  h.key_set(hold, kOnReplica);
  h.at(100_ms).promoted(kRedis2);
  h.at(150_ms).kill(kRedis1);
  h.at(200_ms).release(hold);
  return h;
}

/// What a replica lacks is no loss, nor what a demoted primary loses.
HistoryBuilder not_on_replicas() {
  HistoryBuilder h;
  const HoldId hold = h.grant_stored();
  h.begin(kClient2);
  h.key_set(hold, kOnReplica);
  h.at(30_ms).key_deleted({}, hold, kOnReplica);
  h.key_set(hold, kOnReplica);
  h.at(100_ms).promoted(kRedis2);
  h.demoted(kRedis1);
  h.at(110_ms).key_deleted({}, hold);
  h.resynced(kRedis1, kRedis2);
  h.at(200_ms).release(hold);
  return h;
}

/// The old primary knows nothing of it, but everybody else asks the new one.
HistoryBuilder zombie_that_nobody_asks() {
  HistoryBuilder h;
  const HoldId before = h.grant_stored(kClient2);
  h.release(before);
  h.key_deleted(before, before);
  h.at(100_ms).promoted(kRedis2);
  h.rediscovered(kClient2, kRedis2);
  h.rediscovered(kClient1, kRedis2);
  const HoldId hold = h.at(110_ms).begin(kClient1);
  h.key_set(hold, {.node = kRedis2});
  h.at(120_ms).granted(hold);
  h.at(200_ms).release(hold);
  return h;
}

/// The old primary forgets it, whom its holder alone still asks.
HistoryBuilder zombie_of_its_holder() {
  HistoryBuilder h;
  const HoldId hold = h.grant_stored();
  h.key_set(hold, kOnReplica);
  h.begin(kClient2);
  h.at(100_ms).promoted(kRedis2);
  h.rediscovered(kClient2, kRedis2);
  h.at(110_ms).key_deleted({}, hold);
  h.at(300_ms).release(hold);
  return h;
}

/// The other client is dead; what it would ask does not matter.
HistoryBuilder zombie_of_the_dead() {
  HistoryBuilder h;
  h.grant_stored(kClient2);
  h.kill(kClient2);
  h.at(100_ms).promoted(kRedis2);
  h.rediscovered(kClient1, kRedis2);
  const HoldId hold = h.at(110_ms).begin(kClient1);
  h.key_set(hold, {.node = kRedis2});
  h.at(120_ms).granted(hold);
  h.at(200_ms).release(hold);
  return h;
}

/// Two of three nodes have it.
HoldId grant_by_two(HistoryBuilder& h, ActorId client = kClient1) {
  h.quorum(2);
  const HoldId hold = h.at(10_ms).begin(client);
  h.at(15_ms).key_set(hold, {.node = kRedis1});
  h.key_set(hold, {.node = kRedis2});
  h.at(20_ms).granted(hold);
  return hold;
}

/// One of three votes is nothing; a node that is down does not vote for others.
HistoryBuilder minority_lost() {
  HistoryBuilder h;
  const HoldId hold = grant_by_two(h);
  h.at(30_ms).kill(kRedis3);
  h.at(40_ms).key_lost(hold, {.node = kRedis1});
  h.at(100_ms).release(hold);
  h.at(110_ms).key_deleted(hold, hold, {.node = kRedis2});
  return h;
}

/// Its vote on redis-1 is gone, but the third is another's who has no other.
HistoryBuilder split_among_others() {
  HistoryBuilder h;
  const HoldId hold = grant_by_two(h);
  const HoldId second = h.at(21_ms).begin(kClient2);
  const HoldId third = h.begin(kClient3);
  h.at(22_ms).key_set(second, {.node = kRedis3});
  h.at(30_ms).key_deleted({}, hold, {.node = kRedis1, .flags = event_flags::kOverwritten});
  h.key_set(third, {.node = kRedis1});
  h.at(100_ms).release(hold);
  return h;
}

/// The clock of redis-1 ran ahead; a renewal reached the key before Redis deleted it.
HistoryBuilder renewed_after_expiry() {
  HistoryBuilder h;
  const HoldId hold = grant_by_two(h);
  h.at(21_ms).key_set(hold, {.node = kRedis3});
  h.at(30_ms).key_lost(hold, {.node = kRedis1});
  h.at(40_ms).key_ttl(hold, hold, {.node = kRedis1});
  h.at(50_ms).key_lost(hold, {.node = kRedis2});
  h.at(100_ms).release(hold);
  return h;
}

/// The first vote is gone when the second comes, and a third makes that good before the answer.
HistoryBuilder made_good_in_time() {
  HistoryBuilder h;
  h.quorum(2);
  const HoldId hold = h.at(10_ms).begin(kClient1);
  h.at(15_ms).key_set(hold, {.node = kRedis1});
  h.key_lost(hold, {.node = kRedis1});
  h.key_set(hold, {.node = kRedis2});
  h.key_set(hold, {.node = kRedis3});
  h.at(20_ms).granted(hold);
  h.at(30_ms).release(hold);
  return h;
}

/// Made good by a renewal, and too late: another could have come and gone.
Case made_good_too_late() {
  HistoryBuilder h;
  const HoldId hold = h.grant_stored();
  const std::uint32_t lost = h.at(1016_ms).key_lost(hold);
  h.at(1020_ms).key_ttl(hold, hold);
  h.at(1030_ms).key_deleted({}, hold);
  const std::uint32_t end = h.at(1100_ms).release(hold);
  return violated("made good after the answer", h, 1, {3, lost, end});
}

/// It reached the old primary only, and client-2 looks for it on the new one.
Case on_the_old_primary() {
  HistoryBuilder h;
  h.at(5_ms).begin(kClient2);
  const HoldId before = h.begin(kClient1);
  h.key_set(before);
  h.key_deleted({}, before, {.flags = event_flags::kByExpiry});
  h.promoted(kRedis2);
  const HoldId hold = h.at(10_ms).begin(kClient1);
  const std::uint32_t lost = h.at(15_ms).key_set(hold);
  const std::uint32_t granted = h.at(20_ms).granted(hold);
  const std::uint32_t end = h.at(50_ms).release(hold);
  return violated("stored on the old primary alone", h, 1, {lost, granted, end});
}

Case promoted_without_it() {
  HistoryBuilder h;
  const HoldId hold = h.grant_stored();
  const std::uint32_t lost = h.at(100_ms).promoted(kRedis2);
  const std::uint32_t end = h.at(300_ms).release(hold);
  return violated("promoted without it", h, 1, {3, lost, end});
}

/// Both have it, until the old primary is flushed, which client-2 still asks.
Case zombie_that_somebody_asks() {
  HistoryBuilder h;
  const HoldId hold = h.grant_stored();
  h.key_set(hold, kOnReplica);
  h.begin(kClient2);
  h.at(100_ms).promoted(kRedis2);
  h.rediscovered(kClient1, kRedis2);
  const std::uint32_t lost = h.at(110_ms).key_deleted({}, hold);
  const std::uint32_t end = h.at(300_ms).release(hold);
  return violated("a zombie that somebody asks", h, 1, {3, lost, end});
}

/// A replica that loads its source's data has no key any more.
Case promoted_after_resync() {
  HistoryBuilder h;
  const HoldId hold = h.grant_stored();
  h.key_set(hold, kOnReplica);
  h.at(50_ms).resynced(kRedis2, kRedis3);
  const std::uint32_t lost = h.at(100_ms).promoted(kRedis2);
  const std::uint32_t end = h.at(300_ms).release(hold);
  return violated("promoted after it loaded an empty snapshot", h, 1, {3, lost, end});
}

Case majority_lost() {
  HistoryBuilder h;
  const HoldId hold = grant_by_two(h);
  const std::uint32_t lost = h.at(40_ms).key_lost(hold, {.node = kRedis1});
  const std::uint32_t end = h.at(100_ms).release(hold);
  return violated("two of three would grant it", h, 1, {4, lost, end});
}

/// One free node and one vote of the same other attempt.
Case another_gathers_votes() {
  HistoryBuilder h;
  const HoldId hold = grant_by_two(h);
  const HoldId second = h.at(21_ms).begin(kClient2);
  h.at(22_ms).key_set(second, {.node = kRedis3});
  const std::uint32_t lost = h.at(30_ms).key_lost(hold, {.node = kRedis2});
  const std::uint32_t end = h.at(100_ms).release(hold);
  return violated("another has one vote and could get a second", h, 1, {4, lost, end});
}

Case quorum_node_restarts() {
  HistoryBuilder h;
  const HoldId hold = grant_by_two(h);
  h.at(25_ms).kill(kRedis1);
  const std::uint32_t lost = h.at(40_ms).restarted(kRedis1, true);
  const std::uint32_t end = h.at(100_ms).release(hold);
  return violated("one of two votes comes back empty", h, 1, {4, lost, end});
}

}  // namespace

std::vector<Case> denial_cases() {
  return {holds("replicated in time", replicated_in_time(), 1),
          holds("replicas and demoted nodes do not grant", not_on_replicas(), 1),
          holds("a zombie that nobody asks", zombie_that_nobody_asks(), 2),
          holds("a zombie that only its holder would ask", zombie_of_its_holder(), 1),
          holds("a zombie that only the dead would ask", zombie_of_the_dead(), 2),
          holds("a minority lost", minority_lost(), 1),
          holds("split among others", split_among_others(), 1),
          holds("renewed after its expiry", renewed_after_expiry(), 1),
          holds("made good before the answer", made_good_in_time(), 1),
          made_good_too_late(),
          on_the_old_primary(),
          promoted_without_it(),
          zombie_that_somebody_asks(),
          promoted_after_resync(),
          majority_lost(),
          another_gathers_votes(),
          quorum_node_restarts()};
}

namespace {

TEST(Denial, AgreesWithItsCases) {
  expect_agreement(lease_safety(), denial_cases());
}

TEST(Denial, SaysWhoWouldGrantIt) {
  EXPECT_EQ(why(lease_safety(), on_the_old_primary().history),
            "client-1 claimed lock:order-42 for 30ms from 20.000ms while another could have had "
            "it: redis-1 stored it, and another server had not at 15.000ms");
  EXPECT_EQ(why(lease_safety(), promoted_without_it().history),
            "client-1 claimed lock:order-42 for 200ms from 100.000ms while another could have "
            "had it: redis-2 was promoted without its key at 100.000ms");
}

}  // namespace
}  // namespace locklab::testing
