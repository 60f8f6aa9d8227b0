// Tests of serializable-effects: lost updates, interleavings, longer cycles, and what is harmless.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "properties/property_cases.h"

namespace locklab::testing {
namespace {

struct Three {
  HistoryBuilder h;
  HoldId a = h.at(1_ms).grant(kClient1);
  HoldId b = h.grant(kClient2);
  HoldId c = h.grant(kClient3);  // Records 1 to 6.
};

HistoryBuilder serial() {
  Three t;
  t.h.at(10_ms).read(t.a);
  t.h.append(t.a);
  t.h.at(20_ms).read(t.b);
  t.h.append(t.b);
  return t.h;
}

HistoryBuilder readers_overlap() {
  Three t;
  t.h.at(10_ms).read(t.a);
  t.h.read(t.b);
  t.h.read(t.a);
  t.h.read(t.b);
  return t.h;
}

/// c comes late to object 0, but before b: interleaved in time, and still serial as a, c, b.
HistoryBuilder interleaved_but_serializable() {
  Three t;
  t.h.at(10_ms).read(t.a, 0);
  t.h.at(11_ms).read(t.b, 1);
  t.h.at(12_ms).append(t.a, 0);
  t.h.at(13_ms).append(t.c, 0);
  t.h.at(14_ms).append(t.b, 0);
  t.h.at(15_ms).append(t.b, 1);
  return t.h;
}

/// Against the order of the grants, but one at a time.
HistoryBuilder against_grant_order() {
  Three t;
  t.h.at(10_ms).append(t.c);
  t.h.append(t.b);
  t.h.append(t.a);
  return t.h;
}

HistoryBuilder rejected_does_not_count() {
  Three t;
  t.h.at(10_ms).read(t.a);
  t.h.read(t.b);
  t.h.append(t.b);
  t.h.rejected(t.a);
  return t.h;
}

HistoryBuilder different_objects() {
  Three t;
  t.h.at(10_ms).append(t.a, 0);
  t.h.append(t.b, 1);
  t.h.append(t.a, 0);
  t.h.append(t.b, 1);
  return t.h;
}

Case lost_update() {
  Three t;
  const std::uint32_t read = t.h.at(1000_ms).read(t.a);
  t.h.at(1500_ms).read(t.b);
  const std::uint32_t lost = t.h.at(1600_ms).append(t.b);
  const std::uint32_t overwriting = t.h.at(1700_ms).append(t.a);
  return violated("a lost update", t.h, 2, {read, lost, overwriting});
}

/// The append in the middle is neither read before nor after by the first hold.
Case interleaving() {
  Three t;
  const std::uint32_t before = t.h.at(1000_ms).append(t.a);
  const std::uint32_t middle = t.h.at(1500_ms).append(t.b);
  const std::uint32_t after = t.h.at(1700_ms).append(t.a);
  return violated("an interleaving", t.h, 2, {before, middle, after});
}

Case torn_read() {
  Three t;
  const std::uint32_t old_read = t.h.at(10_ms).read(t.a, 0);
  const std::uint32_t first_append = t.h.at(11_ms).append(t.b, 0);
  const std::uint32_t second_append = t.h.at(12_ms).append(t.b, 1);
  const std::uint32_t new_read = t.h.at(13_ms).read(t.a, 1);
  return violated("a reader sees half of a section", t.h, 2,
                  {old_read, first_append, second_append, new_read});
}

Case write_skew() {
  Three t;
  const std::uint32_t read_0 = t.h.at(10_ms).read(t.a, 0);
  const std::uint32_t read_1 = t.h.at(11_ms).read(t.b, 1);
  const std::uint32_t append_0 = t.h.at(12_ms).append(t.b, 0);
  const std::uint32_t append_1 = t.h.at(13_ms).append(t.a, 1);
  return violated("a write skew over two objects", t.h, 2, {read_0, read_1, append_0, append_1});
}

/// a before b on object 0, b before c on object 1, c before a on object 2.
Case three_holds() {
  Three t;
  t.h.read(t.a, 3);  // Overlapping reads are no shorter way.
  t.h.read(t.b, 3);
  t.h.read(t.a, 3);
  const std::uint32_t a0 = t.h.at(10_ms).append(t.a, 0);
  const std::uint32_t b0 = t.h.at(11_ms).append(t.b, 0);
  const std::uint32_t b1 = t.h.at(12_ms).append(t.b, 1);
  const std::uint32_t c1 = t.h.at(13_ms).append(t.c, 1);
  const std::uint32_t c2 = t.h.at(14_ms).append(t.c, 2);
  const std::uint32_t a2 = t.h.at(15_ms).append(t.a, 2);
  return violated("a cycle of three", t.h, 3, {a0, b0, b1, c1, c2, a2});
}

/// b and c both come between a's read and a's append: the witness needs only one of them.
Case shortest_of_several() {
  Three t;
  const std::uint32_t read = t.h.at(10_ms).read(t.a);
  const std::uint32_t lost = t.h.at(11_ms).append(t.b);
  t.h.at(12_ms).append(t.c);
  const std::uint32_t overwriting = t.h.at(13_ms).append(t.a);
  t.h.at(14_ms).append(t.b);
  return violated("the shortest cycle of the first operation that closes one", t.h, 4,
                  {read, lost, overwriting});
}

/// What happens to another object between has nothing to do with it.
Case with_another_object_between() {
  Three t;
  const std::uint32_t before = t.h.at(10_ms).append(t.a, 0);
  t.h.at(11_ms).append(t.b, 1);
  t.h.at(12_ms).append(t.a, 0);
  const std::uint32_t middle = t.h.at(13_ms).append(t.b, 0);
  const std::uint32_t after = t.h.at(14_ms).append(t.a, 0);
  return violated("another object between", t.h, 2, {before, middle, after});
}

Case lost_after_two_reads() {
  Three t;
  t.h.at(10_ms).read(t.a);
  const std::uint32_t read = t.h.at(11_ms).read(t.a);
  const std::uint32_t lost = t.h.at(12_ms).append(t.b);
  const std::uint32_t overwriting = t.h.at(13_ms).append(t.a);
  return violated("the last read shows what was not seen", t.h, 2, {read, lost, overwriting});
}

/// It has read anew: what it wrote before still stands on both sides of the other's append.
Case read_again() {
  Three t;
  const std::uint32_t stale = t.h.at(10_ms).append(t.a);
  const std::uint32_t middle = t.h.at(12_ms).append(t.b);
  const std::uint32_t anew = t.h.at(13_ms).read(t.a);
  t.h.at(14_ms).append(t.a);
  return violated("the first closing operation is the read", t.h, 3, {stale, middle, anew});
}

}  // namespace

std::vector<Case> serializable_effects_cases() {
  return {holds("an empty history", HistoryBuilder(), 0),
          holds("one after the other", serial(), 2),
          holds("readers may overlap", readers_overlap(), 0),
          holds("interleaved but serializable", interleaved_but_serializable(), 2),
          holds("against the order of grants", against_grant_order(), 2),
          holds("a rejected operation does not count", rejected_does_not_count(), 1),
          holds("different objects do not conflict", different_objects(), 0),
          lost_update(),
          interleaving(),
          torn_read(),
          write_skew(),
          three_holds(),
          shortest_of_several(),
          with_another_object_between(),
          lost_after_two_reads(),
          read_again()};
}

namespace {

TEST(SerializableEffects, AgreesWithItsCases) {
  expect_agreement(serializable_effects(), serializable_effects_cases());
}

TEST(SerializableEffects, SaysWhatSortOfHarmItIs) {
  EXPECT_EQ(why(serializable_effects(), lost_update().history),
            "lost update: client-1 read object 0 at 1000.000ms, client-2 appended at 1600.000ms, "
            "and client-1 appended at 1700.000ms without having seen it");
  EXPECT_EQ(why(serializable_effects(), interleaving().history),
            "the accepted operations of client-1 and client-2 interleave, from 1000.000ms to "
            "1700.000ms: neither can have come first");
  EXPECT_EQ(why(serializable_effects(), three_holds().history),
            "the accepted operations of client-1 (hold 1), client-2 (hold 1) and client-3 (hold 1) "
            "fit no serial order, from 10.000ms to 15.000ms");
}

}  // namespace
}  // namespace locklab::testing
