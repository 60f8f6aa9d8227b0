// Network: order within a connection, and what cuts, resets and deaths do to bytes on their way.
// SPDX-License-Identifier: Apache-2.0
#include "sim/net/network.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sim/testing.h"

namespace locklab {
namespace {

using testing::ScriptedSource;

/// Takes what arrives and notes its code and time.
class Peer : public Actor {
 public:
  explicit Peer(World& world, Network& network) : world_(world), network_(network) {}
  void handle(const Event& event) override {
    if (deaf) {
      held.push_back(event);
      return;
    }
    take(event);
  }
  void take(const Event& event) {
    const auto message = network_.take(event.a, static_cast<Direction>(event.b));
    if (!message) return;
    codes.push_back(message->kind == MessageKind::end ? -1 : message->code);
    times.push_back(world_.now() - Instant::origin());
  }
  void listen_again() {
    deaf = false;
    for (const Event& event : std::exchange(held, {}))
      take(event);
  }
  std::vector<std::int64_t> codes;
  std::vector<Duration> times;
  bool deaf = false;
  std::vector<Event> held;

 private:
  World& world_;
  Network& network_;
};

class Nobody : public Actor {
 public:
  void handle(const Event&) override {}
};

class NetworkTest : public ::testing::Test {
 public:
  NetworkTest() : network(world), client(world, network), server(world, network) {}
  void SetUp() override {
    world.begin(config, source, 0, root);
    network.begin();
    world.add_actor(client, "client", ActorKind::process, world.add_host(Duration(), 0));
    world.add_actor(server, "server", ActorKind::node, world.add_host(Duration(), 0));
    world.seal();
    connection = network.open(client.id(), server.id());
  }
  void send(std::int64_t code, Direction direction = Direction::to_server) {
    Message message;
    message.kind = direction == Direction::to_server ? MessageKind::request : MessageKind::reply;
    message.code = code;
    message.work = {Span::of_actor(client.id()), {}, 0};
    network.send(connection, direction, message);
  }
  void run_until(Duration end) {
    while (!world.queue().empty() && world.queue().next_time() <= Instant::origin() + end &&
           world.step()) {
    }
  }
  /// Lets the world's clock reach an instant at which nothing else is due.
  void pass_to(Duration when) {
    world.schedule(Instant::origin() + when, {.type = EventType::custom, .actor = root.id()});
    run_until(when);
  }
  void run() { run_until(100_s); }
  std::uint32_t cut(Duration length, bool to_server = true) {
    const ActorId from = to_server ? client.id() : server.id();
    const ActorId to = to_server ? server.id() : client.id();
    const Instant until = length == Duration::forever() ? Instant::never() : world.now() + length;
    return network.disturb({from, to, true, Duration(), until});
  }

