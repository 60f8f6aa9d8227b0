// Node: what it writes to its append-only file, and what it finds there when it starts again.
// SPDX-License-Identifier: Apache-2.0
#include "sim/redis/node.h"

namespace locklab {

std::int64_t Node::wall_second() const {
  return unix_milliseconds(wall()) / 1000;
}

/// Before any reply of this pass leaves (redis/src/server.c beforeSleep).
void Node::write_outbox() {
  if (!file_.is_kept()) return;
  for (Outgoing& outgoing : outbox_) {
    if (outgoing.written || outgoing.effect_count == 0) continue;
    outgoing.written = true;
    file_.write({outgoing.effects, outgoing.effect_count}, outgoing.work.span.bits, wall_second());
  }
  arm_sync();
}

void Node::arm_sync() {
  const std::optional<std::int64_t> second = file_.next_sync();
  if (!second || sync_) return;
  Event event{.type = EventType::timer, .actor = id()};
  event.span = Span::of_actor(id());
  event.b = static_cast<std::uint64_t>(Tick::sync);
  // By the wall clock: while it stands back after a jump, everysec syncs nothing.
  sync_ = world_.arm({host(), ClockId::wall, from_unix_milliseconds(*second * 1000),
                      DeadlineKind::none, id(), event});
}

void Node::on_sync() {
  sync_ = {};
  if (file_.next_sync()) file_.sync(wall_second());
}

void Node::lose_unsynced(EndKind kind) {
  // What had been executed but not written was never answered.
  file_lost_ = !file_.is_kept();
  for (const Outgoing& outgoing : outbox_)
    file_lost_ = file_lost_ || (outgoing.effect_count > 0 && !outgoing.written);
  world_.disarm(sync_);
  sync_ = {};
  const std::size_t unsynced = file_.unsynced();
  if (kind != EndKind::host_loss || unsynced == 0) return;
  const std::uint64_t lost = world_.choose(ChoiceKind::fsync_loss, id(), Label::none, unsynced + 1,
                                           witness_of(id().value, unsynced));
  file_.lose(lost);
  file_lost_ = file_lost_ || lost > 0;
}

void Node::load_file() {
  if (!file_.is_kept()) return;
  file_.reopen(wall_second());
  file_.load(database_, scripts_, world_.arena());
  if (file_lost_) record_all_keys();
  on_expiry_seen();  // What has expired meanwhile.
  arm_expiry();
}

}  // namespace locklab
