// Tests of effect-exclusion: blocks, torn blocks, and whose operations do not count.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "properties/property_cases.h"

namespace locklab::testing {
namespace {

HistoryBuilder one_after_the_other() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1);
  const HoldId second = h.grant(kClient2);
  h.at(20_ms).read(first);
  h.append(first, 1);
  h.at(30_ms).read(second);
  h.append(second);
  return h;
}

/// Another lock's holder uses the same resource: their turns are not compared.
HistoryBuilder two_locks() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1);
  const HoldId other = h.grant(kClient2, {}, kOtherLock);
  h.read(first);
  h.read(other);
  h.append(first);
  h.append(other);
  return h;
}

HistoryBuilder refused_in_between() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1);
  const HoldId second = h.grant(kClient2);
  h.read(second);
  h.rejected(first);
  h.append(second);
  h.rejected(first, ResourceOp::read);
  return h;
}

Case lost_update() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1);
  const HoldId second = h.grant(kClient2);
  h.at(20_ms).read(first);
  const std::uint32_t before = h.at(25_ms).read(first, 1);
  const std::uint32_t between = h.at(30_ms).read(second);
  h.at(40_ms).append(second);
  const std::uint32_t resumed = h.at(50_ms).append(first);
  h.at(60_ms).append(first);
  h.at(70_ms).append(second);
  return violated("a read and an append with another's between", h, 3, {before, between, resumed});
}

/// Serializable in either order, and yet torn: reads count.
Case reads_only() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1);
  const HoldId second = h.grant(kClient2);
  const std::uint32_t before = h.at(20_ms).read(first);
  const std::uint32_t between = h.at(30_ms).read(second);
  const std::uint32_t resumed = h.at(40_ms).read(first);
  return violated("reads alone", h, 2, {before, between, resumed});
}

/// On its own object the first could have come first: contiguity asks for more.
Case other_objects() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1);
  const HoldId second = h.at(11_ms).grant(kClient1);
  const std::uint32_t before = h.at(20_ms).append(first);
  const std::uint32_t between = h.at(30_ms).append(second, 1);
  const std::uint32_t resumed = h.at(40_ms).append(first);
  return violated("objects are not told apart, nor holds of one process merged", h, 2,
                  {before, between, resumed});
}

/// The holder of another lock stands between as well, and is not the one.
Case among_two_locks() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1);
  const HoldId other = h.grant(kClient3, {}, kOtherLock);
  const HoldId second = h.grant(kClient2);
  const std::uint32_t before = h.at(20_ms).read(first);
  h.at(21_ms).read(other);
  const std::uint32_t between = h.at(30_ms).read(second);
  h.at(31_ms).read(other);
  const std::uint32_t resumed = h.at(40_ms).read(first);
  return violated("another lock's operations are no interruption", h, 2,
                  {before, between, resumed});
}

Case without_a_grant() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1);
  const HoldId refused = h.begin(kClient2);
  h.refused(refused);
  const std::uint32_t before = h.at(20_ms).read(first);
  const std::uint32_t between = h.at(30_ms).append(refused);
  const std::uint32_t resumed = h.at(40_ms).append(first);
  return violated("who works without a grant interrupts too", h, 2, {before, between, resumed});
}

}  // namespace

std::vector<Case> effect_exclusion_cases() {
  return {holds("nothing happens", HistoryBuilder(), 0),
          holds("one after the other", one_after_the_other(), 1),
          holds("two locks", two_locks(), 0),
          holds("what was rejected does not count", refused_in_between(), 0),
          lost_update(),
          reads_only(),
          other_objects(),
          among_two_locks(),
          without_a_grant()};
}

namespace {

TEST(EffectExclusion, AgreesWithItsCases) {
  expect_agreement(effect_exclusion(), effect_exclusion_cases());
}

TEST(EffectExclusion, NamesHoldersTimesAndLock) {
  EXPECT_EQ(why(effect_exclusion(), lost_update().history),
            "client-2's operation at 30.000ms was accepted between those of client-1 at 25.000ms "
            "and 50.000ms, both under lock:order-42");
  EXPECT_EQ(why(effect_exclusion(), other_objects().history),
            "client-1 (hold 2)'s operation at 30.000ms was accepted between those of client-1 "
            "(hold 1) at 20.000ms and 40.000ms, both under lock:order-42");
}

TEST(EffectExclusion, IsStricterThanSerializability) {
  for (const Case& example : {reads_only(), other_objects()}) {
    Lanes lanes;
    lanes.read(example.history);
    EXPECT_EQ(serializable_effects().check(example.history, lanes).verdict, Verdict::holds)
        << example.name;
  }
}

}  // namespace
}  // namespace locklab::testing
