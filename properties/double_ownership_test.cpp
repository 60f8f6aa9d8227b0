// Tests of double-ownership: intervals of the occupied lane, their ends and their ties.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "properties/property_cases.h"

namespace locklab::testing {
namespace {

HistoryBuilder one_after_the_other() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1);
  h.enter(first);
  h.at(20_ms).leave(first);
  h.release(first);
  const HoldId second = h.at(30_ms).grant(kClient2);
  h.enter(second);
  h.at(40_ms).leave(second);
  return h;
}

HistoryBuilder the_same_again() {
  HistoryBuilder h;
  for (const Duration start : {10_ms, 30_ms}) {
    const HoldId hold = h.at(start).grant(kClient1);
    h.enter(hold);
    h.at(start + 10_ms).leave(hold);
  }
  return h;
}

HistoryBuilder touching() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1);
  h.enter(first);
  const HoldId second =
      h.at(20_ms).grant(kClient2);  // At the instant of leaving, but recorded first.
  h.enter(second);
  h.leave(first);
  h.at(30_ms).leave(second);
  return h;
}

HistoryBuilder two_locks() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1, {}, kLock);
  h.enter(first);
  const HoldId second = h.at(20_ms).grant(kClient2, {}, kOtherLock);
  h.enter(second);
  h.at(30_ms).leave(first);
  const HoldId third = h.at(40_ms).grant(kClient3, {}, kLock);
  h.enter(third);
  h.at(50_ms).leave(second);
  h.leave(third);
  return h;
}

HistoryBuilder killed_inside() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1);
  h.enter(first);
  h.at(20_ms).kill(kClient1);
  const HoldId second = h.at(30_ms).grant(kClient2);
  h.enter(second);
  h.at(40_ms).panic(kClient2, false);
  const HoldId third = h.at(50_ms).grant(kClient3);
  h.enter(third);
  h.leave(third);
  return h;
}

/// A pause behind the last guarded effect: nothing can go wrong any more.
HistoryBuilder last_effect_sent() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1);
  h.enter(first);
  h.at(15_ms).send_effect(first, ResourceOp::read);
  h.at(20_ms).send_effect(first);
  const HoldId second = h.at(30_ms).grant(kClient2);
  h.enter(second);
  h.at(40_ms).leave(first);
  h.at(50_ms).leave(second);
  return h;
}

/// Told of its loss before it went inside, so it never does.
HistoryBuilder never_entered() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1);
  h.at(20_ms).told_lost(first);
  const HoldId second = h.at(30_ms).grant(kClient2);
  h.at(40_ms).release(second);
  const HoldId third = h.at(50_ms).grant(kClient3, {.checked = true});
  h.at(60_ms).claim_end(third);
  h.at(70_ms).grant(kClient1);
  return h;
}

HistoryBuilder unknown_is_no_grant() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).begin(kClient1);
  h.at(20_ms).unknown(first);
  const HoldId second = h.begin(kClient3);
  h.refused(second);
  h.at(30_ms).grant(kClient2);
  return h;
}

HistoryBuilder alone_but_for_the_probe() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1);
  h.enter(first);
  h.at(20_ms).leave(first);
  h.release(first);
  const HoldId probe = h.at(30_ms).grant(kClient2, {.flags = event_flags::kProbe});
  h.at(40_ms).release(probe);
  return h;
}

Case paused_inside() {
  HistoryBuilder h;
  const HoldId first = h.at(5_ms).grant(kClient1);
  h.enter(first);
  const HoldId second = h.at(1005_ms).grant(kClient2);  // Record 5.
  h.enter(second);
  h.at(microseconds(1'317'500)).leave(first);  // Record 7.
  h.at(1400_ms).leave(second);
  return violated("a pause outlives the lease", h, 1, {2, 5, 7});
}

Case effect_after_the_other_began() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1, {.checked = true});
  h.enter(first);
  h.at(20_ms).claim_end(first);
  const HoldId second = h.at(30_ms).grant(kClient2);  // Record 6.
  h.enter(second);
  h.at(40_ms).send_effect(first);  // Record 8.
  h.at(50_ms).leave(first);
  h.at(60_ms).leave(second);
  return violated("the own deadline does not stop who has checked already", h, 1, {2, 6, 8});
}

Case both_open() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1);
  h.enter(first);
  h.at(20_ms).grant(kClient2);
  return violated("nobody has left when the run ends", h, 1, {2, 5});
}

Case longest_is_not_the_last() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1);
  h.enter(first);
  h.at(15_ms).claim_end(first);
  const HoldId second = h.at(60_ms).grant(kClient2, {}, kOtherLock);
  h.at(70_ms).release(second);
  const HoldId third = h.at(80_ms).grant(kClient3);  // Record 9.
  h.enter(third);
  h.at(90_ms).leave(third);  // Record 11.
  h.at(95_ms).leave(first);
  return violated("the other lock's grant between them does not hide it", h, 1, {2, 9, 11});
}

