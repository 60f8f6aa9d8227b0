// Chart of the servers: role, ups and downs, and what each replica still misses.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "reports/chart_rows.h"
#include "reports/words.h"

namespace locklab {

// --- States -------------------------------------------------------------------------------------

namespace {

Spot turn_of(const RunView& run, const Record& record) {
  const std::string name = actor_name(*run.history, record.who());
  switch (record.kind) {
    case EventKind::promoted:
      return {record.at(),
              Sign::up,
              kNobody,
              record.arg > 0 ? fmt::format("primary, without {} write{}", record.arg,
                                           record.arg == 1 ? "" : "s")
                             : "primary",
              {},
              name + " becomes the primary"};
    case EventKind::demoted:
      return {record.at(), Sign::down, kNobody, "replica", {}, name + " becomes a replica"};
    case EventKind::killed:
      return {record.at(), Sign::ended,
              kNobody,     std::string(name_of(static_cast<EndKind>(record.arg))),
              {},          name + " ends"};
    case EventKind::restarted:
      return {record.at(), Sign::began,           kNobody, record.arg != 0 ? "empty" : "",
              {},          name + " starts again"};
    default:
      return {record.at(), Sign::note, kNobody, "resync", {}, name + " replaces its data"};
  }
}

ChartRow state_row(const RunView& run, ActorId node) {
  ChartRow row{
      "servers", actor_name(*run.history, node), "Role, and whether it answers", {}, {}, {}, {}};
  Instant since;
  bool replica = begins_as_replica(*run.history, node);
  const auto close = [&](Instant at) {
    if (at <= since) return;
    const char* const role = replica ? "replica" : "primary";
    row.bars.push_back(
        {since,
         at,
         replica ? Fill::replica : Fill::primary,
         kNobody,
         at == end_of(run),
         role,
         {},
         fmt::format("{} is a {} {}", row.name, role, span_text(since, at, at == end_of(run)))});
    since = at;
  };
  for (const Record& record : run.history->records()) {
    if (record.who() != node) continue;
    const bool role = record.kind == EventKind::promoted || record.kind == EventKind::demoted;
    const bool told = role || record.kind == EventKind::killed ||
                      record.kind == EventKind::restarted || record.kind == EventKind::resynced;
    if (!told) continue;
    row.spots.push_back(turn_of(run, record));
    if (!role) continue;
    close(record.at());
    since = record.at();
    replica = record.kind == EventKind::demoted;
  }
  close(end_of(run));
  add_stops(row, run, node);
  return row;
}

}  // namespace

std::vector<ChartRow> node_rows(const RunView& run) {
  std::vector<ChartRow> rows;
  for (const ActorId node : nodes_of(*run.history))
    rows.push_back(state_row(run, node));
  return rows;
}

// --- Replication --------------------------------------------------------------------------------

namespace {

bool is_change(const Record& record) {
  return record.kind == EventKind::key_set || record.kind == EventKind::key_deleted ||
         record.kind == EventKind::key_ttl;
}

/// How far one replica is behind, until it is promoted.
class Lag {
 public:
  Lag(const RunView& run, ActorId node) : node_(node) {
    row_ = {"lag",
            actor_name(*run.history, node),
            "Changes of keys that the primary has made and this replica not",
            {},
            {},
            {},
            {}};
    row_.line.push_back({Instant(), 0});
    for (const Record& record : run.history->records()) {
      if (!promoted_) take(record);
    }
    row_.line.push_back({end_of(run), behind_});
  }
  bool was_behind() const { return row_.line.size() > 2; }
  const ChartRow& row() const { return row_; }

 private:
  void take(const Record& record) {
    const bool mine = record.who() == node_;
    if (is_change(record) && (mine || !record.has(event_flags::kReplica))) {
      step(record.at(), std::max<std::int64_t>(behind_ + (mine ? -1 : 1), 0));
    }
    if (record.kind == EventKind::resynced && mine) step(record.at(), 0);
    if (record.kind == EventKind::promoted) promote(record, mine);
  }

  /// From here on its own changes are the primary's: what it never received is lost.
  void promote(const Record& record, bool mine) {
    if (mine && record.arg > 0) {
      row_.spots.push_back(
          {record.at(), Sign::note, kNobody, fmt::format("{} never received", record.arg), {}, {}});
    }
    step(record.at(), 0);
    promoted_ = mine;
  }

  void step(Instant at, std::int64_t value) {
    if (value == behind_) return;
    row_.line.push_back({at, behind_});
    row_.line.push_back({at, value});
    behind_ = value;
  }

  ActorId node_;
  ChartRow row_;
  std::int64_t behind_ = 0;
  bool promoted_ = false;
};

}  // namespace

std::vector<ChartRow> lag_rows(const RunView& run) {
  std::vector<ChartRow> rows;
  for (const ActorId node : nodes_of(*run.history)) {
    if (!begins_as_replica(*run.history, node)) continue;
    const Lag lag(run, node);
    if (lag.was_behind()) rows.push_back(lag.row());
  }
  return rows;
}

}  // namespace locklab
