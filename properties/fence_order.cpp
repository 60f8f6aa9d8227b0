// fence-order: the fences of one lock are unique (FU) and grow in grant order (FM).
// SPDX-License-Identifier: Apache-2.0
//
// A counter that is separate from the lock promises only the first half: whoever fetches late gets
// the greater number, whoever was granted first. That is violated here all the same, since the
// property says what a fence is for; scenarios of such locks list it under `expect` (K6).
#include <algorithm>

#include "properties/describe.h"
#include "properties/property.h"

namespace locklab {
namespace {

/// Two grants of one lock, and the record at which both had their fences.
struct Pair {
  const HoldLane* first = nullptr;
  const HoldLane* second = nullptr;

  std::uint32_t complete() const {
    if (first == nullptr) return UINT32_MAX;
    return first->acquired.precedes(second->acquired) ? second->acquired.seq : first->acquired.seq;
  }
};

bool is_fenced(const HoldLane& hold) {
  return hold.fence != 0;
}

/// The pair of equal fences that was complete first. Only called when the order is broken.
Pair find_duplicate(const Lanes& lanes) {
  std::vector<const HoldLane*> fenced;
  for (const std::uint32_t index : lanes.by_acquired()) {
    if (is_fenced(lanes.holds()[index])) fenced.push_back(&lanes.holds()[index]);
  }
  std::sort(fenced.begin(), fenced.end(), [](const HoldLane* a, const HoldLane* b) {
    if (a->lock_index != b->lock_index) return a->lock_index < b->lock_index;
    if (a->fence != b->fence) return a->fence < b->fence;
    return a->acquired.seq < b->acquired.seq;
  });
  Pair found;
  for (std::size_t i = 1; i < fenced.size(); ++i) {
    const Pair pair{fenced[i - 1], fenced[i]};
    const bool equal =
        pair.first->lock == pair.second->lock && pair.first->fence == pair.second->fence;
    if (equal && pair.complete() < found.complete()) found = pair;
  }
  return found;
}

Finding describe(const History& history, const Pair& pair) {
  const NamePair names = names_of(history, *pair.first, *pair.second);
  const std::string lock = lock_of(history, *pair.first);
  Finding finding;
  finding.verdict = Verdict::violated;
  if (pair.first->fence == pair.second->fence) {
    finding.why = names.first + " and " + names.second + " were both given fence " +
                  std::to_string(pair.first->fence) + " for " + lock + ", at " +
                  to_string(pair.first->acquired.at) + " and " +
                  to_string(pair.second->acquired.at);
  } else {
    finding.why = names.second + " was granted " + lock + " at " +
                  to_string(pair.second->grant().at) + ", after " + names.first + " at " +
                  to_string(pair.first->grant().at) +
                  ", but has the lower fence: " + std::to_string(pair.second->fence) + " after " +
                  std::to_string(pair.first->fence);
  }
  finding.witness = witness_of_seqs({pair.first->grant().seq, pair.second->grant().seq,
                                     pair.first->acquired.seq, pair.second->acquired.seq});
  return finding;
}

Finding check(const History& history, const Lanes& lanes) {
  const HoldLane* highest = nullptr;
  std::uint32_t exercised = 0;
  Pair broken;
  for (const std::uint32_t index : lanes.by_grant()) {
    const HoldLane& hold = lanes.holds()[index];
    if (!is_fenced(hold)) continue;
    if (highest != nullptr && highest->lock != hold.lock) highest = nullptr;
    if (highest != nullptr) {
      ++exercised;
      const Pair pair{highest, &hold};
      if (hold.fence <= highest->fence && pair.complete() < broken.complete()) broken = pair;
    }
    if (highest == nullptr || hold.fence > highest->fence) highest = &hold;
  }
  Finding finding;
  if (broken.first != nullptr) {
    const Pair duplicate = find_duplicate(lanes);
    finding = describe(history, duplicate.first != nullptr ? duplicate : broken);
  }
  finding.exercised = exercised;
  return finding;
}

}  // namespace

Property fence_order() {
  return {"fence-order",
          "The fences given to the holders of one lock are unique, and a later grant has a greater "
          "one.",
          Severity::cause, check};
}

}  // namespace locklab