/// The middle one ends first, the first one is still inside when the third comes.
Case long_first_short_second() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1, {.flags = event_flags::kProbe});
  h.enter(first);
  h.at(20_ms).kill(kRedis1);                          // A node's death ends nobody's stay.
  const HoldId second = h.at(30_ms).grant(kClient1);  // Record 6.
  h.enter(second);
  h.at(40_ms).leave(second);  // Record 8.
  const HoldId third = h.at(50_ms).grant(kClient3);
  h.enter(third);
  h.at(60_ms).leave(third);
  h.leave(first);
  return violated("two holds of one process are two owners", h, 2, {2, 6, 8});
}

Case empty_inside_longer() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1);
  h.enter(first);
  const HoldId second = h.at(20_ms).grant(kClient2);  // Record 5.
  h.enter(second);
  h.leave(second);  // Record 7.
  h.at(30_ms).leave(first);
  return violated("an empty interval inside a longer one overlaps it", h, 1, {2, 5, 7});
}

Case enters_again() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1);
  h.enter(first);
  h.at(20_ms).leave(first);
  h.enter(first);
  const HoldId second = h.at(30_ms).grant(kClient2);  // Record 7.
  h.enter(second);
  h.at(40_ms).leave(first);  // Record 9.
  h.leave(second);
  return violated("who goes in again was not out for good", h, 1, {2, 7, 9});
}

Case recovered_panic_of_another_fiber() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1);
  h.enter(first);
  h.at(20_ms).panic(kClient1, true, 1);
  const HoldId second = h.at(30_ms).grant(kClient2);  // Record 6.
  h.enter(second);
  h.at(40_ms).leave(first, LeaveReason::panicked);  // Record 8.
  h.leave(second);
  return violated("a recovered panic ends only its own fiber's stay", h, 1, {2, 6, 8});
}

HistoryBuilder equal_starts() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1);
  const HoldId second = h.grant(kClient2);
  h.enter(second);
  h.leave(second);
  h.release(first);
  const HoldId third = h.grant(kClient3);
  h.enter(third);
  h.at(20_ms).leave(third);
  return h;
}

/// Three begin together: the empty one meets neither, the long ones meet each other.
Case equal_starts_overlap() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1);
  const HoldId second = h.grant(kClient2);
  h.release(second);
  const HoldId third = h.grant(kClient3);  // Record 7.
  h.at(20_ms).release(first);              // Record 8.
  h.at(30_ms).release(third);
  return violated("equal beginnings overlap", h, 2, {2, 7, 8});
}

/// The overlap on the second lock is earlier than that on the first.
Case earliest_over_all_locks() {
  HistoryBuilder h;
  h.at(10_ms).grant(kClient1, {}, kLock);
  h.at(20_ms).grant(kClient1, {}, kOtherLock);  // Record 4.
  h.at(30_ms).grant(kClient2, {}, kOtherLock);  // Record 6.
  h.at(40_ms).grant(kClient2, {}, kLock);
  return violated("the earliest of all locks", h, 2, {4, 6});
}

}  // namespace

std::vector<Case> double_ownership_cases() {
  return {holds("an empty history", HistoryBuilder(), 0),
          holds("one after the other", one_after_the_other(), 1),
          holds("a client that comes again is nobody's rival", the_same_again(), 0),
          holds("touching intervals do not overlap", touching(), 1),
          holds("two locks are two stories", two_locks(), 1),
          holds("who is dead is not inside", killed_inside(), 2),
          holds("after the last guarded effect nobody is inside", last_effect_sent(), 1),
          holds("who never entered is out when its claim ends", never_entered(), 3),
          holds("an unknown or refused acquire grants nothing", unknown_is_no_grant(), 0),
          holds("the probe contends with nobody", alone_but_for_the_probe(), 0),
          holds("empty intervals that begin together", equal_starts(), 2),
          paused_inside(),
          effect_after_the_other_began(),
          both_open(),
          longest_is_not_the_last(),
          long_first_short_second(),
          empty_inside_longer(),
          enters_again(),
          recovered_panic_of_another_fiber(),
          equal_starts_overlap(),
          earliest_over_all_locks()};
}

namespace {

TEST(DoubleOwnership, AgreesWithItsCases) {
  expect_agreement(double_ownership(), double_ownership_cases());
}

TEST(DoubleOwnership, NamesActorsTimesAndAmounts) {
  EXPECT_EQ(why(double_ownership(), paused_inside().history),
            "client-1 and client-2 were both inside lock:order-42 for 312.5ms, from 1005.000ms");
}

TEST(DoubleOwnership, TellsTwoHoldsOfOneProcessApart) {
  EXPECT_EQ(why(double_ownership(), long_first_short_second().history),
            "client-1 (hold 1) and client-1 (hold 2) were both inside lock:order-42 for 10ms, "
            "from 30.000ms");
}

}  // namespace
}  // namespace locklab::testing
