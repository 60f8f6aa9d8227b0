// Tests of no-lost-update: the version that an append is made at against the version that was read.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "properties/property_cases.h"

namespace locklab::testing {
namespace {

HistoryBuilder in_turn() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1);
  h.read(first);
  h.append(first);
  h.read(first);
  h.append(first);
  const HoldId second = h.at(30_ms).grant(kClient2);
  h.read(second);
  h.append(second);
  return h;
}

HistoryBuilder own_appends() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1);
  h.read(first);
  h.append(first);
  h.append(first);
  return h;
}

HistoryBuilder other_object() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1);
  const HoldId second = h.grant(kClient2);
  h.read(first, 0);
  h.append(second, 1);
  h.append(first, 0);
  return h;
}

HistoryBuilder blind() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1);
  const HoldId second = h.grant(kClient2);
  h.append(second);
  h.append(first);
  return h;
}

HistoryBuilder read_again() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1);
  const HoldId second = h.grant(kClient2);
  h.read(first);
  h.append(second);
  h.read(first);
  h.append(first);
  return h;
}

HistoryBuilder rejected_append() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1);
  const HoldId second = h.grant(kClient2);
  h.read(first);
  h.rejected(second);
  h.append(first);
  h.rejected(first, ResourceOp::read);
  h.append(first);
  return h;
}

HistoryBuilder two_objects_read() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1);
  const HoldId second = h.grant(kClient2);
  h.append(second, 1);
  h.read(first, 0);
  h.read(first, 1);
  h.append(first, 0);
  h.append(first, 1);
  return h;
}

/// What the resource is there for: the late append is refused.
HistoryBuilder refused_in_time() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1);
  const HoldId second = h.grant(kClient2);
  h.read(first);
  h.append(second);
  h.rejected(first);
  return h;
}

Case two_lost() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1);
  const HoldId second = h.grant(kClient2);
  const std::uint32_t read = h.at(20_ms).read(first);
  h.read(second);
  const std::uint32_t other = h.at(30_ms).append(second);
  const std::uint32_t append = h.at(40_ms).append(first);
  h.at(50_ms).append(second);
  return violated("the first of two", h, 3, {read, other, append});
}

Case lost() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1);
  const HoldId second = h.grant(kClient2);
  h.at(900_ms).append(second);
  const std::uint32_t read = h.at(1000_ms).read(first);
  const std::uint32_t other = h.at(1500_ms).append(second);
  h.append(second, 1);
  const std::uint32_t append = h.at(1700_ms).append(first);
  h.at(1800_ms).append(first);
  return violated("another's append between read and append", h, 2, {read, other, append});
}

/// K9: the first append is delivered again after the second.
Case duplicate() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1);
  h.at(20_ms).read(first);
  h.at(30_ms).append(first);
  const std::uint32_t newer = h.at(40_ms).append(first);
  const std::uint32_t again = h.at(50_ms).append_again(first, 2);
  return violated("a duplicate overwrites its successor", h, 3, {newer, again});
}

Case duplicate_at_once() {
  HistoryBuilder h;
  const HoldId first = h.at(10_ms).grant(kClient1);
  h.at(20_ms).read(first);
  const std::uint32_t append = h.at(30_ms).append(first);
  const std::uint32_t again = h.at(50_ms).append_again(first, 2);
  return violated("a duplicate of the last append", h, 2, {append, again});
}

}  // namespace

std::vector<Case> no_lost_update_cases() {
  return {holds("read and append in turn", in_turn(), 3),
          holds("a hold knows what it appended itself", own_appends(), 2),
          holds("each object has its own version", other_object(), 1),
          holds("a blind append has read nothing", blind(), 0),
          holds("the last read counts", read_again(), 1),
          holds("what was rejected changed nothing", rejected_append(), 2),
          holds("two objects that were read", two_objects_read(), 2),
          holds("refused in time", refused_in_time(), 0),
          two_lost(),
          lost(),
          duplicate(),
          duplicate_at_once()};
}

namespace {

TEST(NoLostUpdate, AgreesWithItsCases) {
  expect_agreement(no_lost_update(), no_lost_update_cases());
}

TEST(NoLostUpdate, NamesActorsTimesAndVersions) {
  EXPECT_EQ(why(no_lost_update(), lost().history),
            "client-1 appended to object 0 at 1700.000ms on top of version 2, but knew version 1 "
            "of 1000.000ms: the append of client-2 at 1500.000ms is lost");
}

TEST(NoLostUpdate, SaysThatAnAppendWasAcceptedTwice) {
  EXPECT_EQ(why(no_lost_update(), duplicate().history),
            "the append of client-1 to object 0 at 30.000ms, on top of version 0, was accepted a "
            "second time at 50.000ms, on top of version 2");
}

}  // namespace
}  // namespace locklab::testing
