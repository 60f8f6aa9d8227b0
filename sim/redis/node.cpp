// Node: executes what arrives, and sends replies and effects afterwards.
// SPDX-License-Identifier: Apache-2.0
#include "sim/redis/node.h"

#include <algorithm>
#include <utility>

#include "sim/contract.h"
#include "sim/mix.h"
#include "sim/redis/wait.h"

namespace locklab {

std::int64_t reply_code(const redis::Reply& reply) {
  return static_cast<std::int64_t>(reply.kind()) | reply.integer() * 16;
}

Node::Node(World& world, Network& network, redis::ScriptEngine& scripts)
    : world_(world), network_(network), scripts_(scripts) {}

void Node::begin(redis::Role role) {
  database_.reset();
  sink_.clear();
  role_ = role;
  alive_ = true;
  paused_ = false;
  restarting_ = false;
  paused_until_ = Instant::origin();
  epoch_ = 1;
  offset_ = 0;
  from_primary_ = kNoConnection;
  replicas_.clear();
  outbox_.clear();
  flush_scheduled_ = false;
  held_.clear();
  primary_ = nullptr;
  heartbeat_ = {};
  followers_.clear();
  waiting_.clear();
  good_replicas_ = 0;
  cron_second_ = 0;
  resumed_at_ = Instant::never();
  file_.begin(world_.config().topology.persistence, wall_second());
  sync_ = {};
  file_lost_ = false;
  expiry_watch_ = {};
  watched_expiry_ = redis::kNoExpiry;
  expiry_tick_ = {};
  tick_expiry_ = redis::kNoExpiry;
  seen_expired_.clear();
}

redis::Context Node::context(Span origin) const {
  redis::Context context;
  context.now = wall();
  context.role = role_;
  context.origin = origin.bits;
  return context;
}

void Node::handle(const Event& event) {
  if (event.type == EventType::restart) return restart(event);
  if (event.watch) {
    if (alive_) on_expiry_seen();
    return;
  }
  if (!alive_) {
    if (event.type == EventType::deliver) network_.take(event.a, static_cast<Direction>(event.b));
    return;
  }
  if (event.type == EventType::wake) {
    if (!paused_ || world_.now() < paused_until_) return;
    paused_ = false;
    resumed_at_ = world_.now();
    world_.record({.actor = id().value, .kind = EventKind::resumed});
    for (const Event& held : std::exchange(held_, {})) {
      world_.schedule_as({held.span, held.hold, held.cause}, world_.now(), held);
    }
    return;
  }
  if (paused_) {
    held_.push_back(event);
    return;
  }
  switch (event.type) {
    case EventType::deliver:
      on_deliver(event);
      break;
    case EventType::flush:
      flush_scheduled_ = false;
      drain();
      break;
    case EventType::timer:
      on_tick(event);
      break;
    case EventType::custom:  // An operator's command that has waited in the socket.
      flush();
      break;
    default:
      SIM_UNREACHABLE("a node got an event that is not its own");
  }
}

void Node::on_tick(const Event& event) {
  switch (static_cast<Tick>(event.b)) {
    case Tick::expiry:
      return on_expiry_tick();
    case Tick::heartbeat:
      return on_heartbeat();
    case Tick::wait:
      return on_wait_over(event.a);
    case Tick::sync:
      return on_sync();
  }
}

void Node::on_deliver(const Event& event) {
  const auto direction = static_cast<Direction>(event.b);
  // What a blocked client sends stays unread until it is answered.
  if (direction == Direction::to_server && is_blocked(event.a)) return;
  const std::optional<Message> taken = network_.take(event.a, direction);
  if (!taken) return;
  const Message& message = *taken;
  if (message.kind == MessageKind::end) {
    if (direction == Direction::to_client) forget_follower(event.a);
    if (event.a != from_primary_) return;
    from_primary_ = kNoConnection;
    // It connects anew and takes a snapshot (redis/src/replication.c replicationCron).
    if (role_ == redis::Role::replica && listener_ != nullptr) listener_->came_back(*this);
    return;
  }
  if (direction == Direction::to_client) {
    if (message.kind == MessageKind::ack) on_ack(event.a, static_cast<std::uint64_t>(message.code));
    return;
  }
  switch (message.kind) {
    case MessageKind::request:
      execute(event.a, message);
      break;
    case MessageKind::effect:
      if (event.a == from_primary_) apply(message);
      break;
    case MessageKind::sync:
      if (event.a == from_primary_) load(message);
      break;
    case MessageKind::get_ack:
      if (event.a == from_primary_) acknowledge(false);
      break;
    default:
      SIM_UNREACHABLE("a node got a message that is not its own");
  }
}

void Node::execute(ConnectionId connection, const Message& message) {
  const redis::Command argv(static_cast<const std::string_view*>(message.body), message.count);
  if (redis::is_wait(argv)) return wait(connection, message, argv);
  sink_.clear();
  redis::Context seen = context(message.work.span);
  seen.too_few_replicas = lacks_replicas();
  const redis::Reply reply = redis::execute(database_, scripts_, seen, argv, world_.arena(), sink_);
  finish(connection, message, argv, reply);
}

void Node::finish(ConnectionId connection, const Message& message, redis::Command argv,
                  const redis::Reply& reply) {
  record_applied(message, argv, reply);
  record_changes();

  Outgoing outgoing = effects_of_sink();
  network_.at(connection).written = offset_;
  outgoing.connection = connection;
  outgoing.reply = &(world_.arena().make_array<redis::Reply>(1)[0] = reply);
  outgoing.command = message.command;
  enqueue(outgoing);
  arm_expiry();
  world_.pass({.label = Label::srv_applied,
               .actor = id(),
               .client = network_.at(connection).client,
               .server = id(),
               .connection = connection,
               .command = message.command});
}

void Node::enqueue(Outgoing outgoing) {
  outbox_.push_back(outgoing);
  if (flush_scheduled_) return;
  flush_scheduled_ = true;
  world_.schedule(world_.now(), {.type = EventType::flush, .actor = id()});
}

Node::Outgoing Node::effects_of_sink() {
  offset_ += sink_.stream().size();
  Outgoing outgoing;
  outgoing.effects = world_.arena().copy(sink_.stream()).data();
  outgoing.effect_count = static_cast<std::uint32_t>(sink_.stream().size());
  outgoing.offset = offset_;
  outgoing.work = world_.work();
  return outgoing;
}

void Node::enqueue_effects() {
  const Outgoing outgoing = effects_of_sink();
  if (outgoing.effect_count > 0) enqueue(outgoing);
}

void Node::drain() {
  write_outbox();
  // What a fault at one of the labels leaves unsent waits for the waking, or dies with the node.
  while (!outbox_.empty() && alive_ && !paused_) {
    Outgoing outgoing = outbox_.front();
    world_.work() = outgoing.work;
    if (outgoing.connection != kNoConnection) {
      outbox_.front().connection = kNoConnection;
      send_reply(outgoing);
      if (!alive_ || paused_) break;
      world_.work() = outgoing.work;
    }
    if (!send_effects()) break;
    if (outbox_.front().asks_ack) send_get_ack();
    outbox_.erase(outbox_.begin());
  }
  if (alive_ && !outbox_.empty() && !flush_scheduled_) {
    flush_scheduled_ = true;
    held_.push_back({.type = EventType::flush, .actor = id()});
  }
}

void Node::send_reply(const Outgoing& outgoing) {
  Connection& connection = network_.at(outgoing.connection);
  const ActorId client = connection.client;
  if (connection.lose_next_reply) {
    connection.lose_next_reply = false;
    network_.reset(outgoing.connection);
  } else if (connection.client_open) {
    Message reply;
    reply.kind = MessageKind::reply;
    reply.work = outgoing.work;
    reply.command = outgoing.command;
    reply.code = reply_code(*outgoing.reply);
    reply.body = outgoing.reply;
    network_.send(outgoing.connection, Direction::to_client, reply);
    if (outgoing.closes) network_.close_by_server(outgoing.connection);
  }
  world_.pass({.label = Label::srv_replied,
               .actor = id(),
               .client = client,
               .server = id(),
               .connection = outgoing.connection,
               .command = outgoing.command});
}

void Node::run_internally(redis::Command argv) {
  // An operator's command or an eviction: nobody's hold, no reply, but effects as usual.
  const Work work = world_.work();
  world_.work() = {Span::of_actor(id()), {}, work.cause};
  sink_.clear();
  redis::execute(database_, scripts_, context(Span{}), argv, world_.arena(), sink_);
  record_changes();
  enqueue_effects();
  arm_expiry();
  world_.work() = work;
}

std::uint64_t Node::state_hash() const {
  std::uint64_t hash =
      mix(id().value, (alive_ ? 1U : 0U) | (paused_ ? 2U : 0U) | static_cast<unsigned>(role_) << 2);
  const redis::UnixMs now = unix_milliseconds(wall());
  hash = mix(hash, waiting_.size());
  hash = mix(hash, good_replicas_);
  database_.keys.sorted(sorted_keys_);
  for (const redis::Entry* entry : sorted_keys_) {
    if (redis::is_expired(*entry, wall())) continue;
    for (const char c : entry->key())
      hash = mix(hash, static_cast<unsigned char>(c));
    hash = mix(hash, Span{entry->creator}.hold().value);
    if (const redis::Hash* fields = entry->hash()) {
      for (const redis::Hash::Field& field : fields->fields()) {
        for (const char c : field.value)  // A count that nobody takes down must not differ.
          hash = mix(hash, static_cast<unsigned char>(c));
      }
    }
    hash =
        mix(hash, entry->has_expiry() ? static_cast<std::uint64_t>(entry->expiry() - now) : ~0ULL);
  }
  return hash;
}

}  // namespace locklab
