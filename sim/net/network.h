// Network: TCP-like connections between processes and servers, and what disturbs them.
// SPDX-License-Identifier: Apache-2.0
//
// A connection is two FIFO byte streams. Nothing is silently lost or duplicated on a live one: a
// cut holds bytes, which arrive after healing, also when their sender has gone; a reset loses a
// suffix of what had not arrived. Kernel contract, "Connections".
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/redis/reply.h"
#include "sim/world.h"

namespace locklab {

enum class MessageKind : std::uint8_t {
  request,        // body: const std::string_view[argc] (Redis), or a ResourceRequest
  reply,          // body: redis::Reply or ResourceReply
  fence_request,  // to the counter
  effect,         // a replicated command: body as request
  sync,           // the whole data set of a primary, for a replica that starts over
  end,            // FIN or RST: nothing follows
  get_ack,        // to a replica, behind what it was sent: REPLCONF GETACK
  ack,            // to its primary: REPLCONF ACK; code: the offset
};

/// One message; bodies live in the world's arena until the execution ends.
struct Message {
  MessageKind kind = MessageKind::request;
  Work work;
  TextId command;         // "SET", or a script's name.
  std::int64_t code = 0;  // For records: what is asked for, or what is answered.
  const void* body = nullptr;
  std::uint32_t count = 0;  // Elements of the body, when it is an array.
  bool background = false;  // As Event::background.
  std::uint32_t next = UINT32_MAX;
  Instant arrival;
};

using ConnectionId = std::uint32_t;
constexpr ConnectionId kNoConnection = UINT32_MAX;

enum class Direction : std::uint8_t { to_server, to_client };

struct Stream {
  std::uint32_t head = UINT32_MAX;  // Oldest message that has not been delivered.
  std::uint32_t tail = UINT32_MAX;
  std::uint32_t length = 0;
  EventHandle delivery;  // Of the head.
  Instant last_arrival;
};

struct Connection {
  ActorId client;
  ActorId server;
  bool client_open = true;  // The client still listens.
  bool server_open = true;
  bool broken = false;  // Reset: nothing more can be sent either way.
  bool lose_next_reply = false;
  bool refused = false;     // Nobody listened when it was opened.
  bool established = true;  // Somebody did.
  bool half_open = false;   // The server's machine was lost; what comes back knows nothing of it.
  std::uint32_t unanswered = 0;  // Requests that were sent.
  std::uint64_t written = 0;     // The server's replication offset behind its last command (WAIT).
  Stream streams[2];

  Stream& stream(Direction d) { return streams[static_cast<std::size_t>(d)]; }
  ActorId from(Direction d) const { return d == Direction::to_server ? client : server; }
  ActorId to(Direction d) const { return d == Direction::to_server ? server : client; }
};

/// The actor that stands for an ordered pair of endpoints in addresses of delay choices.
constexpr ActorId link_actor(ActorId from, ActorId to) {
  return ActorId{
      static_cast<std::uint16_t>(0x8000U | (from.value & 0x7fU) << 7 | (to.value & 0x7fU))};
}
constexpr bool is_link(ActorId actor) {
  return (actor.value & 0x8000U) != 0;
}
constexpr ActorId link_from(ActorId link) {
  return ActorId{static_cast<std::uint16_t>(link.value >> 7 & 0x7fU)};
}
constexpr ActorId link_to(ActorId link) {
  return ActorId{static_cast<std::uint16_t>(link.value & 0x7fU)};
}

/// A disturbance of the links from `from` to `to` (one way).
struct LinkDisturbance {
  ActorId from;
  ActorId to;
  bool cut = false;
  Duration extra;  // slow, lag: added to each message's delay.
  Instant until;   // never(): until healed by hand.
};

class Network {
 public:
  explicit Network(World& world) : world_(world) {}
  void begin();