  WorldConfig config = testing::small_world();
  ScriptedSource source;
  Nobody root;
  World world;
  Network network;
  Peer client;
  Peer server;
  ConnectionId connection = kNoConnection;
};

using Codes = std::vector<std::int64_t>;
using Times = std::vector<Duration>;

TEST_F(NetworkTest, MessageTakesTheLatency) {
  send(1);
  run();
  EXPECT_EQ(server.codes, Codes{1});
  EXPECT_EQ(server.times, Times{5_ms});
}

TEST_F(NetworkTest, DelayIsDrawnPerLinkBelowTheBound) {
  source.set(ChoiceKind::delay_at_link, 31);
  send(1);
  send(1, Direction::to_client);
  run();
  EXPECT_EQ(server.times, Times{5_ms + scale(10_ms, 31, 32)});
  const auto draws = source.draws(ChoiceKind::delay_at_link);
  ASSERT_EQ(draws.size(), 2U);
  EXPECT_EQ(draws[0].address.actor(), link_actor(client.id(), server.id()));
  EXPECT_EQ(draws[1].address.actor(), link_actor(server.id(), client.id()));
  EXPECT_TRUE(is_link(draws[0].address.actor()));
  EXPECT_EQ(link_from(draws[0].address.actor()), client.id());
  EXPECT_EQ(link_to(draws[0].address.actor()), server.id());
}

TEST_F(NetworkTest, LaterMessageNeverOvertakesOnOneConnection) {
  source.set(ChoiceKind::delay_at_link, 16, {.nth = 1});  // The first is 5 ms late.
  send(1);
  send(2);
  send(3);
  run();
  EXPECT_EQ(server.codes, (Codes{1, 2, 3}));
  EXPECT_EQ(server.times, (Times{10_ms, 10_ms, 10_ms}));
}

TEST_F(NetworkTest, DeferDoesNotReorderOneConnection) {
  source.set(ChoiceKind::defer, 1'000'000);
  for (std::int64_t i = 1; i <= 5; ++i)
    send(i);
  const ConnectionId first = connection;
  connection = network.open(client.id(), server.id());
  for (std::int64_t i = 11; i <= 15; ++i)
    send(i);
  connection = first;
  run();
  Codes low;
  Codes high;
  for (const std::int64_t code : server.codes)
    (code < 10 ? low : high).push_back(code);
  EXPECT_EQ(low, (Codes{1, 2, 3, 4, 5}));
  EXPECT_EQ(high, (Codes{11, 12, 13, 14, 15}));
}

TEST_F(NetworkTest, ConnectionsOvertakeOneAnother) {
  source.set(ChoiceKind::delay_at_link, 16, {.nth = 1});
  send(1);
  connection = network.open(client.id(), server.id());
  send(2);
  run();
  EXPECT_EQ(server.codes, (Codes{2, 1}));
}

// --- Cuts

TEST_F(NetworkTest, CutHoldsBytesOneWayAndTheyArriveAfterHealingAndBackOff) {
  cut(100_ms);
  send(1);
  send(2, Direction::to_client);
  run();
  EXPECT_EQ(server.times, Times{110_ms});
  EXPECT_EQ(client.times, Times{5_ms});
}

TEST_F(NetworkTest, CutCatchesWhatIsOnItsWayAndKeepsItsOrder) {
  send(1);
  pass_to(3_ms);
  send(2);
  cut(100_ms);
  send(3);
  run();
  EXPECT_EQ(server.codes, (Codes{1, 2, 3}));
  EXPECT_EQ(server.times, (Times{113_ms, 113_ms, 113_ms}));
}

TEST_F(NetworkTest, CutDoesNotCatchWhatHasArrived) {
  server.deaf = true;
  send(1);
  pass_to(6_ms);
  cut(100_ms);
  pass_to(20_ms);
  server.listen_again();
  EXPECT_EQ(server.codes, Codes{1});
}

TEST_F(NetworkTest, CutWithoutEndHoldsUntilItIsHealed) {
  const std::uint32_t index = cut(Duration::forever());
  send(1);
  send(2);
  pass_to(1_s);
  EXPECT_TRUE(server.codes.empty());
  EXPECT_TRUE(network.is_cut(client.id(), server.id()));
  network.heal(index);
  send(3);
  run();
  EXPECT_EQ(server.codes, (Codes{1, 2, 3}));
  EXPECT_EQ(server.times, (Times{1010_ms, 1010_ms, 1010_ms}));
  EXPECT_FALSE(network.is_cut(client.id(), server.id()));
}

TEST_F(NetworkTest, OverlappingCutsMustAllEnd) {
  cut(100_ms);
  cut(50_ms);
  send(1);
  const std::uint32_t third = cut(Duration::forever());
  pass_to(200_ms);
  EXPECT_TRUE(server.codes.empty());
  network.heal(third);
  run();
  EXPECT_EQ(server.times, Times{210_ms});
}

TEST_F(NetworkTest, HeldBytesOfADeadSenderStillArrive) {
  cut(100_ms);
  send(1);
  network.endpoint_ended(client.id(), true);
  run();
  EXPECT_EQ(server.codes, Codes{1});
  EXPECT_EQ(server.times, Times{110_ms});
}

TEST_F(NetworkTest, HeldBytesOfALostMachineAreLost) {
  send(1);
  pass_to(3_ms);
  cut(100_ms);
  send(2);
  network.endpoint_ended(client.id(), false);
  run();
  EXPECT_TRUE(server.codes.empty());
}

TEST_F(NetworkTest, BytesOfALostMachineThatAreOnTheWireArrive) {
  send(1);
  network.endpoint_ended(client.id(), false);
  run();
  EXPECT_EQ(server.codes, Codes{1});
}

TEST_F(NetworkTest, BytesOfALostMachineThatHaveArrivedAreThere) {
  server.deaf = true;
  send(1);
  pass_to(6_ms);
  cut(100_ms);
  send(2);
  network.endpoint_ended(client.id(), false);
  pass_to(200_ms);
  server.listen_again();
  run();
  EXPECT_EQ(server.codes, Codes{1});
}

// --- Ends

TEST_F(NetworkTest, ReplyOfADeadServerArrivesAndThenTheEndOfTheStream) {
  send(7, Direction::to_client);
  network.endpoint_ended(server.id(), true);
  run();
  EXPECT_EQ(client.codes, (Codes{7, -1}));
}

TEST_F(NetworkTest, LostServerLeavesAHalfOpenConnection) {
  network.endpoint_ended(server.id(), false);
  network.set_listening(server.id(), Network::Listening::silent);
  send(1);
  connection = network.open(client.id(), server.id());
  send(2);
  run();
  EXPECT_TRUE(client.codes.empty());
  EXPECT_TRUE(server.codes.empty());
}

TEST_F(NetworkTest, MachineThatIsBackAnswersAConnectionOfItsFormerLifeWithAReset) {
  network.endpoint_ended(server.id(), false);
  network.set_listening(server.id(), Network::Listening::silent);
  send(1);
  pass_to(10_ms);
  network.set_listening(server.id(), Network::Listening::yes);
  pass_to(20_ms);
  EXPECT_TRUE(client.codes.empty());  // Nobody tells who does not ask.
  send(2);
  send(3);
  run();
  EXPECT_EQ(client.codes, Codes{-1});
  EXPECT_EQ(client.times, Times{30_ms});
  EXPECT_TRUE(server.codes.empty());
  EXPECT_EQ(network.latest_between(client.id(), server.id()), kNoConnection);
}

TEST_F(NetworkTest, MachineThatIsLostAgainAnswersNothing) {
  network.endpoint_ended(server.id(), false);
  network.set_listening(server.id(), Network::Listening::yes);
  send(1);
  pass_to(3_ms);
  network.endpoint_ended(server.id(), false);
  network.set_listening(server.id(), Network::Listening::silent);
  pass_to(50_ms);
  EXPECT_TRUE(client.codes.empty());
  network.set_listening(server.id(), Network::Listening::yes);
  send(2);
  run();
  EXPECT_EQ(client.times, Times{60_ms});
}

TEST_F(NetworkTest, ResetOfAMachineThatIsBackPassesACutLikeAnyAnswer) {
  network.endpoint_ended(server.id(), false);
  cut(100_ms, false);
  send(1);
  run();
  EXPECT_EQ(client.codes, Codes{-1});
  EXPECT_EQ(client.times, Times{110_ms});
}

TEST_F(NetworkTest, ServerThatDoesNotListenRefuses) {
  network.set_listening(server.id(), Network::Listening::refuses);
  connection = network.open(client.id(), server.id());
  send(1);
  run();
  EXPECT_EQ(client.codes, Codes{-1});
  EXPECT_TRUE(network.at(connection).refused);
  EXPECT_TRUE(server.codes.empty());
}

TEST_F(NetworkTest, ClosedClientHearsNothingButWhatItWroteArrives) {
  send(1);
  send(2, Direction::to_client);
  network.close_by_client(connection);
  run();
  EXPECT_EQ(server.codes, Codes{1});
  EXPECT_TRUE(client.codes.empty());
}

TEST_F(NetworkTest, ServerThatClosesIsHeardAndHearsNoMore) {
  network.close_by_server(connection);
  network.close_by_server(connection);
  send(1);
  run();
  EXPECT_EQ(client.codes, Codes{-1});
  EXPECT_TRUE(server.codes.empty());
}

// --- Resets

TEST_F(NetworkTest, ResetLosesASuffixByChoiceAndNothingByDefault) {
  for (std::uint64_t lost = 0; lost <= 3; ++lost) {
    SetUp();
    server.codes.clear();
    ScriptedSource fresh;
    fresh.set(ChoiceKind::survive_at_link, lost, {.actor = link_actor(client.id(), server.id())});
    world.choices().begin(fresh);
    for (std::int64_t i = 1; i <= 3; ++i)
      send(i);
    network.reset(connection);
    send(4);  // Nothing more can be sent.
    run();
    Codes expected{1, 2, 3};
    expected.resize(3 - lost);
    expected.push_back(-1);
    EXPECT_EQ(server.codes, expected) << lost;
    EXPECT_EQ(client.codes.back(), -1);
  }
}

TEST_F(NetworkTest, ResetLosesNothingThatHasArrived) {
  source.set(ChoiceKind::survive_at_link, 1'000'000);
  server.deaf = true;
  send(1);
  pass_to(6_ms);
  send(2);
  network.reset(connection);
  pass_to(20_ms);
  server.listen_again();
  run();
  EXPECT_EQ(server.codes, (Codes{1, -1}));
}

// --- Slow links and queues

TEST_F(NetworkTest, SlowLinkAddsToEachDelayWhileItLasts) {
  network.disturb({client.id(), server.id(), false, 40_ms, world.now() + 50_ms});
  send(1);
  pass_to(49_ms);
  connection = network.open(client.id(), server.id());
  send(2);
  pass_to(50_ms);
  connection = network.open(client.id(), server.id());
  send(3);
  run();
  EXPECT_EQ(server.codes, (Codes{1, 3, 2}));
  EXPECT_EQ(server.times, (Times{45_ms, 55_ms, 94_ms}));
}

TEST_F(NetworkTest, QueueDeliversOnceByDefaultAndAgainByChoiceBehindLaterOnes) {
  config.topology.network.queue = true;
  send(1);
  run();
  EXPECT_EQ(server.codes, Codes{1});
  ASSERT_EQ(source.draws(ChoiceKind::duplicate_at_queue).size(), 1U);

  source.set(ChoiceKind::duplicate_at_queue, 2, {.nth = 1});
  send(2);
  send(3, Direction::to_client);  // Answers pass no queue.
  pass_to(20_ms);
  send(4);
  run();
  EXPECT_EQ(server.codes, (Codes{1, 2, 4, 2}));
  EXPECT_EQ(client.codes, Codes{3});
}

TEST_F(NetworkTest, ConnectionThatDeliversNoCopyNeverDuplicates) {
  send(1);
  run();
  EXPECT_TRUE(source.draws(ChoiceKind::duplicate_at_queue).empty());
}

}  // namespace
}  // namespace locklab
