// Tests of Lanes: which record is which end, and what the indices contain.
// SPDX-License-Identifier: Apache-2.0
#include "properties/lanes.h"

#include <gtest/gtest.h>

#include "properties/history_testing.h"

namespace locklab::testing {
namespace {

Instant after(Duration since_start) {
  return Instant::origin() + since_start;
}

TEST(Lanes, OneHoldFromRequestToRelease) {
  HistoryBuilder h;
  const HoldId hold = h.at(5_ms).begin(kClient1, kLock, event_flags::kProbe);
  h.at(10_ms).key_set(hold);
  h.at(15_ms).granted(hold, {.fence = 33, .checked = true});
  h.enter(hold);
  h.at(20_ms).send_effect(hold, ResourceOp::read);
  h.at(30_ms).send_effect(hold);
  h.at(40_ms).leave(hold);
  h.at(50_ms).release(hold);
  h.at(60_ms).released(hold, Outcome::not_held);
  Lanes lanes;

  lanes.read(h.history());

  ASSERT_EQ(lanes.holds().size(), 1U);
  const HoldLane& lane = lanes.holds()[0];
  EXPECT_EQ(lane.hold, hold);
  EXPECT_EQ(h.history().text(lane.lock), kLock);
  EXPECT_EQ(lane.fence, 33U);
  EXPECT_TRUE(lane.granted);
  EXPECT_TRUE(lane.checked);
  EXPECT_TRUE(lane.by_probe);
  EXPECT_EQ(lane.requested.at, after(5_ms));
  EXPECT_EQ(lane.effective.at, after(10_ms));
  EXPECT_EQ(lane.acquired.at, after(15_ms));
  EXPECT_EQ(lane.occupied_end.at, after(30_ms));
  EXPECT_EQ(lane.claimed_end.at, after(50_ms));
  EXPECT_EQ(lane.release_begun.at, after(50_ms));
  EXPECT_EQ(lane.release_returned.at, after(60_ms));
  EXPECT_EQ(lane.release_outcome, Outcome::not_held);
  EXPECT_EQ(lane.abandoned.at, after(60_ms));
  EXPECT_EQ(lanes.end(), after(60_ms));
}

TEST(Lanes, WhatServersStoredAndProgramsDid) {
  HistoryBuilder h;
  h.quorum(2);
  const HoldId hold = h.at(5_ms).begin(kClient1);
  h.at(10_ms).key_set(hold, {.node = kRedis1});
  h.at(11_ms).key_set(hold, {.node = kRedis2});
  h.at(15_ms).granted(hold);
  h.at(20_ms).enter(hold);
  const std::uint32_t begun = h.at(25_ms).renew(hold);
  const std::uint32_t returned = h.renewed(hold);
  h.at(30_ms).send_effect(hold);
  h.at(40_ms).leave(hold);
  h.at(50_ms).release(hold);
  h.at(51_ms).key_deleted(hold, hold, {.node = kRedis1});
  h.at(52_ms).send_effect(hold);
  h.at(53_ms).send_effect(hold);
  h.at(60_ms).released(hold);
  h.at(70_ms).released(hold, Outcome::not_held);
  Lanes lanes;

  lanes.read(h.history());

  const HoldLane& lane = *lanes.find(hold);
  EXPECT_EQ(lane.stored.at, after(10_ms));
  EXPECT_EQ(lane.effective.at, after(11_ms));
  EXPECT_EQ(lane.worked.at, after(20_ms));
  EXPECT_EQ(lane.renewed.at, after(25_ms));
  EXPECT_EQ(lane.left.at, after(40_ms));
  EXPECT_EQ(lane.lost.at, after(51_ms));
  EXPECT_EQ(lane.worked_late.at, after(52_ms));
  EXPECT_EQ(lane.over.at, after(60_ms));
  EXPECT_EQ(std::vector(lanes.renewals().begin(), lanes.renewals().end()),
            (std::vector<std::uint32_t>{begun, returned}));
}

TEST(Lanes, ARefusedHoldIsOverAndWasNeverLost) {
  HistoryBuilder h;
  const HoldId hold = h.at(5_ms).begin(kClient1);
  h.at(10_ms).key_set(hold);
  h.at(15_ms).unknown(hold);
  h.at(1011_ms).key_lost(hold);
  Lanes lanes;

  lanes.read(h.history());

  EXPECT_EQ(lanes.find(hold)->over.at, after(15_ms));
  EXPECT_FALSE(lanes.find(hold)->lost.known());
  EXPECT_FALSE(lanes.find(hold)->worked.known());
}

TEST(Lanes, OneHoldIsRequestedOnceAndNamedByItsGrant) {
  HistoryBuilder h;
  const HoldId hold = h.at(5_ms).begin(kClient1);
  const Record request = h.history().records().back();
  h.at(8_ms).add(request);  // Once more under the same number.
  h.at(15_ms).granted(hold);
  Lanes lanes;

  lanes.read(h.history());

  const HoldLane& lane = *lanes.find(hold);
  EXPECT_EQ(lane.requested.at, after(5_ms));
  EXPECT_EQ(lane.nonce, h.history().records().back().nonce);
  EXPECT_NE(lane.nonce, 0U);
}

TEST(Lanes, EffectsKeepTheirPlaces) {
  HistoryBuilder h;
  const HoldId one = h.grant(kClient1);
  const HoldId two = h.grant(kClient2);
  h.append(one);
  h.append(two);
  h.append(two);
  h.append(two);
  Lanes lanes;

  lanes.read(h.history());

  EXPECT_EQ(lanes.find(two)->first_effect, 1U);
  EXPECT_EQ(lanes.find(two)->last_effect, 3U);
  EXPECT_EQ(lanes.find(two)->effect_count, 3U);
}

TEST(Lanes, NothingIsFoundBeforeAnythingIsRead) {
  const Lanes lanes;

  EXPECT_EQ(lanes.find(HoldId::of(kClient1, 1)), nullptr);
}

TEST(Lanes, AnOpenIntervalEndsNever) {
  HistoryBuilder h;
  const HoldId hold = h.at(5_ms).grant(kClient1);
  Lanes lanes;

  lanes.read(h.history());

  const HoldLane& lane = *lanes.find(hold);
  EXPECT_FALSE(lane.checked);
  EXPECT_EQ(lane.claimed_end.at, Instant::never());
  EXPECT_EQ(lane.claimed_end.seq, 0U);
  EXPECT_EQ(lane.occupied_end.at, Instant::never());
  EXPECT_FALSE(lane.abandoned.known());
}

TEST(Lanes, TheLatestAttemptMakesTheGrant) {
  HistoryBuilder h;
  const HoldId hold = h.at(5_ms).begin(kClient1);
  h.at(10_ms).key_set(hold, {.attempt = 1});
  h.at(20_ms).key_deleted({}, hold, {.attempt = 1, .flags = event_flags::kByExpiry});
  h.at(30_ms).key_set(hold, {.attempt = 2});
  h.at(31_ms).key_set(hold, {.node = kRedis2, .attempt = 1});
  h.at(40_ms).granted(hold);
  h.at(50_ms).key_set(hold, {.attempt = 3});
  Lanes lanes;

  lanes.read(h.history());

  EXPECT_EQ(lanes.find(hold)->effective.at, after(30_ms));
}

TEST(Lanes, OneNodeVotesOnce) {
  HistoryBuilder h;
  h.quorum(2);
  const HoldId hold = h.at(5_ms).begin(kClient1);
  h.at(10_ms).key_set(hold, {.node = kRedis1});
  h.at(20_ms).key_set(hold, {.node = kRedis1});
  h.at(25_ms).key_set(hold, {.node = kRedis3, .flags = event_flags::kReplica});
  h.at(30_ms).key_set(hold, {.node = kRedis2});
  h.at(35_ms).key_set(hold, {.node = kRedis3});
  Lanes lanes;

  lanes.read(h.history());

  EXPECT_EQ(lanes.find(hold)->effective.at, after(30_ms));
}

TEST(Lanes, IndicesAreByLockThenByTime) {
  HistoryBuilder h;
  const HoldId a = h.at(5_ms).begin(kClient1, kLock);
  const HoldId b = h.begin(kClient2, kOtherLock);
  const HoldId c = h.begin(kClient3, kLock);
  h.key_set(a);
  h.key_set(c);
  h.granted(c);
  h.granted(b);
  h.granted(a);
  Lanes lanes;

  lanes.read(h.history());

  EXPECT_EQ(std::vector(lanes.by_acquired().begin(), lanes.by_acquired().end()),
            (std::vector<std::uint32_t>{2, 0, 1}));
  EXPECT_EQ(std::vector(lanes.by_grant().begin(), lanes.by_grant().end()),
            (std::vector<std::uint32_t>{0, 2, 1}));
  EXPECT_EQ(lanes.lock_count(), 2U);
  EXPECT_EQ(lanes.find(HoldId::of(kClient1, 99)), nullptr);
  EXPECT_EQ(lanes.holds()[lanes.by_grant()[2]].hold, b);
}

TEST(Lanes, WhoWorksWithoutAnAcquireHasALane) {
  HistoryBuilder h;
  const HoldId stranger = HoldId::of(kClient1, 7);
  h.at(5_ms).append(stranger);
  h.rejected(stranger);
  Lanes lanes;

  lanes.read(h.history());

  ASSERT_NE(lanes.find(stranger), nullptr);
  EXPECT_FALSE(lanes.find(stranger)->requested.known());
  EXPECT_FALSE(lanes.find(stranger)->granted);
  EXPECT_EQ(lanes.find(stranger)->effect_count, 1U);
  ASSERT_EQ(lanes.effects().size(), 1U);
  EXPECT_EQ(lanes.effects()[0].seq, 1U);
}

TEST(Lanes, ReadingAgainForgetsThePreviousHistory) {
  HistoryBuilder first;
  const HoldId hold = first.at(5_ms).grant(kClient1);
  first.append(hold);
  first.renew(hold);
  first.probe_begin(1_s);
  first.key_set(hold);
  Lanes lanes;
  lanes.read(first.history());

  lanes.read(HistoryBuilder().history());

  EXPECT_TRUE(lanes.holds().empty());
  EXPECT_TRUE(lanes.effects().empty());
  EXPECT_TRUE(lanes.by_acquired().empty());
  EXPECT_TRUE(lanes.by_grant().empty());
  EXPECT_TRUE(lanes.key_events().empty());
  EXPECT_TRUE(lanes.renewals().empty());
  EXPECT_TRUE(lanes.ending().empty());
  EXPECT_EQ(lanes.lock_count(), 0U);
  EXPECT_EQ(lanes.find(hold), nullptr);
}

}  // namespace
}  // namespace locklab::testing
