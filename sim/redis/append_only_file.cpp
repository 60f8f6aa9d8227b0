// AppendOnlyFile: writing, syncing, losing and loading.
// SPDX-License-Identifier: Apache-2.0
#include "sim/redis/append_only_file.h"

#include "sim/contract.h"

namespace locklab::redis {

void AppendOnlyFile::begin(Persistence policy, std::int64_t second) {
  policy_ = policy;
  base_ = {};
  groups_.clear();
  synced_ = 0;
  reopen(second);
}

void AppendOnlyFile::reopen(std::int64_t second) {
  // It takes what it finds for synced (redis/src/aof.c loadAppendOnlyFiles sets aof_fsync_offset),
  // though nothing has been since: the next sync takes it along.
  last_sync_ = second;
  dirty_ = false;
}

void AppendOnlyFile::write(std::span<const Command> effects, std::uint64_t origin,
                           std::int64_t second) {
  if (!is_kept()) return;
  groups_.push_back({effects, origin});
  dirty_ = true;
  // redis/src/aof.c flushAppendOnlyFile: unixtime > aof_last_fsync.
  if (policy_ == Persistence::always || second > last_sync_) sync(second);
}

void AppendOnlyFile::rewrite(std::span<const KeyImage> base) {
  if (!is_kept()) return;
  base_ = base;
  groups_.clear();
  synced_ = 0;
  dirty_ = false;
}

std::optional<std::int64_t> AppendOnlyFile::next_sync() const {
  if (!dirty_) return std::nullopt;
  return last_sync_ + 1;
}

void AppendOnlyFile::sync(std::int64_t second) {
  synced_ = groups_.size();
  last_sync_ = second;
  dirty_ = false;
}

void AppendOnlyFile::lose(std::size_t groups) {
  SIM_ASSERT(groups <= unsynced());
  groups_.resize(groups_.size() - groups);
  synced_ = groups_.size();
}

void AppendOnlyFile::load(Database& database, ScriptEngine& scripts, Arena& arena) const {
  redis::load(database.keys, base_);
  EffectSink ignored;
  Context context;
  for (const Group& group : groups_) {
    context.origin = group.origin;
    for (const Command& effect : group.effects) {
      apply(database, scripts, context, effect, arena, ignored);
      ignored.clear();
    }
  }
}

}  // namespace locklab::redis
