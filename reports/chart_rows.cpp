// Chart rows: faults, the probe, and what all rows share.
// SPDX-License-Identifier: Apache-2.0
#include "reports/chart_rows.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "reports/beliefs.h"
#include "reports/record_lines.h"
#include "reports/words.h"

namespace locklab {
namespace {

constexpr std::size_t kMostFaultRows = 8;
constexpr std::size_t kNone = SIZE_MAX;
constexpr std::string_view kClient = "client-";

/// The end of a fault that lasts; nullopt: it strikes and is gone.
std::optional<Instant> end_of_fault(const RunView& run, const Record& begin) {
  const FaultKind kind = FaultValue::unpack(static_cast<std::uint64_t>(begin.arg)).kind;
  const std::span<const Record> records = run.history->records();
  for (const Record& record : records.subspan(begin.seq)) {
    const bool ends = record.kind == EventKind::fault_end && record.actor == begin.actor &&
                      static_cast<FaultKind>(record.arg) == kind;
    if (ends) return record.at();
  }
  switch (kind) {
    case FaultKind::pause:
    case FaultKind::node_pause:
    case FaultKind::stall:
      return std::min(begin.at() + duration_from_bits(begin.result), end_of(run));
    case FaultKind::slow:
    case FaultKind::lag:
    case FaultKind::cut:
    case FaultKind::slew:
    case FaultKind::rate:
    case FaultKind::suspend:
    case FaultKind::freeze:
      return end_of(run);
    default:
      return std::nullopt;
  }
}

void add_fault(ChartRow& row, const RunView& run, const RecordLines& lines, const Record& begin) {
  const Line line = lines.at(begin.seq);
  const FaultKind kind = FaultValue::unpack(static_cast<std::uint64_t>(begin.arg)).kind;
  const std::string brief =
      fmt::format("{} {}", name_of(kind), brief_name(*run.history, begin.who()));
  const std::string title = fmt::format("{} ms: {}", milliseconds_of(begin.at()), line.text);
  const std::optional<Instant> end = end_of_fault(run, begin);
  if (!end) {
    row.spots.push_back({begin.at(), Sign::strike, kNobody, line.text, brief, title});
    return;
  }
  row.bars.push_back(
      {begin.at(), *end, Fill::fault, kNobody, *end == end_of(run), line.text, brief, title});
}

}  // namespace

std::vector<ChartRow> fault_rows(const RunView& run) {
  const RecordLines lines(run);
  std::vector<ChartRow> rows;
  for (const Record& record : run.history->records()) {
    if (record.kind != EventKind::fault_begin) continue;
    if (rows.size() < kMostFaultRows) {
      rows.push_back({"faults", {}, "What disturbed the world, and how long", {}, {}, {}, {}});
    }
    add_fault(rows.back(), run, lines, record);
  }
  return rows;
}

std::vector<ChartRow> probe_rows(const RunView& run) {
  ChartRow row{"probe", {}, "Faults have stopped: does anybody still get the lock?", {}, {},
               {},      {}};
  for (const std::uint32_t seq : run.lanes->ending()) {
    const Record& record = run.history->at(seq);
    if (record.kind == EventKind::probe_begin) {
      row.bars.push_back({record.at(),
                          end_of(run),
                          Fill::probe,
                          kNobody,
                          false,
                          "faults stop",
                          {},
                          RecordLines(run).at(seq).text});
    } else if (record.kind == EventKind::probe_acquired) {
      row.spots.push_back(
          {record.at(), Sign::good, kNobody, "gets it", {}, "the lock was acquired"});
    } else if (record.kind == EventKind::probe_blocked) {
      const std::string_view fact = name_of(static_cast<BlockingFact>(record.arg));
      row.spots.push_back({record.at(), Sign::bad, kNobody, fmt::format("blocked: {}", fact),
                           "blocked", RecordLines(run).at(seq).text});
    }
  }
  if (row.bars.empty()) return {};
  return {std::move(row)};
}

// --- What they share ----------------------------------------------------------------------------

std::vector<Stop> stops_of(const RunView& run, ActorId actor) {
  std::vector<Stop> stops;
  std::size_t open = kNone;  // A pause or a death that has not ended.
  for (const Record& record : run.history->records()) {
    if (record.who() != actor) continue;
    const bool dies = record.kind == EventKind::killed;
    if (dies || record.kind == EventKind::paused) {
      if (open != kNone && stops[open].dead) continue;
      if (open != kNone) stops[open].end = record.at();
      open = stops.size();
      stops.push_back({record.at(), end_of(run), dies, false});
    } else if (record.kind == EventKind::stalled && stalls_program(*run.history, record)) {
      const Instant end = record.at() + duration_from_bits(record.result);
      stops.push_back({record.at(), std::min(end, end_of(run)), false, true});
    } else if (record.kind == EventKind::resumed || record.kind == EventKind::restarted) {
      if (open != kNone) stops[open].end = record.at();
      open = kNone;
    }
  }
  return stops;
}

void add_stops(ChartRow& row, const RunView& run, ActorId actor, bool stalls) {
  const std::string name = actor_name(*run.history, actor);
  for (const Stop& stop : stops_of(run, actor)) {
    if (stop.stalled && !stalls) continue;
    const char* const what = stop.dead      ? "is dead"
                             : stop.stalled ? "runs on but for its program, which stalls"
                                            : "does not run";
    const bool open = stop.end == end_of(run);
    row.bars.push_back(
        {stop.begin,
         stop.end,
         stop.dead ? Fill::dead : Fill::stopped,
         kNobody,
         open,
         {},
         {},
         fmt::format("{} {} {}", name, what, span_text(stop.begin, stop.end, open))});
  }
}

bool is_probe(const History& history, ActorId actor) {
  return actor_name(history, actor) == "probe";
}

std::uint16_t whose(const History& history, ActorId process) {
  if (process == kWorldActor || process.value >= history.actors.size()) return kNobody;
  if (is_probe(history, process)) return kNobody;
  return static_cast<std::uint16_t>(
      std::count_if(history.actors.begin(), history.actors.begin() + process.value,
                    [](const ActorInfo& actor) { return actor.kind == ActorKind::process; }));
}

std::string brief_name(const History& history, ActorId actor) {
  const std::string name = actor_name(history, actor);
  return name.starts_with(kClient) ? "c" + name.substr(kClient.size()) : name;
}

std::vector<ActorId> nodes_of(const History& history) {
  std::vector<ActorId> nodes;
  for (std::size_t i = 0; i < history.actors.size(); ++i) {
    if (history.actors[i].kind != ActorKind::node) continue;
    nodes.push_back(ActorId{static_cast<std::uint16_t>(i)});
  }
  return nodes;
}

bool begins_as_replica(const History& history, ActorId node) {
  return history.actors[node.value].name.starts_with("replica-");
}

Instant end_of(const RunView& run) {
  return run.lanes->end();
}

std::string span_text(Instant begin, Instant end, bool open) {
  if (open) return fmt::format("from {} ms on", milliseconds_of(begin));
  return fmt::format("from {} to {} ms", milliseconds_of(begin), milliseconds_of(end));
}

}  // namespace locklab
