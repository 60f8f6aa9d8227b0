// Beliefs: at each record, what a client claims, whether it is inside, and whether it runs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "reports/run_view.h"

namespace locklab {

struct Belief {
  bool claims = false;   // By its own rule it holds the lock.
  bool inside = false;   // Its program is in the section, whatever it believes.
  bool stopped = false;  // Paused, stalled or dead.
};

class Beliefs {
 public:
  explicit Beliefs(const RunView& run);
  /// Just after the record with this seq.
  Belief of(ActorId process, std::uint32_t seq) const;

 private:
  struct Change {
    std::uint32_t seq = 0;
    Instant until = Instant::never();  // A stall ends by itself.
    bool stops = false;
  };

  const RunView& run_;
  std::vector<std::vector<Change>> changes_;  // By ActorId.
};

/// A stall stops one fiber. The one that a hold has begun for itself, a watchdog, is not the
/// program: that runs on.
bool stalls_program(const History& history, const Record& stalled);

}  // namespace locklab
