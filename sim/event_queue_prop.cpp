// EventQueue: any sequence of operations does what a multimap of (time, insertion) does.
// SPDX-License-Identifier: Apache-2.0
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/event_queue.h"

namespace locklab {
namespace {

/// The oracle: a multimap inserts equal keys behind those that are there.
class Model {
 public:
  struct Item {
    std::uint32_t name;
    bool watch;
    bool deferred = false;
  };
  using Map = std::multimap<Instant, Item>;

  void push(Instant at, std::uint32_t name, bool watch) { map_.emplace(at, Item{name, watch}); }
  void cancel(std::uint32_t name) {
    const auto found = find(name);
    if (found != map_.end()) map_.erase(found);
  }
  void move(std::uint32_t name, Instant at) {
    const auto found = find(name);
    if (found == map_.end() || found->first == at) return;
    const Item item = found->second;
    map_.erase(found);
    map_.emplace(at, item);
  }
  std::pair<Instant, Item> pop() {
    const auto first = *map_.begin();
    map_.erase(map_.begin());
    return first;
  }
  std::uint32_t ties() const {
    std::uint32_t others = 0;
    for (auto i = std::next(map_.begin()); i != map_.end() && i->first == map_.begin()->first;
         ++i) {
      others += i->second.watch ? 0 : 1;
    }
    return others;
  }
  void defer(std::uint32_t places) {
    auto [at, item] = pop();
    item.deferred = true;
    auto place = map_.begin();
    while (places > 0) {
      if (!place->second.watch) --places;
      ++place;
    }
    map_.emplace_hint(place, at, item);
  }
  bool empty() const { return map_.empty(); }
  const Map& map() const { return map_; }

 private:
  Map::iterator find(std::uint32_t name) {
    auto i = map_.begin();
    while (i != map_.end() && i->second.name != name)
      ++i;
    return i;
  }
  Map map_;
};

void expect_same(const EventQueue& queue, const Model& model) {
  RC_ASSERT(queue.size() == model.map().size());
  auto expected = model.map().begin();
  queue.for_each([&](Instant at, const Event& event) {
    RC_ASSERT(at == expected->first);
    RC_ASSERT(event.a == expected->second.name);
    RC_ASSERT(event.watch == expected->second.watch);
    RC_ASSERT(event.deferred == expected->second.deferred);
    ++expected;
  });
  if (queue.empty()) return;
  RC_ASSERT(queue.next_time() == model.map().begin()->first);
  RC_ASSERT(queue.ties() == model.ties());
}

/// A time of a small range, so that ties are common.
Instant any_time() {
  return Instant::origin() + milliseconds(*rc::gen::element(0, 1, 2, 3, 9));
}

RC_GTEST_PROP(EventQueueProperty, IsAMultimapOfTimeAndInsertion, ()) {
  EventQueue queue;
  Model model;
  std::vector<EventHandle> handles;
  const int steps = *rc::gen::inRange(1, 120);
  for (int i = 0; i < steps; ++i) {
    const int what = *rc::gen::element(0, 0, 0, 1, 2, 3, 4, 5);
    if (what == 0 || model.empty()) {
      Event event;
      event.a = static_cast<std::uint32_t>(handles.size());
      event.watch = *rc::gen::element(false, false, true);
      const Instant at = any_time();
      model.push(at, event.a, event.watch);
      handles.push_back(queue.push(at, event));
    } else if (what == 1) {
      const auto name = *rc::gen::inRange<std::size_t>(0, handles.size());  // Perhaps a dead one.
      queue.cancel(handles[name]);
      model.cancel(static_cast<std::uint32_t>(name));
    } else if (what == 2) {
      const auto name = *rc::gen::inRange<std::size_t>(0, handles.size());
      const Instant at = any_time();
      queue.move(handles[name], at);
      model.move(static_cast<std::uint32_t>(name), at);
    } else if (what == 3) {
      const auto [at, item] = model.pop();
      RC_ASSERT(queue.pop().a == item.name);
    } else if (what == 4) {
      const std::uint32_t places = *rc::gen::inRange(0U, model.ties() + 1);
      queue.defer(places);
      model.defer(places);
    } else if (*rc::gen::element(false, false, false, true)) {
      queue.clear();
      while (!model.empty())
        model.pop();
    }
    expect_same(queue, model);
  }
}

}  // namespace
}  // namespace locklab
