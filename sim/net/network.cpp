// Network: streams, deliveries, resets and disturbances.
// SPDX-License-Identifier: Apache-2.0
#include "sim/net/network.h"

#include <algorithm>

#include "sim/contract.h"

namespace locklab {

void Network::begin() {
  used_ = 0;
  messages_.clear();
  free_message_ = UINT32_MAX;
  disturbances_.clear();
  active_disturbances_ = 0;
  std::fill(std::begin(listening_), std::end(listening_), Listening::yes);
}

ConnectionId Network::open(ActorId client, ActorId server) {
  if (used_ == connections_.size()) connections_.emplace_back();
  connections_[used_] = {};
  connections_[used_].client = client;
  connections_[used_].server = server;
  const ConnectionId id = used_++;
  if (listening_[server.value] == Listening::refuses) {
    connections_[id].refused = true;
    append_end(id, Direction::to_client);
  }
  const bool established = listening_[server.value] == Listening::yes;
  connections_[id].server_open = connections_[id].established = established;
  return id;
}

std::uint32_t Network::allocate(const Message& message) {
  if (free_message_ == UINT32_MAX) {
    messages_.push_back(message);
    return static_cast<std::uint32_t>(messages_.size() - 1);
  }
  const std::uint32_t slot = free_message_;
  free_message_ = messages_[slot].next;
  messages_[slot] = message;
  return slot;
}

Instant Network::earliest_arrival(ActorId from, ActorId to, Instant planned) const {
  if (active_disturbances_ == 0) return planned;
  for (const LinkDisturbance& d : disturbances_) {
    if (!d.cut || d.from != from || d.to != to || d.until <= world_.now()) continue;
    const Instant after = d.until == Instant::never()
                              ? Instant::never()
                              : d.until + world_.config().topology.network.heal_backoff;
    planned = std::max(planned, after);
  }
  return planned;
}

bool Network::is_cut(ActorId from, ActorId to) const {
  return earliest_arrival(from, to, world_.now()) > world_.now();
}

ConnectionId Network::latest_between(ActorId a, ActorId b) const {
  for (ConnectionId id = used_; id-- > 0;) {
    const Connection& c = connections_[id];
    const bool joins = (c.client == a && c.server == b) || (c.client == b && c.server == a);
    if (joins && c.client_open && c.server_open && !c.broken) return id;
  }
  return kNoConnection;
}

void Network::count_unanswered(Connection& connection, MessageKind kind) {
  if (kind == MessageKind::request || kind == MessageKind::fence_request) ++connection.unanswered;
  if (kind == MessageKind::reply && connection.unanswered > 0) --connection.unanswered;
}

void Network::send(ConnectionId id, Direction direction, Message message) {
  Connection& connection = connections_[id];
  const bool to_server = direction == Direction::to_server;
  // A lost machine is silent; once it is back, it answers what it does not know (see take).
  const bool to_stranger =
      to_server && connection.half_open && listening_[connection.server.value] != Listening::silent;
  const bool to_nobody = connection.broken || (to_server && !connection.server_open);
  if (to_nobody && !to_stranger) return;
  count_unanswered(connection, message.kind);
  const ActorId from = connection.from(direction);
  const ActorId to = connection.to(direction);
  const ActorId link = link_actor(from, to);
  const Witness witness = witness_of(to.value, static_cast<std::uint64_t>(message.kind));
  Duration delay =
      world_.config().topology.network.latency +
      world_.choose_delay(ChoiceKind::delay_at_link, link, world_.delay_max(), witness);
  if (active_disturbances_ != 0) {
    for (const LinkDisturbance& d : disturbances_) {
      if (!d.cut && d.from == from && d.to == to && d.until > world_.now()) delay = delay + d.extra;
    }
  }
  transmit(id, direction, message, delay);
  if (to_stranger) return;
  if (world_.config().topology.network.queue && message.kind == MessageKind::request) {
    deliver_again(id, message, delay);
  }
}

void Network::deliver_again(ConnectionId id, const Message& message, Duration delay) {
  constexpr std::uint64_t kLatest = 8;
  const ActorId client = connections_[id].client;
  const ActorId server = connections_[id].server;
  const std::uint64_t later =
      world_.choose(ChoiceKind::duplicate_at_queue, link_actor(client, server), Label::none,
                    kLatest, witness_of(server.value, static_cast<std::uint64_t>(message.kind)));
  if (later == 0) return;
  // The copy has a path of its own and nobody who waits for an answer.
  const ConnectionId copy = open(client, server);
  connections_[copy].client_open = false;
  transmit(copy, Direction::to_server, message,
           delay + world_.delay_max() * static_cast<std::int64_t>(later));
}

void Network::transmit(ConnectionId id, Direction direction, Message message, Duration delay) {
  Connection& connection = connections_[id];
  const ActorId from = connection.from(direction);
  const ActorId to = connection.to(direction);
  Stream& stream = connection.stream(direction);
  const Instant planned = std::max(world_.now() + delay, stream.last_arrival);
  message.arrival = earliest_arrival(from, to, planned);
  message.next = UINT32_MAX;
  stream.last_arrival = message.arrival;
  const std::uint32_t slot = allocate(message);
  ++stream.length;
  if (stream.head == UINT32_MAX) {
    stream.head = stream.tail = slot;
    schedule_head(id, direction);
  } else {
    messages_[stream.tail].next = slot;
    stream.tail = slot;
  }
}

void Network::schedule_head(ConnectionId id, Direction direction) {
  Connection& connection = connections_[id];
  Stream& stream = connection.stream(direction);
  stream.delivery = {};
  if (stream.head == UINT32_MAX) return;
  const Message& head = messages_[stream.head];
  Event event{.type = EventType::deliver, .actor = connection.to(direction)};
  event.a = id;
  event.b = static_cast<std::uint64_t>(direction);
  event.site = link_actor(connection.from(direction), connection.to(direction));
  event.background = head.background;
  stream.delivery = world_.schedule_as(head.work, std::max(head.arrival, world_.now()), event);
}

const Message* Network::arrived(ConnectionId id, Direction direction) const {
  const std::uint32_t head = connections_[id].streams[static_cast<std::size_t>(direction)].head;
  const bool there = head != UINT32_MAX && messages_[head].arrival <= world_.now();
  return there ? &messages_[head] : nullptr;
}

void Network::read_on(ConnectionId id, Direction direction) {
  if (arrived(id, direction) != nullptr) schedule_head(id, direction);
}

std::optional<Message> Network::take(ConnectionId id, Direction direction) {
  if (arrived(id, direction) == nullptr) return std::nullopt;
  Stream& stream = connections_[id].stream(direction);
  const std::uint32_t slot = stream.head;
  const Message message = messages_[slot];
  stream.head = message.next;
  if (stream.head == UINT32_MAX) stream.tail = UINT32_MAX;
  --stream.length;
  messages_[slot].next = free_message_;
  free_message_ = slot;
  schedule_head(id, direction);
  if (direction == Direction::to_server && connections_[id].half_open) {
    answer_stranger(id);
    return std::nullopt;
  }
  return message;
}

void Network::answer_stranger(ConnectionId id) {
  Connection& connection = connections_[id];
  if (!connection.client_open || listening_[connection.server.value] == Listening::silent) return;
  // A segment of a connection that does not exist is answered with RST (RFC 9293, 3.5.1).
  drop_all(id, Direction::to_server);
  connection.half_open = false;
  connection.broken = false;
  append_end(id, Direction::to_client);
  connection.broken = true;
}

void Network::close_by_client(ConnectionId id) {
  connections_[id].client_open = false;
  drop_all(id, Direction::to_client);
}

void Network::close_by_server(ConnectionId id) {
  Connection& connection = connections_[id];
  if (!connection.server_open) return;
  connection.server_open = false;
  append_end(id, Direction::to_client);
}

std::uint32_t Network::under_way(const Stream& stream) const {
  std::uint32_t count = 0;
  for (std::uint32_t m = stream.head; m != UINT32_MAX; m = messages_[m].next) {
    if (messages_[m].arrival > world_.now()) ++count;
  }
  return count;
}

void Network::drop_tail(ConnectionId id, Direction direction, std::uint64_t count) {
  Stream& stream = connections_[id].stream(direction);
  SIM_ASSERT(count <= stream.length);
  std::uint64_t keep = stream.length - count;
  if (keep == 0) {
    drop_all(id, direction);
    return;
  }
  std::uint32_t last = stream.head;
  while (--keep > 0)
    last = messages_[last].next;
  std::uint32_t lost = messages_[last].next;
  messages_[last].next = UINT32_MAX;
  stream.tail = last;
  while (lost != UINT32_MAX) {
    const std::uint32_t next = messages_[lost].next;
    messages_[lost].next = free_message_;
    free_message_ = lost;
    lost = next;
    --stream.length;
  }
}

void Network::drop_all(ConnectionId id, Direction direction) {
  Stream& stream = connections_[id].stream(direction);
  world_.cancel(stream.delivery);
  stream.delivery = {};
  while (stream.head != UINT32_MAX) {
    const std::uint32_t next = messages_[stream.head].next;
    messages_[stream.head].next = free_message_;
    free_message_ = stream.head;
    stream.head = next;
  }
  stream.tail = UINT32_MAX;
  stream.length = 0;
}

void Network::append_end(ConnectionId id, Direction direction) {
  Message end;
  end.kind = MessageKind::end;
  end.work = world_.work();
  send(id, direction, end);
}

void Network::reset(ConnectionId id) {
  Connection& connection = connections_[id];
  if (connection.broken) return;
  for (const Direction d : {Direction::to_server, Direction::to_client}) {
    const std::uint32_t in_flight = under_way(connection.stream(d));
    const ActorId link = link_actor(connection.from(d), connection.to(d));
    const Witness witness = witness_of(connection.to(d).value, in_flight);
    const std::uint64_t lost = world_.choose(ChoiceKind::survive_at_link, link, Label::none,
                                             static_cast<std::uint64_t>(in_flight) + 1, witness);
    if (lost > 0) drop_tail(id, d, lost);
  }
  append_end(id, Direction::to_client);
  append_end(id, Direction::to_server);
  connection.broken = true;
}

bool Network::reply_under_way(ConnectionId id) const {
  const Stream& stream = connections_[id].streams[static_cast<std::size_t>(Direction::to_client)];
  if (stream.tail == UINT32_MAX) return false;
  const Message& last = messages_[stream.tail];
  return last.kind == MessageKind::reply && last.arrival > world_.now();
}

void Network::lose_sent_reply(ConnectionId id) {
  SIM_ASSERT(reply_under_way(id));
  drop_tail(id, Direction::to_client, 1);
  reset(id);
}

void Network::endpoint_ended(ActorId actor, bool notice) {
  for (ConnectionId id = 0; id < used_; ++id) {
    Connection& connection = connections_[id];
    if (connection.server == actor) {
      drop_all(id, Direction::to_server);  // Nobody reads its socket any more.
      if (!notice && is_cut(actor, connection.client)) {
        drop_tail(id, Direction::to_client, under_way(connection.stream(Direction::to_client)));
      }
      if (notice && connection.client_open) append_end(id, Direction::to_client);
      if (!notice && !connection.broken) connection.half_open = true;
      connection.server_open = false;
      connection.broken = true;
    } else if (connection.client == actor) {
      drop_all(id, Direction::to_client);
      // A lost machine cannot send again what a cut holds back; what is on the wire arrives.
      if (!notice && is_cut(actor, connection.server)) {
        drop_tail(id, Direction::to_server, under_way(connection.stream(Direction::to_server)));
      }
      connection.client_open = false;
    }
  }
}

// --- Disturbances -----------------------------------------------------------------------------

void Network::retime(Connection& connection, ConnectionId id, Direction direction) {
  Stream& stream = connection.stream(direction);
  if (stream.head == UINT32_MAX) return;
  Instant previous = world_.now();
  for (std::uint32_t m = stream.head; m != UINT32_MAX; m = messages_[m].next) {
    Message& message = messages_[m];
    if (message.arrival <= world_.now()) continue;  // It waits in the receiver's buffer.
    const Instant base = message.arrival == Instant::never()
                             ? world_.now() + world_.config().topology.network.heal_backoff
                             : message.arrival;
    message.arrival = std::max(
        previous, earliest_arrival(connection.from(direction), connection.to(direction), base));
    previous = message.arrival;
  }
  stream.last_arrival = previous;
  world_.move(stream.delivery, std::max(messages_[stream.head].arrival, world_.now()));
  static_cast<void>(id);
}

std::uint32_t Network::disturb(const LinkDisturbance& disturbance) {
  disturbances_.push_back(disturbance);
  ++active_disturbances_;
  if (disturbance.cut) {
    for (ConnectionId id = 0; id < used_; ++id) {
      for (const Direction d : {Direction::to_server, Direction::to_client}) {
        Connection& connection = connections_[id];
        if (connection.from(d) == disturbance.from && connection.to(d) == disturbance.to) {
          retime(connection, id, d);
        }
      }
    }
  }
  return static_cast<std::uint32_t>(disturbances_.size() - 1);
}

void Network::heal(std::uint32_t index) {
  LinkDisturbance& disturbance = disturbances_[index];
  if (disturbance.until <= world_.now()) return;
  const bool open_ended = disturbance.until == Instant::never();
  disturbance.until = world_.now();
  if (!disturbance.cut || !open_ended) return;
  for (ConnectionId id = 0; id < used_; ++id) {
    for (const Direction d : {Direction::to_server, Direction::to_client}) {
      Connection& connection = connections_[id];
      if (connection.from(d) == disturbance.from && connection.to(d) == disturbance.to) {
        connection.stream(d).last_arrival = world_.now();
        retime(connection, id, d);
      }
    }
  }
}

}  // namespace locklab
