// Shape: one mix for each record that matters.
// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/shape.h"

#include "sim/mix.h"

namespace locklab {
namespace {

bool matters(EventKind kind) {
  switch (kind) {
    case EventKind::op_return:
    case EventKind::section_enter:
    case EventKind::section_leave:
    case EventKind::claim_end:
    case EventKind::told_lost:
    case EventKind::timed_out:
    case EventKind::broken:
    case EventKind::key_set:
    case EventKind::key_deleted:
    case EventKind::key_lost:
    case EventKind::promoted:
    case EventKind::resource_op:
    case EventKind::fault_begin:
    case EventKind::restarted:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::uint64_t shape_of(const History& history) {
  std::uint64_t shape = 0;
  for (const Record& record : history.records()) {
    if (!matters(record.kind)) continue;
    shape = mix(shape, static_cast<std::uint64_t>(record.kind) << 32 | record.who().value);
    if (record.kind == EventKind::op_return) {
      shape = mix(shape, static_cast<std::uint64_t>(record.result));
    }
  }
  return shape;
}

}  // namespace locklab