  /// How an actor answers an attempt to connect: it does, its host refuses, or there is silence.
  enum class Listening : std::uint8_t { yes, refuses, silent };
  void set_listening(ActorId server, Listening listening) { listening_[server.value] = listening; }
  ConnectionId open(ActorId client, ActorId server);
  Connection& at(ConnectionId id) { return connections_[id]; }
  const Connection& at(ConnectionId id) const { return connections_[id]; }
  std::uint32_t connection_count() const { return used_; }

  /// Sends with the message's own work as cause; draws the link's delay.
  void send(ConnectionId id, Direction direction, Message message);
  /// Takes the head of a stream, if it has arrived, and schedules the next delivery. nullopt: the
  /// stream was dropped while its receiver was paused, or the receiver does not know it any more.
  std::optional<Message> take(ConnectionId id, Direction direction);

  /// What take() would give; nullptr: nothing. Valid until the next change of the stream.
  const Message* arrived(ConnectionId id, Direction direction) const;
  /// Delivers what had arrived and was left unread.
  void read_on(ConnectionId id, Direction direction);

  /// The client closes its end: what is under way to the server is still delivered.
  void close_by_client(ConnectionId id);
  /// Both ends break; of each stream the choice survive@link may lose the last messages.
  void reset(ConnectionId id);
  /// A reply has left and has not arrived.
  bool reply_under_way(ConnectionId id) const;
  /// Loses the last reply that has left, and breaks the connection.
  void lose_sent_reply(ConnectionId id);
  /// An endpoint ends: what it has written is delivered, then the peer sees the end of the stream.
  /// Without notice (host loss) unsent bytes vanish and the peer sees silence.
  void endpoint_ended(ActorId actor, bool notice);
  /// As endpoint_ended, for one server that stops listening to one connection.
  void close_by_server(ConnectionId id);

  /// Begins or ends a disturbance; held bytes are re-timed.
  std::uint32_t disturb(const LinkDisturbance& disturbance);
  void heal(std::uint32_t disturbance);
  bool is_cut(ActorId from, ActorId to) const;
  /// The last connection opened between two actors that still lives; kNoConnection: none.
  ConnectionId latest_between(ActorId a, ActorId b) const;
  /// Messages under way to `actor`, for controls and the state hash.
  template <class Visit>
  void for_each_in_flight(Visit visit) const {
    for (std::uint32_t id = 0; id < used_; ++id) {
      for (const Direction d : {Direction::to_server, Direction::to_client}) {
        const Stream& stream = connections_[id].streams[static_cast<std::size_t>(d)];
        for (std::uint32_t m = stream.head; m != UINT32_MAX; m = messages_[m].next) {
          visit(connections_[id], d, messages_[m]);
        }
      }
    }
  }

 private:
  void transmit(ConnectionId id, Direction direction, Message message, Duration delay);
  void deliver_again(ConnectionId id, const Message& message, Duration delay);
  Instant earliest_arrival(ActorId from, ActorId to, Instant planned) const;
  void retime(Connection& connection, ConnectionId id, Direction direction);
  void schedule_head(ConnectionId id, Direction direction);
  std::uint32_t allocate(const Message& message);
  /// How many messages of a stream have not arrived: always its last ones.
  std::uint32_t under_way(const Stream& stream) const;
  void drop_tail(ConnectionId id, Direction direction, std::uint64_t count);
  void append_end(ConnectionId id, Direction direction);
  static void count_unanswered(Connection& connection, MessageKind kind);
  void answer_stranger(ConnectionId id);
  void drop_all(ConnectionId id, Direction direction);

  World& world_;
  std::vector<Connection> connections_;
  std::uint32_t used_ = 0;
  std::vector<Message> messages_;
  std::uint32_t free_message_ = UINT32_MAX;
  Listening listening_[64] = {};
  std::vector<LinkDisturbance> disturbances_;
  std::uint32_t active_disturbances_ = 0;
};

}  // namespace locklab
