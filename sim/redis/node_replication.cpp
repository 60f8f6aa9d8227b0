// Node: effects that leave for replicas, snapshots, promotion and demotion.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sim/redis/node.h"

namespace locklab {

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
  }
  // One message: what one command or script did stands between MULTI and EXEC, and a replica that
  // is promoted in the middle has none of it (redis/src/server.c propagatePendingCommands).
  Message effects;
  effects.kind = MessageKind::effect;
  effects.work = world_.work();
  effects.command = outgoing.command;
  effects.body = outgoing.effects;
  effects.count = outgoing.effect_count;
  network_.send(replica.connection, Direction::to_server, effects);
}

void Node::apply(const Message& message) {
  const std::span effects(static_cast<const redis::Command*>(message.body), message.count);
  for (const redis::Command argv : effects) {
    sink_.clear();
    redis::apply(database_, scripts_, context(message.work.span), argv, world_.arena(), sink_);
    ++offset_;
    world_.record({.actor = id().value, .kind = EventKind::effect_applied});
    record_changes();
  }
  if (file_.is_kept()) {
    file_.write(effects, message.work.span.bits, wall_second());
    arm_sync();
  }
  arm_expiry();
}

void Node::attach(Node& replica, bool resync) {
  detach(replica);  // A replica that comes back has a new connection; nothing is sent over the old.
  // Whom it followed before learns of it by the end of the stream.
  if (replica.follows()) network_.close_by_server(replica.from_primary_);
  const ConnectionId connection = network_.open(id(), replica.id());
  replica.from_primary_ = connection;
  replica.primary_ = this;
  replicas_.push_back({&replica, connection, offset_});
  add_follower(replica);
  if (resync) send_snapshot(replicas_.back());
}

void Node::detach(const Node& replica) {
  std::erase_if(replicas_, [&replica](const Replica& r) { return r.node == &replica; });
}

void Node::send_snapshot(const Replica& replica) {
  const std::span<const redis::KeyImage> image = redis::image_of(database_.keys, world_.arena());
  Message sync;
  sync.kind = MessageKind::sync;
  sync.work = world_.work();
  sync.body = image.data();
  sync.count = static_cast<std::uint32_t>(image.size());
  sync.code = static_cast<std::int64_t>(offset_);
  network_.send(replica.connection, Direction::to_server, sync);
}

void Node::load(const Message& message) {
  const std::span<const redis::KeyImage> image(static_cast<const redis::KeyImage*>(message.body),
                                               message.count);
  redis::load(database_.keys, image);
  file_.rewrite(image);
  offset_ = static_cast<std::uint64_t>(message.code);
  world_.record({.actor = id().value,
                 .kind = EventKind::resynced,
                 .epoch = epoch_,
                 .arg = network_.at(from_primary_).client.value});
  // At once, not with the next second: a WAIT may be waiting (redis/src/replication.c
  // readSyncBulkPayload, of a transfer without a file, which is the default).
  if (primary_->minds_acks()) acknowledge(true);
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
  followers_.clear();
  world_.record({.actor = id().value,
                 .kind = EventKind::demoted,
                 .epoch = primary.epoch(),
                 .arg = primary.id().value});
  epoch_ = primary.epoch();
  unblock_all();
  primary.attach(*this, true);
}

}  // namespace locklab
