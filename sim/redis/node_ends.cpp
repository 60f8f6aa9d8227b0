// Node: what strikes it, and how it comes back.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "sim/contract.h"
#include "sim/redis/node.h"

namespace locklab {

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
  lose_unsynced(kind);
  outbox_.clear();
  waiting_.clear();
  followers_.clear();
  world_.disarm(heartbeat_);
  heartbeat_ = {};
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

void Node::restart(const Event& event) {
  if (alive_ || event.a != epoch_) return;  // Somebody revived it before.
  if (world_.put_off(event)) return;
  world_.pass({.label = Label::node_before_restart, .actor = id(), .server = id()});
  alive_ = true;
  restarting_ = false;
  offset_ = 0;
  ++epoch_;
  network_.set_listening(id(), Network::Listening::yes);
  world_.record({.actor = id().value,
                 .kind = EventKind::restarted,
                 .epoch = epoch_,
                 .arg = file_lost_ ? 1 : 0});
  load_file();
  if (listener_ != nullptr) listener_->came_back(*this);
  for (const Replica& replica : std::exchange(replicas_, {})) {
    if (replica.node->alive() && replica.node->role() == redis::Role::replica) {
      attach(*replica.node, true);  // An empty primary that keeps its role wipes its replicas.
    }
  }
}

void Node::flush() {
  if (paused_) {  // A stopped process reads nothing: the command waits until it runs on.
    Event event{.type = EventType::custom, .actor = id(), .span = Span::of_actor(id())};
    event.cause = world_.work().cause;
    held_.push_back(event);
    return;
  }
  const std::string_view argv[] = {"FLUSHALL"};
  if (alive_) run_internally(argv);
}

void Node::evict(std::uint32_t nth) {
  const std::vector<const redis::Entry*> entries = database_.keys.sorted();
  evict(entries[std::min<std::size_t>(nth, entries.size() - 1)]->key());
}

void Node::evict(std::string_view key) {
  SIM_ASSERT(alive_ && !paused_);  // Else the fault is not possible (sim/faults/evict.cpp).
  const std::string_view argv[] = {"DEL", world_.arena().copy(key)};
  run_internally(argv);
}

}  // namespace locklab
