// Tests of honest-outcome: true and false answers of acquire, renew and release.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "properties/property_cases.h"

namespace locklab::testing {
namespace {

HistoryBuilder all_true() {
  HistoryBuilder h;
  const HoldId hold = h.grant_stored();
  h.at(100_ms).renew(hold);
  h.at(105_ms).key_ttl(hold, hold);
  h.at(110_ms).renewed(hold);
  h.at(200_ms).release(hold);
  h.at(205_ms).key_deleted(hold, hold);
  h.at(210_ms).released(hold);
  return h;
}

HistoryBuilder says_not_held() {
  HistoryBuilder h;
  const HoldId hold = h.grant_stored();
  h.at(1016_ms).key_lost(hold);
  h.at(1100_ms).renew(hold);
  h.at(1110_ms).renewed(hold, Outcome::not_held);
  h.at(1200_ms).release(hold);
  h.at(1205_ms).key_deleted(hold, hold, {.flags = event_flags::kByExpiry});
  h.at(1210_ms).released(hold, Outcome::not_held);
  return h;
}

HistoryBuilder cannot_tell() {
  HistoryBuilder h;
  const HoldId hold = h.grant_stored();
  h.at(100_ms).release(hold);
  h.at(105_ms).key_deleted(hold, hold);
  h.at(150_ms).released(hold, Outcome::unknown);
  return h;
}

/// Two chains under one identity leave at once: the other deletes what this one still counted in.
HistoryBuilder count_taken_down() {
  HistoryBuilder h;
  const HoldId hold = h.grant_stored();
  const HoldId other = h.at(30_ms).begin(kClient1);
  h.key_count(other, hold, 2);
  h.at(40_ms).granted(other);
  h.at(100_ms).release(hold);
  h.release(other);
  h.at(105_ms).key_count(hold, hold, 1);
  h.at(106_ms).key_deleted(other, hold);
  h.at(110_ms).released(hold);
  h.released(other);
  return h;
}

/// It was held when it was deleted and prolonged; what comes before the answer is another matter.
HistoryBuilder lost_after_the_effect() {
  HistoryBuilder h;
  const HoldId hold = h.grant_stored();
  h.at(100_ms).renew(hold);
  h.at(105_ms).key_ttl(hold, hold);
  h.at(106_ms).key_deleted({}, hold);
  h.at(110_ms).renewed(hold);
  return h;
}

/// The second release of a program that releases twice.
HistoryBuilder released_twice() {
  HistoryBuilder h;
  const HoldId hold = h.grant_stored();
  h.at(100_ms).release(hold);
  h.at(105_ms).key_deleted(hold, hold);
  h.at(110_ms).released(hold);
  h.at(120_ms).release(hold);
  h.at(130_ms).released(hold, Outcome::not_held);
  return h;
}

/// Its release had deleted one of two votes when the clock of the other node ran out.
HistoryBuilder expired_in_its_release() {
  HistoryBuilder h;
  h.quorum(2);
  const HoldId hold = h.at(10_ms).begin(kClient1);
  h.key_set(hold, {.node = kRedis1});
  h.key_set(hold, {.node = kRedis2});
  h.granted(hold);
  h.at(15_ms).key_set(hold, {.node = kRedis3});
  h.at(100_ms).release(hold);
  h.at(105_ms).key_deleted(hold, hold, {.node = kRedis1});
  h.at(106_ms).key_lost(hold, {.node = kRedis2});
  h.at(110_ms).key_deleted(hold, hold, {.node = kRedis3});
  h.at(120_ms).released(hold);
  return h;
}

/// Its release deleted one of two votes, and the other ran out before it could.
HistoryBuilder removed_in_part() {
  HistoryBuilder h;
  h.quorum(2);
  const HoldId hold = h.at(10_ms).begin(kClient1);
  h.key_set(hold, {.node = kRedis1});
  h.key_set(hold, {.node = kRedis2});
  h.granted(hold);
  h.at(100_ms).release(hold);
  h.at(105_ms).key_deleted(hold, hold, {.node = kRedis1});
  h.key_deleted(hold, hold, {.node = kRedis3, .flags = event_flags::kReplica});
  h.at(106_ms).key_deleted(hold, hold, {.node = kRedis2, .flags = event_flags::kByExpiry});
  h.at(120_ms).released(hold, Outcome::not_held);
  return h;
}

/// What it deleted was the next holder's.
HistoryBuilder not_held_but_deleted() {
  HistoryBuilder h;
  const HoldId hold = h.grant_stored();
  const HoldId next = h.begin(kClient2);
  h.at(1016_ms).key_deleted({}, hold, {.flags = event_flags::kByExpiry});
  h.key_set(next);
  h.at(1100_ms).release(hold);
  h.at(1105_ms).key_deleted(hold, next);
  h.at(1110_ms).released(hold, Outcome::not_held);
  return h;
}

/// It still stood on the old primary, but not on the new one.
HistoryBuilder not_held_any_more() {
  HistoryBuilder h;
  const HoldId hold = h.grant_stored();
  h.at(50_ms).promoted(kRedis2);
  h.at(100_ms).release(hold);
  h.at(105_ms).key_deleted(hold, hold);
  h.at(110_ms).released(hold, Outcome::not_held);
  return h;
}

/// The program finds the lease over, but later than at the instant of the answer.
HistoryBuilder short_validity() {
  HistoryBuilder h;
  const HoldId hold = h.grant_stored(kClient1, {.checked = true});
  h.enter(hold);
  h.at(21_ms).leave(hold, LeaveReason::lease_over);
  h.claim_end(hold);
  return h;
}

/// A pause on the way out, after the lock had looked at its clock.
HistoryBuilder paused_on_the_way_out() {
  HistoryBuilder h;
  const HoldId hold = h.at(10_ms).begin(kClient1);
  h.at(15_ms).key_set(hold);
  h.struck(kClient1, Label::acq_return);
  h.at(1500_ms).granted(hold, {.checked = true, .named = false});
  h.claim_end(hold);
  return h;
}

/// It left at that instant for another reason, or after a guarded effect, or another hold did.
HistoryBuilder left_at_once() {
  HistoryBuilder h;
  const HoldId other = h.at(10_ms).begin(kClient2);
  const HoldId hold = h.grant_stored(kClient1, {.checked = true});
  h.claim_end(other);
  h.enter(hold);
  h.send_effect(hold);
  h.leave(hold, LeaveReason::lease_over);
  h.at(30_ms).release(hold);
  return h;
}

HistoryBuilder cancelled_at_once() {
  HistoryBuilder h;
  const HoldId hold = h.grant_stored(kClient1, {.checked = true});
  h.enter(hold);
  h.leave(hold, LeaveReason::cancelled);
  return h;
}

/// Grants by what no server knows, and says so.
HistoryBuilder names_no_nonce() {
  HistoryBuilder h;
  const HoldId hold = h.at(10_ms).begin(kClient1);
  h.key_set(hold);
  h.granted(hold, {.named = false});
  h.at(50_ms).key_deleted({}, hold);
  h.at(100_ms).release(hold);
  h.at(110_ms).released(hold);
  return h;
}

Case not_stored() {
  HistoryBuilder h;
  const HoldId other = h.at(10_ms).begin(kClient2);
  h.key_set(other);
  h.granted(other);
  const HoldId hold = h.at(20_ms).begin(kClient1);  // Record 4.
  const std::uint32_t granted = h.at(50_ms).granted(hold);
  h.at(60_ms).release(hold);
  h.at(70_ms).released(hold);
  return violated("nobody stored it", h, 3, {4, granted});
}

Case over_when_it_came() {
  HistoryBuilder h;
  const HoldId hold = h.grant_stored(kClient1, {.checked = true});
  const std::uint32_t end = h.claim_end(hold);
  return violated("a validity that is over", h, 1, {3, end});
}

Case found_over_at_once() {
  HistoryBuilder h;
  const HoldId hold = h.at(10_ms).begin(kClient1);
  h.struck(kClient1, Label::acq_sent);
  const std::uint32_t granted = h.at(900_ms).granted(hold, {.checked = true, .named = false});
  h.enter(hold);
  const std::uint32_t left = h.leave(hold, LeaveReason::lease_over);
  h.release(hold);
  return violated("the program finds it over at once", h, 1, {granted, left});
}

Case renewed_too_late() {
  HistoryBuilder h;
  const HoldId hold = h.grant_stored();
  const std::uint32_t lost = h.at(1016_ms).key_lost(hold);
  h.at(1100_ms).renew(hold);
  h.at(1105_ms).key_ttl(hold, hold);  // The clock jumped back before Redis deleted it.
  const std::uint32_t renewed = h.at(1110_ms).renewed(hold);
  h.at(1200_ms).renew(hold);
  h.at(1210_ms).renewed(hold);
  return violated("renewed what another could have had", h, 3, {lost, renewed});
}

/// Only an earlier renewal, another hold's, or one on a replica came before the loss.
Case renewed_without_effect() {
  HistoryBuilder h;
  const HoldId hold = h.grant_stored();
  const HoldId other = h.begin(kClient2);
  h.at(50_ms).renew(hold);
  h.key_ttl(hold, hold);
  h.renewed(hold);
  h.at(100_ms).renew(hold);
  h.key_ttl(other, hold);
  h.key_ttl(hold, hold, {.node = kRedis2, .flags = event_flags::kReplica});
  const std::uint32_t lost = h.at(106_ms).key_deleted({}, hold);
  const std::uint32_t renewed = h.at(110_ms).renewed(hold);
  return violated("renewed nothing", h, 3, {lost, renewed});
}

Case renewed_for_no_time() {
  HistoryBuilder h;
  const HoldId hold = h.grant_stored();
  h.at(50_ms).struck(kClient1, Label::wd_result);
  h.at(100_ms).renew(hold);
  h.at(105_ms).key_ttl(hold, hold);
  const std::uint32_t renewed = h.at(900_ms).renewed(hold, Outcome::renewed, event_flags::kChecked);
  const std::uint32_t end = h.claim_end(hold);
  return violated("renewed for a time that is over", h, 2, {renewed, end});
}

/// A blind delete of the next holder's key: "released".
Case released_anothers() {
  HistoryBuilder h;
  const HoldId hold = h.grant_stored();
  const std::uint32_t lost = h.at(1016_ms).key_lost(hold);
  const HoldId next = h.begin(kClient2);
  h.key_set(next);
  h.at(1100_ms).release(hold);
  h.at(1105_ms).key_deleted(hold, next);
  const std::uint32_t released = h.at(1110_ms).released(hold);
  return violated("released another's", h, 2, {lost, released});
}

/// The old primary still had it.
Case released_on_the_old_primary() {
  HistoryBuilder h;
  const HoldId hold = h.grant_stored();
  const std::uint32_t lost = h.at(50_ms).promoted(kRedis2);
  h.at(100_ms).release(hold);
  h.at(105_ms).key_deleted(hold, hold);
  const std::uint32_t released = h.at(110_ms).released(hold);
  return violated("released on the old primary", h, 2, {lost, released});
}

/// It expires between the request and its arrival, and is told a success.
Case expired_before_the_release_arrived() {
  HistoryBuilder h;
  const HoldId hold = h.grant_stored();
  h.at(1000_ms).release(hold);
  const std::uint32_t lost = h.at(1016_ms).key_lost(hold);
  h.key_deleted(hold, hold, {.flags = event_flags::kByExpiry});
  const std::uint32_t released = h.at(1110_ms).released(hold);
  return violated("expired before the release arrived", h, 2, {lost, released});
}

/// The first request was applied and its reply lost; the retry finds nothing.
Case retried_release() {
  HistoryBuilder h;
  const HoldId hold = h.grant_stored();
  h.at(100_ms).release(hold);
  const std::uint32_t deleted = h.at(105_ms).key_deleted(hold, hold);
  h.at(150_ms).timed_out(hold);
  const std::uint32_t released = h.at(160_ms).released(hold, Outcome::not_held);
  return violated("a retry denies what the first request did", h, 2, {deleted, released});
}

Case retried_release_of_a_quorum() {
  HistoryBuilder h;
  h.quorum(2);
  const HoldId hold = h.at(10_ms).begin(kClient1);
  h.key_set(hold, {.node = kRedis1});
  h.key_set(hold, {.node = kRedis2});
  h.granted(hold);
  h.at(100_ms).release(hold);
  h.at(105_ms).key_deleted(hold, hold, {.node = kRedis1});
  const std::uint32_t deleted = h.at(106_ms).key_deleted(hold, hold, {.node = kRedis2});
  const std::uint32_t released = h.at(160_ms).released(hold, Outcome::not_held);
  return violated("a retry denies what a quorum did", h, 2, {deleted, released});
}

/// Of three lies that of the second hold is told first.
Case earliest_answer() {
  HistoryBuilder h;
  const HoldId hold = h.grant_stored();
  h.at(50_ms).key_deleted({}, hold);
  const HoldId other = h.at(60_ms).begin(kClient2);  // Record 5.
  const std::uint32_t granted = h.at(70_ms).granted(other);
  h.at(100_ms).release(hold);
  h.at(110_ms).released(hold);
  h.at(200_ms).grant(kClient3);
  return violated("the earliest answer", h, 4, {5, granted});
}

}  // namespace

std::vector<Case> honest_outcome_cases() {
  return {holds("all is true", all_true(), 3),
          holds("a count taken down", count_taken_down(), 4),
          holds("lost, and said so", says_not_held(), 2),
          holds("unknown is no lie", cannot_tell(), 1),
          holds("lost after its effect", lost_after_the_effect(), 2),
          holds("released twice", released_twice(), 2),
          holds("expired while its release went on", expired_in_its_release(), 2),
          holds("removed in part", removed_in_part(), 2),
          holds("not held, and another's deleted", not_held_but_deleted(), 2),
          holds("not held any more", not_held_any_more(), 2),
          holds("a short validity", short_validity(), 1),
          holds("paused on the way out", paused_on_the_way_out(), 1),
          holds("left at once, after an effect", left_at_once(), 1),
          holds("left at once, for another reason", cancelled_at_once(), 1),
          holds("a lock that names no nonce", names_no_nonce(), 0),
          not_stored(),
          over_when_it_came(),
          found_over_at_once(),
          renewed_too_late(),
          renewed_without_effect(),
          renewed_for_no_time(),
          released_anothers(),
          released_on_the_old_primary(),
          expired_before_the_release_arrived(),
          retried_release(),
          retried_release_of_a_quorum(),
          earliest_answer()};
}

namespace {

TEST(HonestOutcome, AgreesWithItsCases) {
  expect_agreement(honest_outcome(), honest_outcome_cases());
}

TEST(HonestOutcome, SaysWhatWasToldAndWhatWasTrue) {
  EXPECT_EQ(why(honest_outcome(), not_stored().history),
            "client-1 was told at 50.000ms that it holds lock:order-42, but no server that answers "
            "for it had stored it");
  EXPECT_EQ(why(honest_outcome(), over_when_it_came().history),
            "client-1 was told at 20.000ms that it holds lock:order-42, with a validity that was "
            "already over");
  EXPECT_EQ(why(honest_outcome(), renewed_too_late().history),
            "client-1 was told at 1110.000ms that lock:order-42 is renewed, but had lost it at "
            "1016.000ms");
  EXPECT_EQ(why(honest_outcome(), released_anothers().history),
            "client-1 was told at 1110.000ms that it held lock:order-42 until the release, but had "
            "lost it at 1016.000ms");
  EXPECT_EQ(why(honest_outcome(), retried_release().history),
            "client-1 was told at 160.000ms that it did not hold lock:order-42, which its own "
            "release had deleted at 105.000ms");
}

}  // namespace
}  // namespace locklab::testing
