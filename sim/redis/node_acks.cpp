// Node: what replicas acknowledge, and who waits for it: WAIT, min-replicas-to-write.
// SPDX-License-Identifier: Apache-2.0
//
// A replica acknowledges its offset when it is asked to (REPLCONF GETACK) and, as long as somebody
// could notice, once a second. A primary goes by what it has received: of a replica that has left
// it learns by the end of the connection, or by silence (redis/src/replication.c).
#include <algorithm>

#include "sim/redis/node.h"
#include "sim/redis/wait.h"

namespace locklab {
namespace {

// Longer than any run: no timer, which also keeps the sum in the range of LocalInstant.
constexpr std::int64_t kForeverMs = 1'000'000'000'000;

std::int64_t to_seconds(redis::UnixMs ms) {
  return ms / 1000;
}

}  // namespace

std::int64_t Node::monotonic_ms() const {
  return whole_milliseconds(world_.read(host(), ClockId::monotonic) - LocalInstant::origin());
}

// --- The replica's side -------------------------------------------------------------------------

bool Node::minds_acks() const {
  return world_.config().topology.min_replicas > 0 || !waiting_.empty();
}

void Node::begin_heartbeat() {
  if (heartbeat_ || !alive_ || !follows()) return;
  // replicationCron runs once a second of the process's life.
  const LocalInstant next =
      LocalInstant::origin() + milliseconds((monotonic_ms() / 1000 + 1) * 1000);
  Event event{.type = EventType::timer, .background = true, .actor = id()};
  event.span = Span::of_actor(id());
  event.b = static_cast<std::uint64_t>(Tick::heartbeat);
  heartbeat_ = world_.arm({host(), ClockId::monotonic, next, DeadlineKind::none, id(), event});
}

void Node::on_heartbeat() {
  heartbeat_ = {};
  if (!follows()) return;
  acknowledge(true);
  if (primary_->minds_acks()) begin_heartbeat();
}

void Node::acknowledge(bool background) {
  const Connection& connection = network_.at(from_primary_);
  if (connection.broken || !connection.client_open) return;
  Message ack;
  ack.kind = MessageKind::ack;
  ack.work = world_.work();
  ack.code = static_cast<std::int64_t>(offset_);
  ack.background = background;
  network_.send(from_primary_, Direction::to_client, ack);
}

// --- The primary's side -------------------------------------------------------------------------

void Node::add_follower(Node& replica) {
  std::erase_if(followers_, [&replica](const Follower& f) { return f.node == replica.id(); });
  // What it has is known when it says so; it counts as heard of now (replicaPutOnline).
  followers_.push_back({replica.from_primary_, replica.id(), 0, to_seconds(wall_ms())});
  count_good_replicas(to_seconds(wall_ms()));
  if (minds_acks()) replica.begin_heartbeat();
}

void Node::forget_follower(ConnectionId connection) {
  const auto gone = std::erase_if(
      followers_, [connection](const Follower& f) { return f.connection == connection; });
  if (gone == 0) return;
  if (world_.now() == resumed_at_) {
    // Clients are freed behind the pass that found their end (redis/src/networking.c
    // freeClientAsync): what else is read in it meets the old count.
    cron_second_ = -1;
  } else {
    count_good_replicas(to_seconds(wall_ms()));
  }
}

void Node::on_ack(ConnectionId connection, std::uint64_t offset) {
  catch_up_with_cron();
  const auto follower =
      std::find_if(followers_.begin(), followers_.end(),
                   [connection](const Follower& f) { return f.connection == connection; });
  if (follower == followers_.end()) return;
  follower->acknowledged = std::max(follower->acknowledged, offset);
  follower->heard_at = to_seconds(wall_ms());
  for (std::size_t i = 0; i < waiting_.size();) {
    const std::int64_t count = acknowledged_by(waiting_[i].offset);
    if (count >= waiting_[i].replicas) {
      unblock(i, redis::Reply::integer(count));
    } else {
      ++i;
    }
  }
}

std::int64_t Node::acknowledged_by(std::uint64_t offset) const {
  return std::count_if(followers_.begin(), followers_.end(),
                       [offset](const Follower& f) { return f.acknowledged >= offset; });
}

// --- min-replicas-to-write ----------------------------------------------------------------------

/// By whole seconds of the wall clock (redis/src/replication.c refreshGoodSlavesCount).
void Node::count_good_replicas(std::int64_t now) {
  const std::int64_t lag = whole_milliseconds(world_.config().topology.min_replicas_max_lag) / 1000;
  good_replicas_ = static_cast<std::uint32_t>(
      std::count_if(followers_.begin(), followers_.end(),
                    [now, lag](const Follower& f) { return now - f.heard_at <= lag; }));
}

/// They are counted once a second, and not in between. Nothing but a command looks at the count: it
/// is made up for when somebody does, or before what it goes by changes.
void Node::catch_up_with_cron() {
  // A process that runs on reads its sockets before its timers.
  if (world_.now() == resumed_at_) return;
  const std::int64_t now = monotonic_ms();
  const std::int64_t second = now / 1000;
  if (second == cron_second_) return;
  cron_second_ = second;
  count_good_replicas(to_seconds(wall_ms() - (now - second * 1000)));
}

bool Node::lacks_replicas() {
  const TopologyConfig& topology = world_.config().topology;
  if (topology.min_replicas == 0 || topology.min_replicas_max_lag == Duration()) return false;
  if (role_ != redis::Role::primary) return false;
  catch_up_with_cron();
  return good_replicas_ < topology.min_replicas;
}

// --- WAIT ---------------------------------------------------------------------------------------

bool Node::is_blocked(ConnectionId connection) const {
  return std::any_of(waiting_.begin(), waiting_.end(),
                     [connection](const Waiting& w) { return w.connection == connection; });
}

void Node::wait(ConnectionId connection, const Message& message, redis::Command argv) {
  sink_.clear();
  if (const auto refused = redis::refusal(context(message.work.span), argv, world_.arena())) {
    return finish(connection, message, argv, *refused);
  }
  const redis::WaitRequest request = redis::parse_wait(argv, role_);
  if (request.error) return finish(connection, message, argv, *request.error);
  // Up to what this connection's last command left behind; nothing, if this is its first.
  const std::uint64_t offset = network_.at(connection).written;
  network_.at(connection).written = offset_;
  const std::int64_t count = acknowledged_by(offset);
  if (count >= request.replicas) {
    return finish(connection, message, argv, redis::Reply::integer(count));
  }
  waiting_.push_back({connection, message, argv, offset, request.replicas, {}});
  if (request.timeout_ms > 0 && request.timeout_ms < kForeverMs) {
    Event event{.type = EventType::timer, .actor = id()};
    event.a = connection;
    event.b = static_cast<std::uint64_t>(Tick::wait);
    // The deadline is one of the wall clock, and must have passed: deadline < now
    // (redis/src/timeout.c handleBlockedClientsTimeout).
    waiting_.back().timer = world_.arm({host(), ClockId::wall,
                                        from_unix_milliseconds(wall_ms() + request.timeout_ms + 1),
                                        DeadlineKind::none, id(), event});
  }
  ask_for_acks();
}

void Node::ask_for_acks() {
  Outgoing question;
  question.asks_ack = true;
  question.work = world_.work();
  question.offset = offset_;
  enqueue(question);
  for (const Replica& replica : replicas_)
    replica.node->begin_heartbeat();
}

void Node::send_get_ack() {
  for (const Replica& replica : replicas_) {
    Message question;
    question.kind = MessageKind::get_ack;
    question.work = world_.work();
    network_.send(replica.connection, Direction::to_server, question);
  }
}

void Node::on_wait_over(ConnectionId connection) {
  const auto waiting =
      std::find_if(waiting_.begin(), waiting_.end(),
                   [connection](const Waiting& w) { return w.connection == connection; });
  if (waiting == waiting_.end()) return;
  unblock(static_cast<std::size_t>(waiting - waiting_.begin()),
          redis::Reply::integer(acknowledged_by(waiting->offset)));
}

void Node::unblock(std::size_t index, const redis::Reply& reply) {
  const Waiting waiting = waiting_[index];
  waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(index));
  world_.disarm(waiting.timer);
  // The client's work goes on, brought about by the present event.
  world_.work() = {waiting.message.work.span, waiting.message.work.hold, world_.work().cause};
  sink_.clear();
  finish(waiting.connection, waiting.message, waiting.argv, reply);
  network_.read_on(waiting.connection, Direction::to_server);
}

void Node::unblock_all() {
  while (alive_ && !waiting_.empty()) {
    const ConnectionId connection = waiting_.front().connection;
    unblock(0, redis::kUnblocked);
    for (Outgoing& outgoing : outbox_)
      outgoing.closes = outgoing.closes || outgoing.connection == connection;
  }
}

}  // namespace locklab
