// Time scale: true time to pixels; stretched where much happens, cut short where nothing does.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/time.h"

namespace locklab {

/// Piecewise linear and monotonic, in whole numbers alone. Between two instants that matter lie
/// some pixels in any case, and more the longer it takes; beyond `longest` no more are added, and
/// the axis has a break there.
class TimeScale {
 public:
  struct Break {
    Instant begin;
    Instant end;
  };

  /// `instants` in any order, repeated or not; the scale reaches from the first to the last.
  TimeScale(std::vector<Instant> instants, Duration longest, int width);

  /// From 0 to width; what lies outside is drawn at the nearer end.
  int x(Instant at) const;
  const std::vector<Break>& breaks() const { return breaks_; }
  /// Round instants at least `apart` pixels from each other, none within a break.
  std::vector<Instant> ticks(int apart) const;
  int width() const { return width_; }

 private:
  std::size_t segment_of(Instant at) const;

  std::vector<Instant> instants_;
  std::vector<int> positions_;  // Beside instants_.
  std::vector<Break> breaks_;
  int width_;
};

}  // namespace locklab
