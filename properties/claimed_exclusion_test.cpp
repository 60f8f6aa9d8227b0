// Tests of claimed-exclusion: the four ends of a claim, and what does not end it.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "properties/property_cases.h"

namespace locklab::testing {
namespace {

/// A checked lock under a pause: claimed no, occupied yes.
HistoryBuilder checked_and_paused() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1, {.checked = true});
  h.enter(first);
  h.at(980_ms).claim_end(first);
  const HoldId second = h.at(1010_ms).grant(kClient2);
  h.enter(second);
  h.at(1200_ms).send_effect(first);
  h.leave(first);
  return h;
}

HistoryBuilder each_end() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1);
  h.at(20_ms).release(first);
  const HoldId second = h.at(30_ms).grant(kClient2);
  h.at(40_ms).told_lost(second);
  h.at(50_ms).grant(kClient3);
  h.at(60_ms).kill(kClient3, EndKind::host_loss);
  h.at(70_ms).grant(kClient1);
  h.at(80_ms).panic(kClient1, false);
  h.at(90_ms).grant(kClient2);
  return h;
}

HistoryBuilder touching() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1, {.checked = true});
  h.at(20_ms).grant(kClient2);
  h.claim_end(first);
  return h;
}

Case unchecked_and_paused() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1);
  h.enter(first);
  h.send_effect(first);
  h.at(15_ms).leave(first);
  const HoldId second = h.at(1010_ms).grant(kClient2);  // Record 7.
  h.at(1200_ms).release(first);                         // Record 8.
  h.at(1300_ms).release(second);
  return violated("leaving is not yet releasing", h, 1, {2, 7, 8});
}

Case no_resumption() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1, {.checked = true});
  h.at(20_ms).grant(kClient2);   // Record 4.
  h.at(30_ms).claim_end(first);  // Record 5.
  h.at(40_ms).told_lost(first);
  h.at(50_ms).release(first);
  return violated("the first of the ends counts", h, 1, {2, 4, 5});
}

Case renewal_is_no_end() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1);
  h.at(20_ms).renew(first);
  h.renewed(first);
  h.at(30_ms).panic(kClient1, true);
  h.kill(kClient3);
  h.at(40_ms).grant(kClient2);  // Record 8.
  return violated("renewals, recovered panics and other deaths end nothing", h, 1, {2, 8});
}

}  // namespace

std::vector<Case> claimed_exclusion_cases() {
  return {holds("an empty history", HistoryBuilder(), 0),
          holds("a checked client that is paused", checked_and_paused(), 1),
          holds("released, told, lost with its host, panicked", each_end(), 4),
          holds("touching claims do not overlap", touching(), 1),
          unchecked_and_paused(),
          no_resumption(),
          renewal_is_no_end()};
}

namespace {

TEST(ClaimedExclusion, AgreesWithItsCases) {
  expect_agreement(claimed_exclusion(), claimed_exclusion_cases());
}

TEST(ClaimedExclusion, NamesActorsTimesAndAmounts) {
  EXPECT_EQ(why(claimed_exclusion(), unchecked_and_paused().history),
            "client-1 and client-2 both claimed lock:order-42 for 190ms, from 1010.000ms");
}

TEST(ClaimedExclusion, ACheckedClientUnderAPauseIsInsideWithoutAClaim) {
  const History history = checked_and_paused().history();

  EXPECT_EQ(why(claimed_exclusion(), history), "");
  EXPECT_NE(why(double_ownership(), history), "");
}

}  // namespace
}  // namespace locklab::testing
