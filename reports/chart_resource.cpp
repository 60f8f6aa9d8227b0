// Chart of the resource: what it accepted, from whom, and what it refused.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "reports/chart_rows.h"
#include "reports/record_lines.h"
#include "reports/words.h"

namespace locklab {
namespace {

Sign sign_of(const Record& record, ResourceOp op) {
  if (record.has(event_flags::kRejected)) return Sign::refused;
  if (op == ResourceOp::read) return Sign::read;
  return record.has(event_flags::kWouldReject) ? Sign::stale : Sign::append;
}

Spot spot_of(const RunView& run, const RecordLines& lines, const Record& record, ResourceOp op) {
  const ActorId client = record.hold_id().process();
  Spot spot{record.at(), sign_of(record, op), whose(*run.history, client), {}, {}, {}};
  const std::string who = actor_name(*run.history, client);
  if (spot.sign == Sign::refused) {
    spot.label = "refused " + who;
    spot.brief = "refused";
  } else if (op == ResourceOp::append) {
    spot.label = fmt::format("v{} {}", record.result + 1, who);
    spot.brief = fmt::format("v{}", record.result + 1);
  } else {
    spot.label = who;
    spot.brief = brief_name(*run.history, client);
  }
  spot.title = fmt::format("{} ms: {}", milliseconds_of(record.at()), lines.at(record.seq).text);
  return spot;
}

}  // namespace

std::vector<ChartRow> resource_rows(const RunView& run) {
  const RecordLines lines(run);
  const std::uint32_t objects = run.scenario->world.objects;
  std::vector<ChartRow> rows;
  for (std::uint32_t object = 0; object < objects; ++object) {
    const std::string number = objects == 1 ? "" : fmt::format(" {}", object);
    for (const ResourceOp op : {ResourceOp::read, ResourceOp::append}) {
      ChartRow row;
      row.group = "resource";
      row.name = (op == ResourceOp::read ? "reads" : "appends") + number;
      row.title = "What the resource decided, whoever was inside";
      for (const Record& record : run.history->records()) {
        const bool mine = record.kind == EventKind::resource_op &&
                          static_cast<ResourceOp>(record.arg & 0xff) == op &&
                          (record.arg >> 8 & 0xff) == object;
        const bool probe = mine && is_probe(*run.history, record.hold_id().process());
        if (mine && !probe) row.spots.push_back(spot_of(run, lines, record, op));
      }
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

}  // namespace locklab
