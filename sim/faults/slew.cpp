// slew: a host's clocks drift until an offset is gone, as a time daemon makes them.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>

#include "sim/faults/fault.h"

namespace locklab {
namespace {

// Far faster than a daemon's 500 ppm, so that a TTL's worth of offset fits into a run.
constexpr std::int64_t kSlewPpb = 100'000'000;

constexpr std::uint16_t kOffsets = 2 * Bucket::constant_count;  // Forward and back.

void read_second(Strike& strike, std::uint16_t second, const TimingConstants& timing) {
  second = std::min<std::uint16_t>(second, kOffsets - 1);
  const Duration offset = timing_constant(timing, second / 2);
  strike.size = second % 2 == 0 ? offset : -offset;
  strike.ppb = second % 2 == 0 ? kSlewPpb : -kSlewPpb;
}

void begin(Stage& stage, ActiveFault& fault) {
  Strike& s = fault.strike;
  const std::int64_t speed = s.ppb == 0 ? kSlewPpb : std::abs(s.ppb);
  s.ppb = s.size < Duration() ? -speed : speed;  // Towards the offset, whatever its sign says.
  const HostId id = stage.world->actor(s.target).host();
  // The drift ends when it has made up the offset.
  s.length = scale(s.size, 1'000'000'000, s.ppb);
  stage.world->host(id).drift(stage.world->now(), s.ppb);
  stage.world->clock_changed(id);
}

void end(Stage& stage, ActiveFault& fault) {
  const HostId id = stage.world->actor(fault.strike.target).host();
  stage.world->host(id).drift(stage.world->now(), -fault.strike.ppb);
  stage.world->clock_changed(id);
}

}  // namespace

FaultSpec slew() {
  return {FaultKind::slew, TargetSort::host, {kOffsets, read_second}, true, begin, end};
}

}  // namespace locklab
