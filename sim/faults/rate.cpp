// rate: a host's clocks run fast or slow for a while.
// SPDX-License-Identifier: Apache-2.0
#include "sim/faults/fault.h"

namespace locklab {
namespace {

// From a bad quartz to a virtual machine that lost its time source; fast and slow alternate.
constexpr std::int64_t kRatesPpb[] = {1'000'000'000, -500'000'000, 3'000'000'000, -750'000'000,
                                      100'000'000,   -100'000'000, 10'000'000,    -10'000'000};

void read_second(Strike& strike, std::uint16_t second, const TimingConstants&) {
  constexpr std::size_t kCount = std::size(kRatesPpb);
  strike.ppb = kRatesPpb[second < kCount ? second : kCount - 1];
}

void begin(Stage& stage, ActiveFault& fault) {
  const HostId id = stage.world->actor(fault.strike.target).host();
  stage.world->host(id).drift(stage.world->now(), fault.strike.ppb);
  stage.world->clock_changed(id);
}

void end(Stage& stage, ActiveFault& fault) {
  const HostId id = stage.world->actor(fault.strike.target).host();
  stage.world->host(id).drift(stage.world->now(), -fault.strike.ppb);
  stage.world->clock_changed(id);
}

}  // namespace

FaultSpec rate() {
  return {FaultKind::rate, TargetSort::host, {std::size(kRatesPpb), read_second}, true, begin, end};
}

}  // namespace locklab
