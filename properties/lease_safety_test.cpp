// Tests of lease-safety: what a client claims, and how long, after its hold was lost.
// SPDX-License-Identifier: Apache-2.0
//
// denial_test.cpp has the cases of several servers, whose answers decide that a hold is lost.
#include <gtest/gtest.h>

#include "properties/property_cases.h"

namespace locklab::testing {
namespace {

HistoryBuilder released_in_time() {
  HistoryBuilder h;
  const HoldId hold = h.grant_stored();
  h.at(100_ms).release(hold);
  h.at(110_ms).key_deleted(hold, hold);
  h.at(120_ms).released(hold);
  return h;
}

/// Its own deadline comes first; the paused program does not matter.
HistoryBuilder deadline_before_expiry() {
  HistoryBuilder h;
  const HoldId hold = h.grant_stored();
  h.paused(kClient1);
  h.at(1000_ms).claim_end(hold);
  h.key_lost(hold);
  return h;
}

HistoryBuilder killed_holder() {
  HistoryBuilder h;
  const HoldId hold = h.grant_stored();
  h.at(100_ms).kill(kClient1);
  h.at(1016_ms).key_lost(hold);
  return h;
}

/// Down or paused, the node grants to nobody; it keeps the key over the pause.
HistoryBuilder unavailable_gap() {
  HistoryBuilder h;
  const HoldId hold = h.grant_stored();
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
  const HoldId hold = h.grant_stored();
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
  const HoldId hold = h.grant_stored();
  h.at(300_ms).key_deleted(hold, hold);
  h.key_set(hold);
  h.at(400_ms).release(hold);
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
  const HoldId hold = h.grant_stored();
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
  const HoldId hold = h.grant_stored();
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
  const HoldId hold = h.grant_stored();
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

Case came_back_empty() {
  HistoryBuilder h;
  const HoldId hold = h.grant_stored();
  h.enter(hold);
  h.leave(hold);  // Done inside, but not released yet.
  h.at(30_ms).kill(kRedis1);
  const std::uint32_t back = h.at(200_ms).restarted(kRedis1, true);
  const std::uint32_t end = h.at(300_ms).told_lost(hold);
  return violated("came back empty", h, 1, {3, back, end});
}

Case woke_without_it() {
  HistoryBuilder h;
  const HoldId hold = h.grant_stored();
  h.at(30_ms).paused(kRedis1);
  h.at(1016_ms).key_lost(hold);
  const std::uint32_t awake = h.at(1200_ms).resumed(kRedis1);
  const std::uint32_t end = h.at(1300_ms).release(hold);
  return violated("a paused node wakes without it", h, 1, {3, awake, end});
}

/// The blind delete of another, whose own hold had been lost before.
Case deleted_by_another() {
  HistoryBuilder h;
  const HoldId first = h.grant_stored(kClient2);
  h.release(first);
  h.at(1100_ms).key_deleted({}, first, {.flags = event_flags::kByExpiry});
  const HoldId hold = h.begin(kClient1);
  h.at(1105_ms).key_set(hold);
  const std::uint32_t granted = h.at(1110_ms).granted(hold);
  const std::uint32_t lost = h.at(1200_ms).key_deleted(first, hold);
  const std::uint32_t end = h.at(1300_ms).release(hold);
  return violated("deleted by another", h, 2, {granted, lost, end});
}

/// The later grant is lost first.
Case earliest_gap() {
  HistoryBuilder h;
  const HoldId first = h.grant_stored();
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
  std::vector<Case> cases = {holds("released in time", released_in_time(), 1),
                             holds("the own deadline comes first", deadline_before_expiry(), 1),
                             holds("a dead holder claims nothing", killed_holder(), 1),
                             holds("an unavailable gap", unavailable_gap(), 1),
                             holds("expired while nobody could answer", expired_in_a_pause(), 1),
                             holds("renewed by storing it anew", renewed_by_set(), 1),
                             holds("set anew in one step", set_anew_in_one_step(), 1),
                             holds("nothing stored", nothing_stored(), 0),
                             holds("a lock that names no nonce", names_no_nonce(), 0),
                             holds("other keys and other nodes", other_keys(), 2),
                             expired_under_a_claim(),
                             still_claimed_at_the_end(),
                             told_too_late(),
                             came_back_empty(),
                             woke_without_it(),
                             deleted_by_another(),
                             earliest_gap()};
  std::vector<Case> of_several = denial_cases();
  cases.insert(cases.end(), of_several.begin(), of_several.end());
  return cases;
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
}

}  // namespace
}  // namespace locklab::testing
