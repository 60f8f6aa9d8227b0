// Node: executes, replies, replicates, dies and comes back.
// SPDX-License-Identifier: Apache-2.0
#include "sim/redis/node.h"

#include <algorithm>
#include <utility>

#include "sim/contract.h"
#include "sim/mix.h"

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

void Node::restart(std::uint32_t life) {
  if (alive_ || life != epoch_) return;  // Somebody revived it before.
  world_.pass({.label = Label::node_before_restart, .actor = id(), .server = id()});
  alive_ = true;
  restarting_ = false;
  offset_ = 0;
  ++epoch_;
  network_.set_listening(id(), Network::Listening::yes);
  world_.record({.actor = id().value, .kind = EventKind::restarted, .epoch = epoch_, .arg = 1});
  if (listener_ != nullptr) listener_->came_back(*this);
  for (const Replica& replica : std::exchange(replicas_, {})) {
    if (replica.node->alive() && replica.node->role() == redis::Role::replica) {
      attach(*replica.node, true);  // An empty primary that keeps its role wipes its replicas.
    }
  }
}

void Node::handle(const Event& event) {
  if (event.type == EventType::restart) return restart(event.a);
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
      on_expiry_tick();
      break;
    default:
      SIM_UNREACHABLE("a node got an event that is not its own");
  }
}

void Node::on_deliver(const Event& event) {
  const auto direction = static_cast<Direction>(event.b);
  const std::optional<Message> taken = network_.take(event.a, direction);
  if (!taken) return;
  const Message& message = *taken;
  if (message.kind == MessageKind::end) {
    if (event.a != from_primary_) return;
    from_primary_ = kNoConnection;
    // It connects anew and takes a snapshot (redis/src/replication.c replicationCron).
    if (role_ == redis::Role::replica && listener_ != nullptr) listener_->came_back(*this);
    return;
  }
  if (direction == Direction::to_client) return;
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
    default:
      SIM_UNREACHABLE("a node got a message that is not its own");
  }
}

void Node::execute(ConnectionId connection, const Message& message) {
  const redis::Command argv(static_cast<const std::string_view*>(message.body), message.count);
  sink_.clear();
  const redis::Reply reply =
      redis::execute(database_, scripts_, context(message.work.span), argv, world_.arena(), sink_);
  record_applied(message, argv, reply);
  record_changes();

  Outgoing outgoing = effects_of_sink();
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
  }
  world_.pass({.label = Label::srv_replied,
               .actor = id(),
               .client = client,
               .server = id(),
               .connection = outgoing.connection,
               .command = outgoing.command});
}

// --- Replication --------------------------------------------------------------------------------

bool Node::send_effects() {
  for (;;) {
    Outgoing& outgoing = outbox_.front();
    const auto due =
        std::find_if(replicas_.begin(), replicas_.end(),
                     [&outgoing](const Replica& r) { return r.sent < outgoing.offset; });
    if (outgoing.effect_count == 0 || due == replicas_.end()) return true;
    if (outgoing.announced != due->connection) {
      outgoing.announced = due->connection;
      world_.pass({.label = Label::repl_before_send,
                   .actor = id(),
                   .client = outgoing.work.span.actor(),
                   .server = due->node->id(),
                   .connection = due->connection,
                   .command = outgoing.command});
      if (!alive_ || paused_) return false;
      continue;  // Whatever struck, look again: it may have promoted the replica.
    }
    due->sent = outgoing.offset;
    send_effects_to(*due, outgoing);
  }
}

void Node::send_effects_to(const Replica& replica, const Outgoing& outgoing) {
  if (network_.at(replica.connection).broken) return;  // Until the replica connects anew.
  for (std::uint32_t i = 0; i < outgoing.effect_count; ++i) {
    world_.record(
        {.actor = id().value, .kind = EventKind::effect_sent, .arg = replica.node->id().value});
    Message effect;
    effect.kind = MessageKind::effect;
    effect.work = world_.work();
    effect.command = outgoing.command;
    effect.body = outgoing.effects[i].data();
    effect.count = static_cast<std::uint32_t>(outgoing.effects[i].size());
    network_.send(replica.connection, Direction::to_server, effect);
  }
}

void Node::apply(const Message& message) {
  const redis::Command argv(static_cast<const std::string_view*>(message.body), message.count);
  sink_.clear();
  redis::apply(database_, scripts_, context(message.work.span), argv, world_.arena(), sink_);
  ++offset_;
  world_.record({.actor = id().value, .kind = EventKind::effect_applied});
  record_changes();
  arm_expiry();
}

void Node::attach(Node& replica, bool resync) {
  detach(replica);  // A replica that comes back has a new connection; nothing is sent over the old.
  const ConnectionId connection = network_.open(id(), replica.id());
  replica.from_primary_ = connection;
  replicas_.push_back({&replica, connection, offset_});
  if (resync) send_snapshot(replicas_.back());
}

void Node::detach(const Node& replica) {
  std::erase_if(replicas_, [&replica](const Replica& r) { return r.node == &replica; });
}

void Node::send_snapshot(const Replica& replica) {
  const std::vector<const redis::Entry*> entries = database_.keys.sorted();
  std::span<Snapshot> snapshot = world_.arena().make_array<Snapshot>(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    snapshot[i] = {world_.arena().copy(entries[i]->key()),
                   world_.arena().copy(std::string_view(*entries[i]->string())),
                   entries[i]->expiry(), entries[i]->creator};
  }
  Message sync;
  sync.kind = MessageKind::sync;
  sync.work = world_.work();
  sync.body = snapshot.data();
  sync.count = static_cast<std::uint32_t>(snapshot.size());
  sync.code = static_cast<std::int64_t>(offset_);
  network_.send(replica.connection, Direction::to_server, sync);
}

