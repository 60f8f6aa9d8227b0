// EventQueue: what is due next, by (true time, insertion number).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/ids.h"
#include "sim/time.h"

namespace locklab {

/// What kind of dispatch an event asks its actor for.
enum class EventType : std::uint8_t {
  none,
  fiber_ready,    // process: resume fiber a
  alarm,          // world: timer a has come due on its clock; it sends the timer's own event
  timer,          // a timer of the actor has come due
  deliver,        // connection a, direction b: the head of the stream has arrived
  wake,           // process or node: a pause ends
  flush,          // node: replies and effects leave
  unstall,        // process: fiber a may run again
  fault_end,      // world: disturbance a heals
  restart,        // process or node comes back
  planned_fault,  // world: planned fault a strikes
  rediscover,     // process: learns that node a is the primary
  custom          // actor-specific
};

/// One due piece of work. `a` and `b` belong to the type.
struct Event {
  EventType type = EventType::none;
  bool watch = false;       // Observes only: takes no part in choices and changes nothing.
  bool deferred = false;    // Its defer choice has been made.
  bool background = false;  // Goes on by itself for ever: nobody waits for it, no run lasts for it.
  ActorId actor{};
  ActorId site{};           // Who stands in the address of its defer choice; world: the actor.
  std::uint32_t cause = 0;  // seq of the record that led to it
  Span span{};
  HoldId hold{};
  std::uint32_t a = 0;
  std::uint64_t b = 0;
};

/// Names one scheduled event; stays valid until it is popped or cancelled.
struct EventHandle {
  std::uint32_t slot = UINT32_MAX;
  std::uint32_t generation = 0;
  explicit operator bool() const { return slot != UINT32_MAX; }
};

/// A sorted array, soonest last: with a few dozen live events, shifting beats any tree or heap
/// (bench/README.md). Pop is O(1), insertion moves only the events that are due before the new one.
class EventQueue {
 public:
  void clear();
  bool empty() const { return order_.empty(); }
  std::size_t size() const { return order_.size(); }
  EventHandle push(Instant at, const Event& event);
  void cancel(EventHandle handle);
  /// Puts a scheduled event at another time, behind all that is due then; keeps its handle. Nothing
  /// happens when that is its time already, or when it has been popped or cancelled.
  void move(EventHandle handle, Instant at);

  Instant next_time() const { return order_.back().at; }
  const Event& next() const { return events_[order_.back().slot].event; }
  Event pop();
  /// How many others are due at the same instant as the next event, watches not counted.
  std::uint32_t ties() const;
  /// Puts the next event behind the following `places` events of its instant, watches not counted,
  /// and marks it so that it is not asked again.
  void defer(std::uint32_t places);
  /// Marks the next event as asked.
  void settle() { events_[order_.back().slot].event.deferred = true; }

  template <class Visit>
  void for_each(Visit visit) const {
    for (auto entry = order_.rbegin(); entry != order_.rend(); ++entry) {
      visit(entry->at, events_[entry->slot].event);
    }
  }

 private:
  struct Entry {
    Instant at;
    std::uint32_t slot;
  };
  struct Slot {
    Event event;
    std::uint32_t generation = 0;
    std::uint32_t next_free = UINT32_MAX;
    Instant at;
  };
  void insert(Instant at, std::uint32_t slot);
  std::size_t position(std::uint32_t slot) const;
  void release(std::uint32_t slot);

  std::vector<Entry> order_;  // Descending time; among equals, the earlier inserted stands later.
  std::vector<Slot> events_;
  std::uint32_t free_ = UINT32_MAX;
};

}  // namespace locklab
