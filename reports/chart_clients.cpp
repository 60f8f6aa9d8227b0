// Chart of the clients: where each program is, what it claims, and where two do at once.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "reports/chart_rows.h"
#include "reports/words.h"

namespace locklab {
namespace {

enum class Lane : std::uint8_t { inside, claims };

struct Interval {
  Instant begin;
  Instant end;
  bool open = false;
};

Interval interval_of(const RunView& run, const HoldLane& hold, Lane lane) {
  const Moment& end = lane == Lane::inside ? hold.occupied_end : hold.claimed_end;
  return {hold.acquired.at, end.known() ? end.at : end_of(run), !end.known()};
}

bool is_shown(const HoldLane& hold) {
  return hold.granted && !hold.by_probe;
}

Bar bar_of(const RunView& run, const HoldLane& hold, Lane lane) {
  const Interval interval = interval_of(run, hold, lane);
  const ActorId client = hold.hold.process();
  Bar bar{interval.begin,
          interval.end,
          lane == Lane::inside ? Fill::inside : Fill::claims,
          whose(*run.history, client),
          interval.open,
          {},
          {},
          {}};
  if (hold.fence != 0) {
    bar.label = fmt::format("fence {}", hold.fence);
    bar.brief = fmt::format("f{}", hold.fence);
  } else {
    bar.label = fmt::format("hold {}", hold.hold.number());
    bar.brief = fmt::format("{}", hold.hold.number());
  }
  bar.title = fmt::format("{} {} {} {}{}", hold_name(*run.history, hold.hold),
                          lane == Lane::inside ? "is inside" : "claims",
                          run.history->text(std::uint32_t{hold.lock}),
                          span_text(interval.begin, interval.end, interval.open),
                          hold.fence == 0 ? "" : fmt::format(", fence {}", hold.fence));
  return bar;
}

/// Where another client's interval of the same lock overlaps this one.
void add_clashes(ChartRow& row, const RunView& run, const HoldLane& mine, Lane lane) {
  const Interval a = interval_of(run, mine, lane);
  for (const HoldLane& other : run.lanes->holds()) {
    if (!is_shown(other) || other.lock != mine.lock) continue;
    if (other.hold.process() == mine.hold.process()) continue;
    const Interval b = interval_of(run, other, lane);
    if (!(a.begin < b.end && b.begin < a.end)) continue;
    const Instant begin = std::max(a.begin, b.begin);
    const Instant end = std::min(a.end, b.end);
    const bool open = a.open && b.open;
    row.bars.push_back({begin,
                        end,
                        Fill::clash,
                        kNobody,
                        open,
                        {},
                        {},
                        fmt::format("{} and {} {} at once {}", holder_name(*run.history, mine.hold),
                                    holder_name(*run.history, other.hold),
                                    lane == Lane::inside ? "are inside" : "claim the lock",
                                    span_text(begin, end, open))});
  }
}

bool is_refusal(const Record& record) {
  return record.kind == EventKind::op_return &&
         static_cast<Operation>(record.arg) == Operation::acquire &&
         static_cast<Outcome>(record.result) == Outcome::refused;
}

ChartRow row_of(const RunView& run, ActorId client, Lane lane) {
  ChartRow row;
  row.group = actor_name(*run.history, client);
  row.name = lane == Lane::inside ? "inside" : "claims";
  row.title = lane == Lane::inside ? "Where the program is, whatever it believes"
                                   : "What the client may believe by its own rule";
  for (const HoldLane& hold : run.lanes->holds()) {
    if (is_shown(hold) && hold.hold.process() == client)
      row.bars.push_back(bar_of(run, hold, lane));
  }
  for (const HoldLane& hold : run.lanes->holds()) {
    if (is_shown(hold) && hold.hold.process() == client) add_clashes(row, run, hold, lane);
  }
  add_stops(row, run, client, lane == Lane::inside);
  if (lane == Lane::inside) return row;
  for (const Record& record : run.history->records()) {
    if (record.who() != client) continue;
    if (is_refusal(record)) row.ticks.push_back(record.at());
    if (record.kind == EventKind::told_lost) {
      row.spots.push_back(
          {record.at(), Sign::bad, kNobody, "told: lost", {}, "is told of the loss"});
    }
  }
  return row;
}

bool asked(const RunView& run, ActorId client) {
  const std::span<const Record> records = run.history->records();
  return std::any_of(records.begin(), records.end(), [client](const Record& record) {
    return record.who() == client && record.kind == EventKind::op_begin;
  });
}

}  // namespace

std::vector<ChartRow> client_rows(const RunView& run) {
  std::vector<ChartRow> rows;
  for (std::size_t i = 0; i < run.history->actors.size(); ++i) {
    const ActorId client{static_cast<std::uint16_t>(i)};
    const bool process = run.history->actors[i].kind == ActorKind::process;
    if (!process || is_probe(*run.history, client) || !asked(run, client)) continue;
    rows.push_back(row_of(run, client, Lane::inside));
    rows.push_back(row_of(run, client, Lane::claims));
  }
  return rows;
}

}  // namespace locklab
