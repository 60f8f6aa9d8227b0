// What the history sees of a node's keys: changes by cause, and the instant at which a key dies.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sim/redis/node.h"

namespace locklab {
namespace {

// How many more of the server's ticks an expired key may outlive, by choice.
constexpr std::uint64_t kTicksMax = 3;
// Beyond any run, and short of what LocalInstant holds: such an expiry needs no timer.
constexpr redis::UnixMs kFarAwayMs = 1'000'000'000'000;

}  // namespace

void Node::record_applied(const Message& message, redis::Command argv, const redis::Reply& reply) {
  // EVAL script numkeys key …: the key stands behind the script and the count.
  const std::size_t key = argv.size() > 3 && argv[0].starts_with("EVAL") ? 3 : 1;
  const std::uint32_t last = argv.size() > key + 1 ? world_.intern(argv.back()).value : 0;
  Record record;
  record.actor = id().value;
  record.kind = EventKind::applied;
  record.lock = argv.size() > key ? static_cast<std::uint16_t>(world_.intern(argv[key]).value)
                                  : std::uint16_t{0};
  record.nonce = world_.intern(reply.text()).value;
  record.epoch = epoch_;
  record.arg = static_cast<std::int64_t>(message.command.value) | static_cast<std::int64_t>(last)
                                                                      << 32;
  record.result = reply_code(reply);
  if (role_ == redis::Role::replica) record.flags = event_flags::kReplica;
  world_.record(record);
}

void Node::record_value(Record record, const redis::Change& change) {
  record.kind = EventKind::key_value;
  record.nonce = world_.intern(change.field).value;
  record.arg = static_cast<std::int64_t>(change.new_creator);
  const std::optional<std::int64_t> number = redis::parse_integer(change.new_value);
  if (change.kind == redis::ChangeKind::field_removed) {
    record.flags |= event_flags::kRemoved;
  } else if (number) {
    record.result = *number;
  } else {
    record.flags |= event_flags::kText;
    record.result = world_.intern(change.new_value).value;
  }
  world_.record(record);
}

void Node::record_changes() {
  const std::uint16_t base =
      role_ == redis::Role::replica ? event_flags::kReplica : std::uint16_t{0};
  for (const redis::Change& change : sink_.changes()) {
    using redis::ChangeKind;
    Record record;
    record.actor = id().value;
    record.lock = static_cast<std::uint16_t>(world_.intern(change.key).value);
    record.epoch = epoch_;
    record.flags = base;
    const bool had = change.kind != ChangeKind::created;
    if (had) {
      record.nonce = world_.intern(change.old_value).value;
      record.arg = static_cast<std::int64_t>(change.old_creator);
    }
    switch (change.kind) {
      case ChangeKind::deleted:
      case ChangeKind::expired:
      case ChangeKind::overwritten:
        record.kind = EventKind::key_deleted;
        if (change.kind == ChangeKind::expired) record.flags |= event_flags::kByExpiry;
        if (change.kind == ChangeKind::overwritten) record.flags |= event_flags::kOverwritten;
        world_.record(record);
        break;
      case ChangeKind::expiry_changed:
      case ChangeKind::persisted:
        record.kind = EventKind::key_ttl;
        record.result = change.new_expiry;
        world_.record(record);
        break;
      case ChangeKind::value_changed:
      case ChangeKind::field_removed:
        record_value(record, change);
        break;
      case ChangeKind::created:
        break;
    }
    const bool begins =
        change.kind == ChangeKind::created || change.kind == ChangeKind::overwritten;
    if (!begins) continue;
    record.kind = EventKind::key_set;
    record.flags = base;
    record.nonce = world_.intern(change.new_value).value;
    record.arg = static_cast<std::int64_t>(change.new_creator);
    record.result = change.new_expiry;
    // A release or a section that creates a key does it for its hold, not for one of its own.
    const Span creator{change.new_creator};
    const Work& work = world_.work();
    record.hold = (creator == work.span ? work.hold : creator.hold()).value;
    world_.record(record);
  }
}

void Node::record_all_keys() {
  sink_.clear();
  for (const redis::Entry* entry : database_.keys.sorted()) {
    redis::Change change;
    change.key = entry->key();
    change.new_value = redis::text_of(*entry, world_.arena());
    change.new_creator = entry->creator;
    change.new_expiry = entry->expiry();
    sink_.report(change);
    if (entry->hash() == nullptr) continue;
    change.kind = redis::ChangeKind::value_changed;
    for (const redis::Hash::Field& field : entry->hash()->fields()) {
      change.field = field.name;
      change.new_value = field.value;
      sink_.report(change);
    }
  }
  record_changes();
  sink_.clear();
}

void Node::watch_next_expiry() {
  const std::optional<redis::UnixMs> next = redis::next_expiry(database_, wall());
  if (next.value_or(redis::kNoExpiry) == watched_expiry_) return;
  world_.disarm(expiry_watch_);
  expiry_watch_ = {};
  watched_expiry_ = next.value_or(redis::kNoExpiry);
  if (!next || *next - unix_milliseconds(wall()) > kFarAwayMs) return;

  const Event watch{
      .type = EventType::timer, .watch = true, .actor = id(), .span = Span::of_actor(id())};
  // now > when, in whole milliseconds: dead from the next one on (redis/src/db.c keyIsExpired).
  expiry_watch_ = world_.arm(
      {host(), ClockId::wall, from_unix_milliseconds(*next + 1), DeadlineKind::none, id(), watch});
}

void Node::add_deadlines(std::vector<PendingDeadline>& deadlines) const {
  database_.keys.sorted(sorted_keys_);
  for (const redis::Entry* entry : sorted_keys_) {
    if (!entry->has_expiry() || entry->expiry() - unix_milliseconds(wall()) > kFarAwayMs) continue;
    const Instant due = world_.host(host()).wall.when(from_unix_milliseconds(entry->expiry() + 1));
    if (due <= world_.now() || due == Instant::never()) continue;
    const Span creator{entry->creator};
    deadlines.push_back({DeadlineKind::key_expiry, creator.actor(), 0, due,
                         creator == Span{} ? Span::of_actor(id()) : creator});
  }
}

void Node::arm_expiry() {
  watch_next_expiry();
  if (role_ != redis::Role::primary) return;
  const redis::Entry* first = database_.keys.first_deadline();
  const redis::UnixMs expiry = first == nullptr ? redis::kNoExpiry : first->expiry();
  if (expiry == tick_expiry_) return;
  world_.disarm(expiry_tick_);
  expiry_tick_ = {};
  tick_expiry_ = expiry;
  if (first == nullptr || expiry - unix_milliseconds(wall()) > kFarAwayMs) return;
  const redis::UnixMs tick = whole_milliseconds(world_.config().topology.expire_tick);
  arm_tick(from_unix_milliseconds((expiry / tick + 1) * tick));
}

void Node::arm_tick(LocalInstant at) {
  Event tick{.type = EventType::timer, .actor = id()};
  tick.span = Span::of_actor(id());
  expiry_tick_ = world_.arm({host(), ClockId::wall, at, DeadlineKind::none, id(), tick});
}

void Node::on_expiry_seen() {
  expiry_watch_ = {};
  watched_expiry_ = redis::kNoExpiry;
  database_.keys.sorted(sorted_keys_);
  for (const redis::Entry* entry : sorted_keys_) {
    if (!redis::is_expired(*entry, wall())) continue;
    const std::uint32_t key = world_.intern(entry->key()).value;
    const bool seen = std::any_of(
        seen_expired_.begin(), seen_expired_.end(),
        [&](const SeenExpiry& s) { return s.key == key && s.expiry == entry->expiry(); });
    if (seen) continue;
    seen_expired_.push_back({key, entry->expiry()});
    Record record;
    record.actor = id().value;
    record.kind = EventKind::key_lost;
    record.lock = static_cast<std::uint16_t>(key);
    record.epoch = epoch_;
    record.flags = role_ == redis::Role::replica ? event_flags::kReplica : std::uint16_t{0};
    record.hold = Span{entry->creator}.hold().value;
    record.nonce = world_.intern(redis::text_of(*entry, world_.arena())).value;
    record.arg = static_cast<std::int64_t>(entry->creator);
    world_.record(record);
  }
  watch_next_expiry();
}

void Node::on_expiry_tick() {
  expiry_tick_ = {};
  tick_expiry_ = redis::kNoExpiry;
  const std::uint64_t late = world_.choose(ChoiceKind::expire_tick, id(), Label::none, kTicksMax,
                                           witness_of(id().value, 0));
  if (late > 0) {
    arm_tick(wall() + world_.config().topology.expire_tick * static_cast<std::int64_t>(late));
    tick_expiry_ = database_.keys.first_deadline() == nullptr
                       ? redis::kNoExpiry
                       : database_.keys.first_deadline()->expiry();
    return;
  }
  sink_.clear();
  redis::expire_due(database_, context(Span{}), world_.arena(), sink_);
  record_changes();
  enqueue_effects();
  arm_expiry();
}

}  // namespace locklab