void Node::load(const Message& message) {
  const auto* snapshot = static_cast<const Snapshot*>(message.body);
  database_.keys.clear();
  for (std::uint32_t i = 0; i < message.count; ++i) {
    redis::Entry& entry = database_.keys.insert(snapshot[i].key);
    *entry.string() = snapshot[i].value;
    entry.creator = snapshot[i].creator;
    if (snapshot[i].expiry != redis::kNoExpiry) {
      database_.keys.set_expiry(entry, snapshot[i].expiry);
    }
  }
  offset_ = static_cast<std::uint64_t>(message.code);
  world_.record({.actor = id().value,
                 .kind = EventKind::resynced,
                 .epoch = epoch_,
                 .arg = network_.at(from_primary_).client.value});
  arm_expiry();
}

void Node::promote(std::uint32_t epoch, std::uint64_t never_received) {
  role_ = redis::Role::primary;
  epoch_ = epoch;
  if (from_primary_ != kNoConnection) network_.close_by_server(from_primary_);
  from_primary_ = kNoConnection;
  world_.record({.actor = id().value,
                 .kind = EventKind::promoted,
                 .epoch = epoch_,
                 .arg = static_cast<std::int64_t>(never_received)});
  arm_expiry();
}

void Node::demote(Node& primary) {
  role_ = redis::Role::replica;
  replicas_.clear();
  world_.record({.actor = id().value,
                 .kind = EventKind::demoted,
                 .epoch = primary.epoch(),
                 .arg = primary.id().value});
  epoch_ = primary.epoch();
  primary.attach(*this, true);
}

// --- What strikes it

void Node::pause(Duration length) {
  if (!alive_) return;
  const Instant until = world_.now() + length;
  if (paused_ && until <= paused_until_) return;
  const bool was_up = !paused_;
  paused_ = true;
  paused_until_ = until;
  world_.record({.actor = id().value, .kind = EventKind::paused, .result = record_bits(length)});
  world_.schedule(until, {.type = EventType::wake, .actor = id()});
  if (was_up && listener_ != nullptr) listener_->went_down(*this);
}

void Node::kill(EndKind kind, Duration restart_after) {
  if (!alive_) return;
  const bool was_up = !paused_;
  alive_ = false;
  paused_ = false;
  held_.clear();
  outbox_.clear();
  flush_scheduled_ = false;
  world_.record({.actor = id().value,
                 .kind = EventKind::killed,
                 .epoch = epoch_,
                 .arg = static_cast<std::int64_t>(kind)});
  database_.reset();
  seen_expired_.clear();
  world_.disarm(expiry_watch_);
  world_.disarm(expiry_tick_);
  watched_expiry_ = tick_expiry_ = redis::kNoExpiry;
  from_primary_ = kNoConnection;
  const bool notice = kind != EndKind::host_loss;
  network_.endpoint_ended(id(), notice);
  network_.set_listening(id(), notice ? Network::Listening::refuses : Network::Listening::silent);
  if (was_up && listener_ != nullptr) listener_->went_down(*this);
  if (restart_after == Duration::forever()) return;
  restarting_ = true;
  // By the machine's own clock: what died on a frozen one comes back after the thaw.
  Event event{.type = EventType::restart, .actor = id(), .span = Span::of_actor(id())};
  event.a = epoch_;
  world_.arm({host(), ClockId::monotonic, world_.read(host(), ClockId::monotonic) + restart_after,
              DeadlineKind::restart, id(), event});
}

void Node::revive() {
  if (alive_) return;
  restarting_ = true;
  Event event{.type = EventType::restart, .actor = id()};
  event.a = epoch_;
  world_.schedule_as({Span::of_actor(id()), {}, world_.work().cause}, world_.now(), event);
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

void Node::flush() {
  const std::string_view argv[] = {"FLUSHALL"};
  if (alive_) run_internally(argv);
}

void Node::evict(std::uint32_t nth) {
  if (!alive_ || database_.keys.size() == 0) return;
  const std::vector<const redis::Entry*> entries = database_.keys.sorted();
  evict(entries[std::min<std::size_t>(nth, entries.size() - 1)]->key());
}

void Node::evict(std::string_view key) {
  const std::string_view argv[] = {"DEL", world_.arena().copy(key)};
  if (alive_) run_internally(argv);
}

std::uint64_t Node::state_hash() const {
  std::uint64_t hash =
      mix(id().value, (alive_ ? 1U : 0U) | (paused_ ? 2U : 0U) | static_cast<unsigned>(role_) << 2);
  const redis::UnixMs now = unix_milliseconds(wall());
  database_.keys.sorted(sorted_keys_);
  for (const redis::Entry* entry : sorted_keys_) {
    if (redis::is_expired(*entry, wall())) continue;
    for (const char c : entry->key())
      hash = mix(hash, static_cast<unsigned char>(c));
    hash = mix(hash, Span{entry->creator}.hold().value);
    hash =
        mix(hash, entry->has_expiry() ? static_cast<std::uint64_t>(entry->expiry() - now) : ~0ULL);
  }
  return hash;
}

}  // namespace locklab
