// Network: whatever disturbs a link, each connection delivers a prefix, in order and at most once.
// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/net/network.h"
#include "sim/sources.h"
#include "sim/testing.h"

namespace locklab {
namespace {

class Sink : public Actor {
 public:
  explicit Sink(Network& network) : network_(network) {}
  void handle(const Event& event) override {
    const auto message = network_.take(event.a, static_cast<Direction>(event.b));
    RC_ASSERT(message.has_value());
    if (message->kind == MessageKind::end) return;
    if (event.a >= received.size()) received.resize(event.a + 1);
    received[event.a].push_back(message->code);
  }
  std::vector<std::vector<std::int64_t>> received;  // By connection.

 private:
  Network& network_;
};

class Idle : public Actor {
 public:
  void handle(const Event&) override {}
};

struct Disturbed {
  explicit Disturbed(std::uint64_t seed)
      : source(seed), network(world), client(network), server(network) {
    world.begin(config, source, 0, root);
    network.begin();
    world.add_actor(client, "client", ActorKind::process, world.add_host(Duration(), 0));
    world.add_actor(server, "server", ActorKind::node, world.add_host(Duration(), 0));
    world.seal();
  }
  void pass(Duration time) {
    const Instant end = world.now() + time;
    world.schedule(end, {.type = EventType::custom, .actor = root.id()});
    while (!world.queue().empty() && world.queue().next_time() <= end && world.step()) {
    }
  }
  WorldConfig config = testing::small_world();
  SeededSource source;
  Idle root;
  World world;
  Network network;
  Sink client;
  Sink server;
};

RC_GTEST_PROP(NetworkProperty, ConnectionDeliversAPrefixInOrderAndAllUnlessReset, ()) {
  Disturbed d(*rc::gen::arbitrary<std::uint64_t>());
  std::vector<std::int64_t> sent(4);
  std::vector<bool> reset(4);
  std::vector<std::uint32_t> open_cuts;
  for (int i = 0; i < 4; ++i)
    d.network.open(d.client.id(), d.server.id());
  const int steps = *rc::gen::inRange(1, 60);
  for (int i = 0; i < steps; ++i) {
    const auto id = *rc::gen::element<ConnectionId>(0, 1, 2, 3);
    switch (*rc::gen::element(0, 0, 0, 1, 2, 3, 4, 5)) {
      case 0: {
        Message message;
        message.code = sent[id]++;
        message.work = {
            Span::of_operation(d.client.id(), 0, static_cast<std::uint16_t>(i), 1), {}, 0};
        if (!reset[id]) d.network.send(id, Direction::to_server, message);
        if (reset[id]) --sent[id];
        break;
      }
      case 1:
        d.network.disturb({d.client.id(), d.server.id(), true, Duration(),
                           d.world.now() + milliseconds(*rc::gen::inRange(1, 50))});
        break;
      case 2:
        open_cuts.push_back(
            d.network.disturb({d.client.id(), d.server.id(), true, Duration(), Instant::never()}));
        break;
      case 3:
        if (open_cuts.empty()) break;
        d.network.heal(open_cuts.back());
        open_cuts.pop_back();
        break;
      case 4:
        if (*rc::gen::element(false, false, true)) {
          d.network.reset(id);
          reset[id] = true;
        }
        break;
      default:
        d.pass(milliseconds(*rc::gen::inRange(0, 30)));
    }
  }
  for (const std::uint32_t index : open_cuts)
    d.network.heal(index);
  d.pass(seconds(5));
  d.server.received.resize(4);
  for (std::size_t id = 0; id < 4; ++id) {
    const auto& got = d.server.received[id];
    for (std::size_t i = 0; i < got.size(); ++i)
      RC_ASSERT(got[i] == static_cast<std::int64_t>(i));
    RC_ASSERT(static_cast<std::int64_t>(got.size()) <= sent[id]);
    if (!reset[id]) RC_ASSERT(static_cast<std::int64_t>(got.size()) == sent[id]);
  }
}

}  // namespace
}  // namespace locklab
