// EventQueue: a sorted array, the soonest event last.
// SPDX-License-Identifier: Apache-2.0
#include "sim/event_queue.h"

#include <algorithm>

#include "sim/contract.h"

namespace locklab {

void EventQueue::clear() {
  for (const Entry& entry : order_)
    release(entry.slot);
  order_.clear();
}

void EventQueue::insert(Instant at, std::uint32_t slot) {
  // Behind every event due at or before `at`: the new one has the largest insertion number.
  std::size_t place = order_.size();
  order_.emplace_back();
  for (; place > 0 && order_[place - 1].at <= at; --place)
    order_[place] = order_[place - 1];
  order_[place] = {at, slot};
  events_[slot].at = at;
}

EventHandle EventQueue::push(Instant at, const Event& event) {
  std::uint32_t slot = free_;
  if (slot == UINT32_MAX) {
    slot = static_cast<std::uint32_t>(events_.size());
    events_.emplace_back();
  } else {
    free_ = events_[slot].next_free;
  }
  events_[slot].event = event;
  insert(at, slot);
  return {slot, events_[slot].generation};
}

std::size_t EventQueue::position(std::uint32_t slot) const {
  // Descending order: the first entry that is not later than the event's time.
  const Instant at = events_[slot].at;
  auto entry = std::lower_bound(order_.begin(), order_.end(), at,
                                [](const Entry& e, Instant time) { return e.at > time; });
  while (entry->slot != slot)
    ++entry;
  return static_cast<std::size_t>(entry - order_.begin());
}

void EventQueue::release(std::uint32_t slot) {
  ++events_[slot].generation;
  events_[slot].next_free = free_;
  free_ = slot;
}

void EventQueue::cancel(EventHandle handle) {
  if (!handle || events_[handle.slot].generation != handle.generation) return;
  order_.erase(order_.begin() + static_cast<std::ptrdiff_t>(position(handle.slot)));
  release(handle.slot);
}

void EventQueue::move(EventHandle handle, Instant at) {
  if (!handle || events_[handle.slot].generation != handle.generation) return;
  if (events_[handle.slot].at == at) return;
  order_.erase(order_.begin() + static_cast<std::ptrdiff_t>(position(handle.slot)));
  insert(at, handle.slot);
}

Event EventQueue::pop() {
  SIM_ASSERT(!order_.empty());
  const std::uint32_t slot = order_.back().slot;
  order_.pop_back();
  release(slot);
  return events_[slot].event;
}

std::uint32_t EventQueue::ties() const {
  const Instant at = order_.back().at;
  std::uint32_t others = 0;
  for (std::size_t i = order_.size() - 1; i-- > 0 && order_[i].at == at;) {
    if (!events_[order_[i].slot].event.watch) ++others;
  }
  return others;
}

void EventQueue::defer(std::uint32_t places) {
  settle();
  for (std::size_t i = order_.size() - 1; i > 0 && places > 0; --i) {
    SIM_ASSERT(order_[i - 1].at == order_[i].at);
    if (!events_[order_[i - 1].slot].event.watch) --places;
    std::swap(order_[i - 1], order_[i]);
  }
}

}  // namespace locklab
