// LocalClock: exact readings of a piecewise linear clock, and when it reaches one.
// SPDX-License-Identifier: Apache-2.0
#include "sim/clock.h"

#include <algorithm>

#include "sim/contract.h"

namespace locklab {
namespace {

constexpr std::int64_t kBillion = 1'000'000'000;

/// Local nanoseconds in `elapsed` true ones, rounded down.
Duration advanced(Duration elapsed, std::int64_t rate_ppb) {
  if (rate_ppb == 0) return elapsed;
  return scale(elapsed, kBillion + rate_ppb, kBillion);
}

/// The least true duration in which the clock advances by `local` or more.
Duration needed(Duration local, std::int64_t rate_ppb) {
  if (rate_ppb == 0) return local;
  const std::int64_t rate = kBillion + rate_ppb;
  const Duration down = scale(local, kBillion, rate);
  return advanced(down, rate_ppb) < local ? down + nanoseconds(1) : down;
}

}  // namespace

LocalInstant LocalClock::read(Instant now) const {
  if (!running_) return base_local_;
  return base_local_ + advanced(now - base_true_, rate_ppb_);
}

Instant LocalClock::when(LocalInstant reading) const {
  if (reading <= base_local_) return base_true_;
  if (!running_ || reading == LocalInstant::never()) return Instant::never();
  return base_true_ + needed(reading - base_local_, rate_ppb_);
}

void LocalClock::rebase(Instant now) {
  SIM_ASSERT(now >= base_true_);
  base_local_ = read(now);
  base_true_ = now;
}

void LocalClock::jump(Instant now, Duration by) {
  rebase(now);
  base_local_ = base_local_ + by;
}

void LocalClock::set_rate(Instant now, std::int64_t rate_ppb) {
  SIM_ASSERT(rate_ppb > -kBillion);
  rebase(now);
  rate_ppb_ = rate_ppb;
}

void LocalClock::stop(Instant now) {
  rebase(now);
  running_ = false;
}

void LocalClock::start(Instant now) {
  rebase(now);
  running_ = true;
}

void Host::drift(Instant now, std::int64_t by_ppb) {
  constexpr std::int64_t kSlowestPpb = -990'000'000;  // However many slow it down, it runs.
  drift_ppb += by_ppb;
  const std::int64_t rate_ppb = std::max(base_rate_ppb + drift_ppb, kSlowestPpb);
  wall.set_rate(now, rate_ppb);
  monotonic.set_rate(now, rate_ppb);
}

}  // namespace locklab
