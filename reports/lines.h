// Lines: an execution as the steps worth telling, the same for stories and timelines.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "reports/run_view.h"

namespace locklab {

/// How much a line matters. What is below `step` is folded away unless everything is asked for.
enum class Weight : std::uint8_t {
  noise,   // Says nothing that its neighbours do not say: leaves no trace, not even a fold.
  detail,  // Harmless: folded.
  step,
  decisive,  // Somebody is denied something, or told what is not so: folded after all steps.
  turn       // A fault, or where a violation shows: never folded.
};

struct Line {
  std::uint32_t first = 0;  // The records that it stands for, by seq.
  std::uint32_t last = 0;
  Instant at;
  ActorId actor;  // Whose column it belongs to.
  ActorId peer;   // Who sent what the actor now decides on; the world: nobody.
  HoldId hold;
  std::string text;       // A sentence.
  std::string cell;       // A few words for the actor's column,
  std::string peer_cell;  // and for the peer's.
  Weight weight = Weight::noise;
  std::uint32_t worth = 0;  // Among steps, the least is folded first when there are too many.
  bool fault = false;
  bool bad = false;                // Rejected, unknown, lost: worth a colour.
  std::vector<std::string> marks;  // "two inside from here"
  std::uint32_t folded = 0;        // > 0: a fold that stands for so many records.
};

/// "◀ two inside from here; two claim it from here".
std::string joined_marks(const Line& line);

struct LineOptions {
  std::size_t most = 40;    // Lines, folds included; turns are kept even beyond it.
  bool everything = false;  // No folding at all: one line for each record.
};

/// In order of the records. Between two lines that are neighbours here and not in the history
/// stands a fold, unless only noise lies between.
std::vector<Line> lines_of(const RunView& run, const LineOptions& options);

}  // namespace locklab
