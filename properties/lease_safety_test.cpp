// Tests of lease-safety: what the servers would grant to another while somebody claims.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "properties/property_cases.h"

namespace locklab::testing {
namespace {

constexpr KeyAt kOnReplica = {.node = kRedis2, .flags = event_flags::kReplica};

/// Stored on redis-1 at 15 ms (record 2), granted at 20 ms (record 3).
HoldId grant_stored(HistoryBuilder& h, ActorId client = kClient1, KeyAt where = {}) {
  const HoldId hold = h.at(10_ms).begin(client);
  h.at(15_ms).key_set(hold, where);
  h.at(20_ms).granted(hold);
  return hold;
}

HistoryBuilder released_in_time() {
  HistoryBuilder h;
  const HoldId hold = grant_stored(h);
  h.at(100_ms).release(hold);
  h.at(110_ms).key_deleted(hold, hold);
  h.at(120_ms).released(hold);
  return h;
}

/// Its own deadline comes first; the paused program does not matter.
HistoryBuilder deadline_before_expiry() {
  HistoryBuilder h;
  const HoldId hold = grant_stored(h);
  h.paused(kClient1);
  h.at(1000_ms).claim_end(hold);
  h.key_lost(hold);
  return h;
}

HistoryBuilder killed_holder() {
  HistoryBuilder h;
  const HoldId hold = grant_stored(h);
  h.at(100_ms).kill(kClient1);
  h.at(1016_ms).key_lost(hold);
  return h;
}

/// Down or paused, the node grants to nobody; it keeps the key over the pause.
HistoryBuilder unavailable_gap() {
  HistoryBuilder h;
  const HoldId hold = grant_stored(h);
  h.at(30_ms).paused(kRedis1);
  h.at(600_ms).resumed(kRedis1);
  h.at(700_ms).kill(kRedis1);
  h.at(1100_ms).release(hold);
  h.at(1200_ms).restarted(kRedis1, true);
  return h;
}

/// While the node stands still its clock passes the expiry; it comes to after the claim.
HistoryBuilder expired_in_a_pause() {
  HistoryBuilder h;
  const HoldId hold = grant_stored(h);
  h.at(30_ms).paused(kRedis1);
  h.at(1016_ms).key_lost(hold);
  h.at(1100_ms).release(hold);
  h.at(1200_ms).resumed(kRedis1);
  return h;
}

HistoryBuilder renewed_by_set() {
  HistoryBuilder h;
  const HoldId hold = h.at(10_ms).begin(kClient1);
  Record set = h.history().at(h.at(15_ms).key_set(hold));
  const Record granted = h.history().at(h.at(20_ms).granted(hold));
  h.at(300_ms).key_deleted(hold, hold, {.flags = event_flags::kOverwritten});
  // The key that a renewal stores anew names the renewal's operation.
  set.hold = HoldId::of(kClient1, 77).value;
  set.nonce = granted.nonce;
  h.add(set);
  h.at(400_ms).begin(kClient2);
  h.restarted(kRedis2, true);
  h.release(hold);
  return h;
}

/// A script that deletes and sets leaves no gap.
HistoryBuilder set_anew_in_one_step() {
  HistoryBuilder h;
  const HoldId hold = grant_stored(h);
  h.at(300_ms).key_deleted(hold, hold);
  h.key_set(hold);
  h.at(400_ms).release(hold);
  return h;
}

HistoryBuilder replicated_in_time() {
  HistoryBuilder h;
  const HoldId hold = grant_stored(h);
  h.key_set(hold, kOnReplica);
  h.at(100_ms).promoted(kRedis2);
  h.at(150_ms).kill(kRedis1);
  h.at(200_ms).release(hold);
  return h;
}

/// What a replica lacks is no loss, nor what a demoted primary loses.
HistoryBuilder not_on_replicas() {
  HistoryBuilder h;
  const HoldId hold = grant_stored(h);
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
  const HoldId before = grant_stored(h, kClient2);
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
  const HoldId hold = grant_stored(h);
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
  grant_stored(h, kClient2);
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

HistoryBuilder nothing_stored() {
  HistoryBuilder h;
  const HoldId hold = h.at(10_ms).grant(kClient1);
  h.at(30_ms).restarted(kRedis1, true);
  h.at(100_ms).release(hold);
  return h;
}

HistoryBuilder names_no_nonce() {
  HistoryBuilder h;
  const HoldId hold = h.at(10_ms).begin(kClient1);
  h.key_set(hold);
  h.granted(hold, {.named = false});
  h.at(1016_ms).key_lost(hold);
  return h;
}

/// Another key, and another lock on another node.
HistoryBuilder other_keys() {
  HistoryBuilder h;
  const HoldId hold = grant_stored(h);
  const HoldId other = h.begin(kClient2, kOtherLock);
  h.key_set(other, {.node = kRedis2, .key = kOtherLock});
  h.granted(other);
  h.at(30_ms).key_deleted({}, hold, {.key = "counter"});
  h.at(40_ms).release(hold);
  h.release(other);
  return h;
}

Case expired_under_a_claim() {
  HistoryBuilder h;
  const HoldId hold = grant_stored(h);
  const std::uint32_t lost = h.at(1016_ms).key_lost(hold);
  const HoldId second = h.begin(kClient2);
  h.at(1020_ms).key_deleted(second, hold, {.flags = event_flags::kByExpiry});
  h.key_set(second);
  h.at(1025_ms).granted(second);
  const std::uint32_t end = h.at(1500_ms).release(hold);
  h.at(1510_ms).key_deleted(hold, second);
  h.at(1600_ms).release(second);
  return violated("expired under a claim", h, 2, {3, lost, end});
}

Case still_claimed_at_the_end() {
  HistoryBuilder h;
  const HoldId hold = grant_stored(h);
  const std::uint32_t lost = h.at(1016_ms).key_lost(hold);
  h.at(1200_ms).run_end(EndReason::virtual_limit);
  return violated("still claimed at the end", h, 1, {3, lost});
}

Case told_too_late() {
  HistoryBuilder h;
  const HoldId hold = h.at(10_ms).begin(kClient1);
  h.at(15_ms).key_set(hold);
  const std::uint32_t lost = h.at(1016_ms).key_lost(hold);
  h.at(1100_ms).key_deleted({}, hold, {.flags = event_flags::kByExpiry});
  const std::uint32_t granted = h.at(1500_ms).granted(hold);
  h.at(1550_ms).key_set(hold);
  const std::uint32_t end = h.at(1600_ms).release(hold);
  return violated("lost before the answer", h, 1, {lost, granted, end});
}

/// Made good by a renewal, and too late: another could have come and gone.
Case made_good_too_late() {
  HistoryBuilder h;
  const HoldId hold = grant_stored(h);
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

Case came_back_empty() {
  HistoryBuilder h;
  const HoldId hold = grant_stored(h);
  h.enter(hold);
  h.leave(hold);  // Done inside, but not released yet.
  h.at(30_ms).kill(kRedis1);
  const std::uint32_t back = h.at(200_ms).restarted(kRedis1, true);
  const std::uint32_t end = h.at(300_ms).told_lost(hold);
  return violated("came back empty", h, 1, {3, back, end});
}

Case woke_without_it() {
  HistoryBuilder h;
  const HoldId hold = grant_stored(h);
  h.at(30_ms).paused(kRedis1);
  h.at(1016_ms).key_lost(hold);
  const std::uint32_t awake = h.at(1200_ms).resumed(kRedis1);
  const std::uint32_t end = h.at(1300_ms).release(hold);
  return violated("a paused node wakes without it", h, 1, {3, awake, end});
}

Case promoted_without_it() {
  HistoryBuilder h;
  const HoldId hold = grant_stored(h);
  const std::uint32_t lost = h.at(100_ms).promoted(kRedis2);
  const std::uint32_t end = h.at(300_ms).release(hold);
  return violated("promoted without it", h, 1, {3, lost, end});
}

/// Both have it, until the old primary is flushed, which client-2 still asks.
Case zombie_that_somebody_asks() {
  HistoryBuilder h;
  const HoldId hold = grant_stored(h);
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
  const HoldId hold = grant_stored(h);
  h.key_set(hold, kOnReplica);
  h.at(50_ms).resynced(kRedis2, kRedis3);
  const std::uint32_t lost = h.at(100_ms).promoted(kRedis2);
  const std::uint32_t end = h.at(300_ms).release(hold);
  return violated("promoted after it loaded an empty snapshot", h, 1, {3, lost, end});
}

/// The blind delete of another, whose own hold had been lost before.
Case deleted_by_another() {
  HistoryBuilder h;
  const HoldId first = grant_stored(h, kClient2);
  h.release(first);
  h.at(1100_ms).key_deleted({}, first, {.flags = event_flags::kByExpiry});
  const HoldId hold = h.begin(kClient1);
  h.at(1105_ms).key_set(hold);
  const std::uint32_t granted = h.at(1110_ms).granted(hold);
  const std::uint32_t lost = h.at(1200_ms).key_deleted(first, hold);
  const std::uint32_t end = h.at(1300_ms).release(hold);
  return violated("deleted by another", h, 2, {granted, lost, end});
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

/// The later grant is lost first.
Case earliest_gap() {
  HistoryBuilder h;
  const HoldId first = grant_stored(h);
  const HoldId other = h.begin(kClient2, kOtherLock);
  h.key_set(other, {.key = kOtherLock});
  const std::uint32_t granted = h.granted(other);
  const std::uint32_t lost = h.at(500_ms).key_deleted({}, other, {.key = kOtherLock});
  h.at(600_ms).key_deleted({}, first);
  h.at(700_ms).release(first);
  const std::uint32_t end = h.release(other);
  return violated("the earliest of two", h, 2, {granted, lost, end});
}

}  // namespace

std::vector<Case> lease_safety_cases() {
  return {holds("released in time", released_in_time(), 1),
          holds("the own deadline comes first", deadline_before_expiry(), 1),
          holds("a dead holder claims nothing", killed_holder(), 1),
          holds("an unavailable gap", unavailable_gap(), 1),
          holds("expired while nobody could answer", expired_in_a_pause(), 1),
          holds("renewed by storing it anew", renewed_by_set(), 1),
          holds("set anew in one step", set_anew_in_one_step(), 1),
          holds("replicated in time", replicated_in_time(), 1),
          holds("replicas and demoted nodes do not grant", not_on_replicas(), 1),
          holds("a zombie that nobody asks", zombie_that_nobody_asks(), 2),
          holds("a zombie that only its holder would ask", zombie_of_its_holder(), 1),
          holds("a zombie that only the dead would ask", zombie_of_the_dead(), 2),
          holds("a minority lost", minority_lost(), 1),
          holds("split among others", split_among_others(), 1),
          holds("renewed after its expiry", renewed_after_expiry(), 1),
          holds("made good before the answer", made_good_in_time(), 1),
          holds("nothing stored", nothing_stored(), 0),
          holds("a lock that names no nonce", names_no_nonce(), 0),
          holds("other keys and other nodes", other_keys(), 2),
          expired_under_a_claim(),
          still_claimed_at_the_end(),
          told_too_late(),
          made_good_too_late(),
          on_the_old_primary(),
          came_back_empty(),
          woke_without_it(),
          promoted_without_it(),
          zombie_that_somebody_asks(),
          promoted_after_resync(),
          deleted_by_another(),
          majority_lost(),
          another_gathers_votes(),
          quorum_node_restarts(),
          earliest_gap()};
}

namespace {

TEST(LeaseSafety, AgreesWithItsCases) {
  expect_agreement(lease_safety(), lease_safety_cases());
}

TEST(LeaseSafety, SaysHowLongAndWhy) {
  EXPECT_EQ(why(lease_safety(), expired_under_a_claim().history),
            "client-1 claimed lock:order-42 for 484ms from 1016.000ms while another could have "
            "had it: its key expired on redis-1 at 1016.000ms");
  EXPECT_EQ(why(lease_safety(), told_too_late().history),
            "client-1 claimed lock:order-42 for 100ms from 1500.000ms while another could have "
            "had it: its key expired on redis-1 at 1016.000ms");
  EXPECT_EQ(why(lease_safety(), still_claimed_at_the_end().history),
            "client-1 claimed lock:order-42 for 184ms from 1016.000ms while another could have "
            "had it: its key expired on redis-1 at 1016.000ms");
  EXPECT_EQ(why(lease_safety(), deleted_by_another().history),
            "client-1 claimed lock:order-42 for 100ms from 1200.000ms while another could have "
            "had it: client-2 deleted its key on redis-1 at 1200.000ms");
  EXPECT_EQ(why(lease_safety(), on_the_old_primary().history),
            "client-1 claimed lock:order-42 for 30ms from 20.000ms while another could have had "
            "it: redis-1 stored it, and another server had not at 15.000ms");
  EXPECT_EQ(why(lease_safety(), promoted_without_it().history),
            "client-1 claimed lock:order-42 for 200ms from 100.000ms while another could have "
            "had it: redis-2 was promoted without its key at 100.000ms");
}

}  // namespace
}  // namespace locklab::testing
