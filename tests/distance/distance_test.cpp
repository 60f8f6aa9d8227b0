// Tests of the distances: four locks whose smallest failures are known.
// SPDX-License-Identifier: Apache-2.0
#include "tests/distance/distance.h"

#include <map>

#include <gtest/gtest.h>

namespace locklab::testing_distance {
namespace {

/// One round each, faults at their natural victims: a few thousand runs for each lock.
constexpr Effort kShort{.every_target = false, .one_round = true, .seeds = 0};

std::map<std::string, Distance> of(std::string_view lock, ResourceMode resource) {
  std::map<std::string, Distance> by_property;
  for (const Distance& distance : distances(*find_lock(lock), resource, kShort))
    by_property[distance.property] = distance;
  return by_property;
}

std::string text(const Distance& distance) {
  if (!distance.deviations) return "more than 1";
  return std::to_string(*distance.deviations) + ": " + distance.how;
}

TEST(Distance, OfALockThatIsBlockedByOneLostReply) {
  auto rows = of("setnx-expire", ResourceMode::none);
  // Weaker than a lost reply: the answer comes after its client has given up.
  EXPECT_EQ(text(rows["eventual-release"]), "1: slow of client-1-redis-1 @ acq.sent");
  EXPECT_EQ(text(rows["no-orphan-key"]), "1: slow of client-1-redis-1 @ acq.sent");
  EXPECT_EQ(text(rows["double-ownership"]), "1: stall of client-1 @ acq.sent");
}

TEST(Distance, OfACheckedLockWhoseClaimsAPauseCannotBreak) {
  auto rows = of("set-nx-px-fenced", ResourceMode::none);
  EXPECT_EQ(text(rows["double-ownership"]), "1: stall of client-1 @ hold.check_ok");
  EXPECT_EQ(text(rows["claimed-exclusion"]), "1: node-kill of redis-1 @ srv.replied");
  EXPECT_EQ(text(rows["eventual-release"]), "more than 1");
}

TEST(Distance, OfHarmThroughAFence) {
  auto rows = of("set-nx-px-fenced", ResourceMode::ge_rw);
  EXPECT_EQ(text(rows["no-lost-update"]), "more than 1");
  EXPECT_EQ(text(rows["serializable-effects"]), "more than 1");
  rows = of("set-nx-px-fenced", ResourceMode::ge_w);
  EXPECT_EQ(text(rows["no-lost-update"]), "1: slow of client-1-resource @ res.before_send");
}

TEST(Distance, OfALockThatNeedsNothingButTheRightTimes) {
  auto rows = of("set-nx-px-nanoseconds", ResourceMode::none);
  EXPECT_EQ(text(rows["double-ownership"]), "0: nothing: the calm run");
}

}  // namespace
}  // namespace locklab::testing_distance
