// Clocks: the faults that change a clock, applied to copies of it (sim/faults/ has what each does).
// SPDX-License-Identifier: Apache-2.0
#include "tests/real/clocks.h"

#include <cstdlib>

#include "sim/faults/fault.h"

namespace locklab::real {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

Host host_with(Duration wall_offset, std::int64_t rate_ppb) {
  Host host;
  host.wall = LocalClock(Instant::origin(), kWallEpoch + wall_offset, rate_ppb);
  host.monotonic = LocalClock(Instant::origin(), LocalInstant::origin(), rate_ppb);
  host.base_rate_ppb = rate_ppb;
  return host;
}

}  // namespace

Clocks::Clocks(const Scenario& scenario, const History& history, bool without_jumps)
    : scenario_(scenario), history_(history), without_jumps_(without_jumps) {
  const Duration shift = scenario.world.wall_epoch_shift;
  hosts_.push_back(host_with(shift, 0));  // The world's own; then the scenario's, then the rest.
  for (const HostConfig& host : scenario.world.hosts)
    hosts_.push_back(host_with(host.wall_offset + shift, host.rate_ppb));
  for (const ActorInfo& actor : history.actors) {
    while (hosts_.size() <= actor.host.value)
      hosts_.push_back(host_with(shift, 0));
  }
}

const Host& Clocks::host_of(ActorId actor) const {
  return hosts_[history_.actors[actor.value].host.value];
}
Host& Clocks::host_of(ActorId actor) {
  return hosts_[history_.actors[actor.value].host.value];
}

void Clocks::take(const Record& record) {
  if (record.kind == EventKind::fault_begin) {
    begin(record, FaultValue::unpack(static_cast<std::uint64_t>(record.arg)).kind);
  } else if (record.kind == EventKind::fault_end) {
    end(record, static_cast<FaultKind>(record.arg));
  }
}

std::int64_t Clocks::ppb_of(const Record& record, FaultKind kind) const {
  const std::string& target = history_.actors[record.actor].name;
  for (const PlannedFault& fault : scenario_.world.faults) {
    const bool same = fault.kind == kind && record.result == record_bits(fault.length) &&
                      (fault.target.empty() || fault.target == target);
    if (same) return fault.ppb;
  }
  Strike strike;
  const FaultValue value = FaultValue::unpack(static_cast<std::uint64_t>(record.arg));
  for (const FaultSpec& spec : all_faults()) {
    if (spec.kind == kind) spec.second.read(strike, value.second, scenario_.world.timing);
  }
  return strike.ppb;
}

void Clocks::begin(const Record& record, FaultKind kind) {
  Host& host = host_of(record.who());
  const Instant now = record.at();
  const Duration size = duration_from_bits(record.local);
  if (kind == FaultKind::jump && !without_jumps_) host.wall.jump(now, size);
  if (kind == FaultKind::suspend || kind == FaultKind::freeze) {
    if (host.monotonic_stops++ == 0) host.monotonic.stop(now);
  }
  if (kind == FaultKind::freeze && host.wall_stops++ == 0) host.wall.stop(now);
  if (kind != FaultKind::rate && kind != FaultKind::slew) return;
  std::int64_t ppb = ppb_of(record, kind);
  Duration length = duration_from_bits(record.result);
  if (kind == FaultKind::slew) {
    ppb = size < Duration() ? -std::abs(ppb) : std::abs(ppb);
    length = scale(size, kSecond, ppb);
  }
  host.drift(now, ppb);
  drifts_.push_back({record.who(), kind, ppb, now + length});
}

void Clocks::end(const Record& record, FaultKind kind) {
  Host& host = host_of(record.who());
  const Instant now = record.at();
  if (kind == FaultKind::suspend || kind == FaultKind::freeze) {
    if (--host.monotonic_stops == 0) host.monotonic.start(now);
  }
  if (kind == FaultKind::freeze && --host.wall_stops == 0) host.wall.start(now);
  // Of several of a kind it is the one that is due: the others end later.
  auto drift = drifts_.end();
  for (auto d = drifts_.begin(); d != drifts_.end(); ++d) {
    if (d->actor != record.who() || d->kind != kind || d->end < now) continue;
    if (drift == drifts_.end() || d->end < drift->end) drift = d;
  }
  if (drift == drifts_.end()) return;
  host.drift(now, -drift->ppb);
  drifts_.erase(drift);
}

}  // namespace locklab::real
