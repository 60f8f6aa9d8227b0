// Alternatives: from a bound and what a point offers to a list of values.
// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/alternatives.h"

#include <algorithm>

namespace locklab {
namespace {

/// Appends one kind at one victim with one second size, at every length.
void append_lengths(FaultValue value, std::span<const PendingDeadline> deadlines,
                    std::vector<std::uint64_t>& out) {
  if (!reads_length(value.kind, value.second)) {
    out.push_back(value.pack());
    return;
  }
  for (unsigned c = 0; c < Bucket::constant_count; ++c) {
    value.length = Bucket::constant(static_cast<Bucket::Constant>(c));
    out.push_back(value.pack());
  }
  for (const PendingDeadline& deadline : deadlines) {
    if (deadline.ordinal >= kNamedDeadlines) continue;
    for (const Bucket::Side side : {Bucket::Side::before, Bucket::Side::after}) {
      value.length = Bucket::at(deadline.kind, deadline.owner, deadline.ordinal, side);
      out.push_back(value.pack());
    }
  }
}

}  // namespace

bool reads_length(FaultKind kind, unsigned second) {
  switch (kind) {
    case FaultKind::lost_reply:
    case FaultKind::reset:
    case FaultKind::cancel:
    case FaultKind::panic:
    case FaultKind::failover:
    case FaultKind::evict:
    case FaultKind::flush:
    case FaultKind::slew:  // It lasts until its offset is gone.
      return false;
    case FaultKind::kill:
      return second != 0;  // 0: for good.
    case FaultKind::host_loss:
      return second == 0;  // 1: for good.
    case FaultKind::node_kill:
      return second % 2 == 0;  // Odd: for good.
    default:
      return true;
  }
}

void append_order_values(const Bound& limits, std::uint64_t bound,
                         std::vector<std::uint64_t>& out) {
  if (bound <= 1) return;
  const std::uint64_t greatest = bound - 1;
  const std::uint64_t count = std::min<std::uint64_t>(limits.steps, greatest);
  for (std::uint64_t i = 1; i <= count; ++i)
    out.push_back((greatest * i + count - 1) / count);
}

void append_fault_values(const Bound& limits, const FaultMenu& menu,
                         std::vector<std::uint64_t>& out) {
  const FaultKinds allowed = menu.allowed();
  const std::span<const PendingDeadline> deadlines = menu.deadlines();
  for (unsigned k = 1; k < static_cast<unsigned>(FaultKind::count); ++k) {
    const auto kind = static_cast<FaultKind>(k);
    if (!allowed.has(kind)) continue;
    // Number 0 is the natural victim, which is also one of the others if there are any.
    const unsigned targets = menu.target_count(kind);
    const bool all = limits.every_target && targets > 1;
    for (unsigned target = all ? 1 : 0; target < (all ? targets : 1); ++target) {
      for (unsigned second = 0; second < menu.second_count(kind); ++second) {
        FaultValue value;
        value.kind = kind;
        value.target = static_cast<std::uint8_t>(target);
        value.second = static_cast<std::uint16_t>(second);
        append_lengths(value, deadlines, out);
      }
    }
  }
}

}  // namespace locklab
