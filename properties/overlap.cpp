// Overlap: one sweep over the grants of each lock, in the order of their beginnings.
// SPDX-License-Identifier: Apache-2.0
#include "properties/overlap.h"

#include <algorithm>

#include "properties/describe.h"

namespace locklab {
namespace {

bool overlap(const HoldLane& a, const HoldLane& b, Moment HoldLane::*end) {
  return a.acquired.at < (b.*end).at && b.acquired.at < (a.*end).at;
}

/// Whose interval ends last; nullptr is shorter than any.
const HoldLane* longer(const HoldLane* a, const HoldLane* b, Moment HoldLane::*end) {
  if (a == nullptr) return b;
  return b != nullptr && (a->*end).at < (b->*end).at ? b : a;
}

/// The longest of the holds so far. Those that begin at one instant are kept apart: an empty
/// interval overlaps one that begins before it, but not one that begins with it.
struct Sweep {
  const HoldLane* last = nullptr;
  const HoldLane* before = nullptr;
  const HoldLane* tied = nullptr;

  /// → a hold that overlaps the next one, or nullptr.
  const HoldLane* step(const HoldLane& next, Moment HoldLane::*end) {
    if (last != nullptr && last->acquired.at < next.acquired.at) {
      before = longer(before, tied, end);
      tied = nullptr;
    }
    const HoldLane* met = nullptr;
    if (before != nullptr && overlap(*before, next, end)) met = before;
    if (met == nullptr && tied != nullptr && overlap(*tied, next, end)) met = tied;
    tied = longer(tied, &next, end);
    last = &next;
    return met;
  }
};

Finding describe(const History& history, const Lanes& lanes, const HoldLane& first,
                 const HoldLane& second, Moment HoldLane::*end, std::string_view state) {
  const Moment& close = (second.*end).at < (first.*end).at ? second.*end : first.*end;
  const Instant until = std::min(close.at, lanes.end());
  const NamePair names = names_of(history, first, second);
  Finding finding;
  finding.verdict = Verdict::violated;
  finding.why = names.first + " and " + names.second + " " + std::string(state) + " " +
                lock_of(history, first) + " for " + to_string(until - second.acquired.at) +
                ", from " + to_string(second.acquired.at);
  finding.witness = witness_of_seqs({first.acquired.seq, second.acquired.seq, close.seq});
  return finding;
}

/// Two processes in turn, or two call chains of one: the later asked before the earlier was out.
bool are_rivals(const HoldLane& last, const HoldLane& hold, Moment HoldLane::*end) {
  return last.hold.process() != hold.hold.process() || hold.requested.precedes(last.*end);
}

}  // namespace

Finding judge_overlap(const History& history, const Lanes& lanes, Moment HoldLane::*end,
                      std::string_view state) {
  const HoldLane* first = nullptr;
  const HoldLane* second = nullptr;
  std::uint32_t exercised = 0;
  Sweep sweep;
  for (const std::uint32_t index : lanes.by_acquired()) {
    const HoldLane& hold = lanes.holds()[index];
    if (sweep.last != nullptr && sweep.last->lock != hold.lock) sweep = {};
    // The probe comes when everybody has left: it contends with nobody.
    const bool contends = !hold.by_probe && sweep.last != nullptr;
    if (contends && are_rivals(*sweep.last, hold, end)) ++exercised;
    const HoldLane* const met = sweep.step(hold, end);
    if (met == nullptr) continue;
    if (second == nullptr || hold.acquired.precedes(second->acquired)) {
      first = met;
      second = &hold;
    }
  }
  Finding finding;
  if (second != nullptr) finding = describe(history, lanes, *first, *second, end, state);
  finding.exercised = exercised;
  return finding;
}

}  // namespace locklab
