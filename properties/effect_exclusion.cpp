// effect-exclusion: what the resource accepts for each hold stands together (ME-E).
// SPDX-License-Identifier: Apache-2.0
//
// Stricter than serializable-effects: reads count, and an order in which the torn hold could have
// come first or last is no excuse. It is what fenced reads and writes give under any lock
// (docs/properties.md), and exposure rather than harm: read-only overlap breaks it and harms nobody
// (docs/decisions/0005).
#include "properties/describe.h"
#include "properties/property.h"

namespace locklab {
namespace {

/// The operation at this position is its hold's, which had one before, and another's in between.
Finding describe(const History& history, const Lanes& lanes, std::uint32_t position) {
  const Effect& resumed = lanes.effects()[position];
  const HoldLane& hold = lanes.holds()[resumed.lane];
  const Effect* before = &resumed;  // A stand-in until they are found.
  const Effect* between = &resumed;
  for (const Effect& effect : lanes.effects().first(position)) {
    if (effect.lane == resumed.lane) {
      before = &effect;
      between = &resumed;
    } else if (between == &resumed && lanes.holds()[effect.lane].lock == hold.lock) {
      between = &effect;
    }
  }
  const NamePair names = names_of(history, hold, lanes.holds()[between->lane]);
  const auto time_of = [&history](const Effect& effect) {
    return to_string(history.at(effect.seq).at());
  };
  Finding finding;
  finding.verdict = Verdict::violated;
  finding.why = names.second + "'s operation at " + time_of(*between) +
                " was accepted between those of " + names.first + " at " + time_of(*before) +
                " and " + time_of(resumed) + ", both under " + lock_of(history, hold);
  finding.witness = witness_of_seqs({before->seq, between->seq, resumed.seq});
  return finding;
}

Finding check(const History& history, const Lanes& lanes) {
  Finding finding;
  std::uint32_t torn = 0;  // Position of the first operation that resumes, + 1.
  std::uint32_t exercised = 0;
  const std::span<std::uint32_t> latest = lanes.scratch<std::uint32_t>(lanes.lock_count());
  for (std::uint32_t i = 0; i < lanes.effects().size(); ++i) {
    const std::uint32_t index = lanes.effects()[i].lane;
    const HoldLane& hold = lanes.holds()[index];
    std::uint32_t& last = latest[hold.lock_index];  // Whose turn it is, + 1.
    if (last == index + 1) continue;
    if (last != 0) ++exercised;
    last = index + 1;
    if (torn == 0 && hold.first_effect < i) torn = i + 1;
  }
  if (torn != 0) finding = describe(history, lanes, torn - 1);
  finding.exercised = exercised;
  return finding;
}

}  // namespace

Property effect_exclusion() {
  return {"effect-exclusion",
          "The operations that the resource accepts for each hold, reads too, form one block: none "
          "of another hold of the same lock stands between them.",
          Severity::exposure, check};
}

}  // namespace locklab
