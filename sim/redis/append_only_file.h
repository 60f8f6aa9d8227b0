// AppendOnlyFile: what a node finds when it starts again, in the page cache and on disk.
// SPDX-License-Identifier: Apache-2.0
//
// What has been written outlives the process, what has been synced also the operating system
// (redis/src/aof.c flushAppendOnlyFile). A base, which a full resynchronisation leaves, counts as
// synced at once.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/redis/engine.h"
#include "sim/redis/image.h"
#include "sim/world_config.h"

namespace locklab::redis {

class AppendOnlyFile {
 public:
  /// An empty file. Seconds are those of the node's wall clock.
  void begin(Persistence policy, std::int64_t second);
  /// The process has started again.
  void reopen(std::int64_t second);
  [[nodiscard]] bool is_kept() const { return policy_ != Persistence::none; }

  /// The effects of one command, which stand between MULTI and EXEC: a cut-off tail loses all of
  /// them. They live longer than the file.
  void write(std::span<const Command> effects, std::uint64_t origin, std::int64_t second);
  void rewrite(std::span<const KeyImage> base);

  /// The second in which everysec will sync next; nullopt: nothing to sync.
  [[nodiscard]] std::optional<std::int64_t> next_sync() const;
  void sync(std::int64_t second);

  [[nodiscard]] std::size_t unsynced() const { return groups_.size() - synced_; }
  /// The operating system has died: the last groups, none of them synced, are gone.
  void lose(std::size_t groups);
  /// Expired keys too: nothing expires while a file is loaded.
  void load(Database& database, ScriptEngine& scripts, Arena& arena) const;

 private:
  struct Group {
    std::span<const Command> effects;
    std::uint64_t origin;
  };

  Persistence policy_ = Persistence::none;
  std::span<const KeyImage> base_;
  std::vector<Group> groups_;
  std::size_t synced_ = 0;
  std::int64_t last_sync_ = 0;
  bool dirty_ = false;  // Written to by this process since the last sync.
};

}  // namespace locklab::redis
