// EventQueue: order, handles, ties and deferral, case by case.
// SPDX-License-Identifier: Apache-2.0
#include "sim/event_queue.h"

#include <string>

#include <gtest/gtest.h>

namespace locklab {
namespace {

Instant at(std::int64_t ms) {
  return Instant::origin() + milliseconds(ms);
}
Event event(std::uint32_t name, bool watch = false) {
  Event e;
  e.a = name;
  e.watch = watch;
  return e;
}
std::string drain(EventQueue& queue) {
  std::string order;
  while (!queue.empty())
    order += static_cast<char>('a' + queue.pop().a);
  return order;
}

TEST(EventQueue, PopsByTimeThenByInsertion) {
  EventQueue queue;
  queue.push(at(2), event(0));
  queue.push(at(1), event(1));
  queue.push(at(2), event(2));
  queue.push(at(1), event(3));
  queue.push(at(0), event(4));
  EXPECT_EQ(queue.next_time(), at(0));
  EXPECT_EQ(queue.size(), 5U);
  EXPECT_EQ(drain(queue), "ebdac");
}

TEST(EventQueue, ForgetsACancelledEventAndIgnoresADeadHandle) {
  EventQueue queue;
  const EventHandle first = queue.push(at(1), event(0));
  queue.push(at(1), event(1));
  queue.cancel(first);
  queue.cancel(first);
  queue.move(first, at(0));
  queue.cancel(EventHandle{});
  const EventHandle reused = queue.push(at(1), event(2));  // Takes the slot over.
  queue.cancel(first);
  EXPECT_EQ(drain(queue), "bc");
  queue.cancel(reused);
  EXPECT_TRUE(queue.empty());
}

TEST(EventQueue, MovesAnEventBehindAllThatIsDueAtItsNewTime) {
  EventQueue queue;
  const EventHandle moved = queue.push(at(1), event(0));
  queue.push(at(5), event(1));
  queue.push(at(5), event(2));
  queue.push(at(6), event(3));
  queue.move(moved, at(5));
  EXPECT_EQ(drain(queue), "bcad");
}

TEST(EventQueue, LeavesAnEventInPlaceWhenItsTimeStays) {
  EventQueue queue;
  const EventHandle first = queue.push(at(5), event(0));
  queue.push(at(5), event(1));
  queue.move(first, at(5));
  EXPECT_EQ(drain(queue), "ab");
}

TEST(EventQueue, CountsTiesWithoutWatches) {
  EventQueue queue;
  queue.push(at(1), event(0));
  EXPECT_EQ(queue.ties(), 0U);
  queue.push(at(1), event(1, true));
  queue.push(at(1), event(2));
  queue.push(at(1), event(3));
  queue.push(at(2), event(4));
  EXPECT_EQ(queue.ties(), 2U);
}

TEST(EventQueue, DefersBehindThatManyEventsOfItsInstantWatchesNotCounted) {
  for (const auto& [places, expected] :
       {std::pair<std::uint32_t, std::string>{1, "bcadef"}, {2, "bcdaef"}, {3, "bcdeaf"}}) {
    EventQueue queue;
    queue.push(at(1), event(0));
    queue.push(at(1), event(1, true));
    queue.push(at(1), event(2));
    queue.push(at(1), event(3));
    queue.push(at(1), event(4));
    queue.push(at(2), event(5));
    queue.defer(places);
    EXPECT_EQ(drain(queue), expected) << places;
  }
}

TEST(EventQueue, MarksADeferredEventAsAsked) {
  EventQueue queue;
  queue.push(at(1), event(0));
  queue.push(at(1), event(1));
  queue.defer(1);
  EXPECT_FALSE(queue.pop().deferred);
  EXPECT_TRUE(queue.pop().deferred);
}

TEST(EventQueue, ClearedQueueIsEmptyAndItsHandlesAreDead) {
  EventQueue queue;
  const EventHandle old = queue.push(at(1), event(0));
  queue.clear();
  EXPECT_TRUE(queue.empty());
  queue.push(at(1), event(1));
  queue.cancel(old);
  EXPECT_EQ(drain(queue), "b");
}

}  // namespace
}  // namespace locklab
