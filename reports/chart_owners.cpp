// Chart of the owners: whose nonce each server stores, and until when.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "reports/chart_rows.h"
#include "reports/words.h"

namespace locklab {
namespace {

/// A key on a node, as long as it is there.
struct Stored {
  ActorId node;
  std::uint16_t key = 0;
  std::uint32_t nonce = 0;
  HoldId creator;
  std::int64_t expiry = -1;  // Unix milliseconds, or -1; as of its first instant.
  std::int64_t moved = -1;   // The latest expiry.
  std::uint32_t first = 0;   // seq
  std::uint32_t last = 0;    // seq; 0: still there.
  bool authority = true;
};

class Stores {
 public:
  explicit Stores(const RunView& run) : run_(run) {
    replica_.resize(run.history->actors.size());
    for (const ActorId node : nodes_of(*run.history))
      replica_[node.value] = begins_as_replica(*run.history, node);
    for (const Record& record : run.history->records()) {
      take(record);
    }
  }
  const std::vector<Stored>& all() const { return all_; }

 private:
  void take(const Record& record) {
    switch (record.kind) {
      case EventKind::key_set:
        if (!run_.lanes->is_lock(record.lock)) return;
        return put(record, {record.who(), record.lock, record.nonce,
                            Span{static_cast<std::uint64_t>(record.arg)}.hold(), record.result,
                            record.result});
      case EventKind::key_ttl:
        return move_expiry(record);
      case EventKind::key_deleted:
      case EventKind::key_lost:
        return end(record, record.lock);
      case EventKind::killed:
        return end(record, 0);
      case EventKind::promoted:
      case EventKind::demoted:
        return change_role(record, record.kind == EventKind::demoted);
      case EventKind::resynced:
        return copy_from(record);
      default:
        return;
    }
  }

  void put(const Record& record, Stored stored) {
    end(record, stored.key);
    stored.expiry = stored.moved;
    stored.first = record.seq;
    stored.authority = !replica_[record.actor];
    all_.push_back(stored);
  }

  /// Of one key, or of all.
  void end(const Record& record, std::uint16_t key) {
    for (Stored& stored : all_) {
      const bool ends =
          stored.last == 0 && stored.node == record.who() && (key == 0 || stored.key == key);
      if (ends) stored.last = record.seq;
    }
  }

  /// A script may set a key first and its expiry next, in one instant: then it always had one. One
  /// that comes later begins another bar, as whether there is an expiry is what matters.
  void move_expiry(const Record& record) {
    for (std::size_t i = 0; i < all_.size(); ++i) {
      Stored& stored = all_[i];
      const bool mine =
          stored.last == 0 && stored.node == record.who() && stored.key == record.lock;
      if (!mine) continue;
      stored.moved = record.result;
      const bool at_once = run_.history->at(stored.first).t == record.t;
      if (at_once) stored.expiry = record.result;
      if ((stored.expiry < 0) == (record.result < 0)) return;
      return put(record, Stored(stored));
    }
  }

  void change_role(const Record& record, bool replica) {
    replica_[record.actor] = replica;
    const std::vector<Stored> before = all_;
    for (const Stored& stored : before) {
      if (stored.last == 0 && stored.node == record.who()) put(record, stored);
    }
  }

  /// The data is what the other node had when it sent it, which is this record's cause.
  void copy_from(const Record& record) {
    end(record, 0);
    const ActorId from{static_cast<std::uint16_t>(record.arg)};
    const std::vector<Stored> before = all_;
    for (Stored stored : before) {
      const bool sent = stored.node == from && stored.first <= record.cause &&
                        (stored.last == 0 || stored.last > record.cause);
      if (!sent) continue;
      stored.node = record.who();
      stored.last = 0;
      put(record, stored);
    }
  }

