// LocalClock: the only bridge between true time and what a machine's clock reads.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/time.h"

namespace locklab {

/// A piecewise linear clock: at any instant it runs at a rate, or stands still.
class LocalClock {
 public:
  LocalClock() = default;
  LocalClock(Instant start, LocalInstant reading, std::int64_t rate_ppb)
      : base_true_(start), base_local_(reading), rate_ppb_(rate_ppb) {}

  LocalInstant read(Instant now) const;
  /// The first true instant, not before the last change of the clock, at which it reads `reading`
  /// or more; never() while it stands still below it.
  Instant when(LocalInstant reading) const;

  /// Steps the reading by `by`, either way.
  void jump(Instant now, Duration by);
  /// Nanoseconds gained per true second; above -1,000,000,000.
  void set_rate(Instant now, std::int64_t rate_ppb);
  std::int64_t rate_ppb() const { return rate_ppb_; }
  void stop(Instant now);
  void start(Instant now);
  bool running() const { return running_; }

 private:
  void rebase(Instant now);

  Instant base_true_;
  LocalInstant base_local_;
  std::int64_t rate_ppb_ = 0;
  bool running_ = true;
};

enum class ClockId : std::uint8_t { wall, monotonic };

/// A machine's two clocks. A suspend stops the monotonic one only; a freeze stops both.
struct Host {
  LocalClock wall;
  LocalClock monotonic;
  std::int64_t base_rate_ppb = 0;
  std::int64_t drift_ppb = 0;         // Of the rates and slews in force, all together.
  std::uint32_t wall_stops = 0;       // Freezes in force.
  std::uint32_t monotonic_stops = 0;  // Freezes and suspends in force.
  Instant stopped_until;              // By these and by pauses: nothing on it runs before.

  LocalClock& clock(ClockId id) { return id == ClockId::wall ? wall : monotonic; }
  const LocalClock& clock(ClockId id) const { return id == ClockId::wall ? wall : monotonic; }
  /// Makes both clocks gain `by_ppb` more, besides what other faults do to them.
  void drift(Instant now, std::int64_t by_ppb);
};

}  // namespace locklab