  const RunView& run_;
  std::vector<bool> replica_;  // By ActorId.
  std::vector<Stored> all_;
};

std::string expiry_text(const RunView& run, const Stored& stored) {
  if (stored.expiry < 0) return "without expiry";
  const auto since_epoch = [&run](std::int64_t expiry) {
    return length_of(from_unix_milliseconds(expiry) - kWallEpoch -
                     run.scenario->world.wall_epoch_shift);
  };
  std::string text = fmt::format("until {}", since_epoch(stored.expiry));
  if (stored.moved != stored.expiry)
    text += fmt::format(", at last {},", since_epoch(stored.moved));
  return text + fmt::format(" by {}'s clock", actor_name(*run.history, stored.node));
}

Bar bar_of(const RunView& run, const Stored& stored) {
  const History& history = *run.history;
  const ActorId owner = stored.creator.process();
  const bool open = stored.last == 0;
  Bar bar{history.at(stored.first).at(),
          open ? end_of(run) : history.at(stored.last).at(),
          stored.authority ? Fill::owner : Fill::copy,
          whose(history, owner),
          open,
          {},
          {},
          {}};
  bar.brief = brief_name(history, owner);
  bar.label = holder_name(history, stored.creator);
  if (stored.expiry < 0) bar.label += ", no expiry";
  bar.title = fmt::format("{} stores {} = {} of {} {}, set {}", actor_name(history, stored.node),
                          history.text(std::uint32_t{stored.key}), history.text(stored.nonce),
                          hold_name(history, stored.creator), span_text(bar.begin, bar.end, open),
                          expiry_text(run, stored));
  return bar;
}

/// Expiry moved, expired, or taken away by somebody else.
void add_signs(ChartRow& row, const RunView& run, const Record& record) {
  const ActorId owner = Span{static_cast<std::uint64_t>(record.arg)}.hold().process();
  if (record.kind == EventKind::key_ttl) {
    row.ticks.push_back(record.at());
  } else if (record.kind == EventKind::key_lost) {
    row.spots.push_back({record.at(),
                         Sign::expired,
                         kNobody,
                         {},
                         {},
                         fmt::format("{}'s key expires on {}", actor_name(*run.history, owner),
                                     actor_name(*run.history, record.who()))});
  }
  const bool taken = record.kind == EventKind::key_deleted && record.hold != 0 &&
                     record.hold_id().process() != owner && !record.has(event_flags::kByExpiry) &&
                     !record.has(event_flags::kReplica);
  if (!taken || is_probe(*run.history, owner)) return;
  const std::string by = holder_name(*run.history, record.hold_id());
  row.spots.push_back({record.at(), Sign::bad, kNobody, "by " + by,
                       "by " + brief_name(*run.history, record.hold_id().process()),
                       fmt::format("{} takes away {}'s key", by, actor_name(*run.history, owner))});
}

ChartRow row_of(const RunView& run, const Stores& stores, ActorId node, std::uint16_t key) {
  ChartRow row;
  row.group = "owner";
  row.name = actor_name(*run.history, node);
  row.title = fmt::format("Whose nonce is stored under {}", run.history->text(std::uint32_t{key}));
  for (const Stored& stored : stores.all()) {
    if (stored.node == node && stored.key == key) row.bars.push_back(bar_of(run, stored));
  }
  for (const Record& record : run.history->records()) {
    if (record.who() == node && record.lock == key) add_signs(row, run, record);
  }
  return row;
}

/// The keys that somebody asked for, in order of first mention.
std::vector<std::uint16_t> keys_of(const Lanes& lanes) {
  std::vector<std::uint16_t> keys;
  for (const HoldLane& hold : lanes.holds()) {
    if (std::find(keys.begin(), keys.end(), hold.lock) == keys.end()) keys.push_back(hold.lock);
  }
  return keys;
}

}  // namespace

std::vector<ChartRow> owner_rows(const RunView& run) {
  const Stores stores(run);
  const std::vector<std::uint16_t> keys = keys_of(*run.lanes);
  std::vector<ChartRow> rows;
  for (const std::uint16_t key : keys) {
    for (const ActorId node : nodes_of(*run.history)) {
      rows.push_back(row_of(run, stores, node, key));
      if (keys.size() > 1) {
        rows.back().group += fmt::format(" {}", run.history->text(std::uint32_t{key}));
      }
    }
  }
  return rows;
}

}  // namespace locklab
