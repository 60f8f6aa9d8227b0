// Process: what strikes it: pauses, stalls, cancels, panics, and its deaths.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "sim/contract.h"
#include "sim/mix.h"
#include "sim/process.h"

namespace locklab {
namespace {

// What a pause finds on waking comes in this order, by the value of wake-order.
enum class Arrival : std::uint8_t { data, timers, fibers };
constexpr std::array<std::array<Arrival, 3>, 6> kWakeOrders = {{
    {Arrival::data, Arrival::timers, Arrival::fibers},
    {Arrival::timers, Arrival::data, Arrival::fibers},
    {Arrival::data, Arrival::fibers, Arrival::timers},
    {Arrival::fibers, Arrival::data, Arrival::timers},
    {Arrival::timers, Arrival::fibers, Arrival::data},
    {Arrival::fibers, Arrival::timers, Arrival::data},
}};

}  // namespace

// --- What strikes it

void Process::pause(Duration length) {
  if (!alive_) return;
  const Instant until = world_.now() + length;
  if (paused_ && until <= paused_until_) return;
  paused_ = true;
  paused_until_ = until;
  world_.record({.actor = id().value, .kind = EventKind::paused, .result = record_bits(length)});
  world_.schedule(until, {.type = EventType::wake, .actor = id()});
}

void Process::on_wake() {
  if (!paused_ || world_.now() < paused_until_) return;
  paused_ = false;
  world_.record({.actor = id().value, .kind = EventKind::resumed});
  const Work work = world_.work();
  const std::uint64_t order = world_.choices().choose(
      ChoiceKind::wake_order, work.span, id(), Label::none, kWakeOrders.size(),
      witness_of(held_data_.size(), held_timers_.size()));
  std::vector<Event> data, timers, fibers;
  data.swap(held_data_);
  timers.swap(held_timers_);
  fibers.swap(held_fibers_);
  deadlines_first_ = order == 1 || order >= 4;
  const auto deliver = [&](const std::vector<Event>& events) {
    for (const Event& event : events) {
      world_.work() = {event.span, event.hold, event.cause};
      handle(event);
    }
  };
  for (const Arrival arrival : kWakeOrders[order]) {
    switch (arrival) {
      case Arrival::data:
        deliver(data);
        break;
      case Arrival::timers:
        deliver(timers);
        break;
      case Arrival::fibers:
        for (const Event& event : fibers) {
          world_.schedule_as({event.span, event.hold, event.cause}, world_.now(), event);
        }
        break;
    }
  }
  deadlines_first_ = false;
  world_.work() = work;
}

void Process::stall(std::uint32_t index, Duration length) {
  if (!alive_ || index >= used_fibers_ || fibers_[index]->phase == FiberPhase::idle) return;
  Fiber& fiber = *fibers_[index];
  fiber.stalled_until = std::max(fiber.stalled_until, world_.now() + length);
  world_.record({.actor = id().value,
                 .kind = EventKind::stalled,
                 .arg = static_cast<std::int64_t>(index),
                 .result = record_bits(length)});
}

void Process::cancel(std::uint32_t index) {
  if (!alive_ || index >= used_fibers_ || fibers_[index]->phase == FiberPhase::idle) return;
  Fiber& fiber = *fibers_[index];
  fiber.interruption = Interruption::cancel;
  world_.record(
      {.actor = id().value, .kind = EventKind::cancelled, .arg = static_cast<std::int64_t>(index)});
  if (fiber.phase == FiberPhase::foreign) world_.stop(EndReason::unsupported);
  if (fiber.phase == FiberPhase::waiting && index != running_) {
    wake({fiber.index, fiber.generation});
  }
}

void Process::panic(std::uint32_t index, bool recovered) {
  if (!alive_ || index >= used_fibers_ || fibers_[index]->phase == FiberPhase::idle) return;
  Fiber& fiber = *fibers_[index];
  fiber.interruption = Interruption::panic;
  fiber.panic_recovered = recovered;
  if (fiber.phase == FiberPhase::foreign) world_.stop(EndReason::unsupported);
  if (fiber.phase == FiberPhase::waiting && index != running_) {
    wake({fiber.index, fiber.generation});
  }
}

void Process::kill(EndKind kind, Duration restart_after) {
  if (!alive_) return;
  world_.record(
      {.actor = id().value, .kind = EventKind::killed, .arg = static_cast<std::int64_t>(kind)});
  died(kind);
  if (restart_after != Duration::forever() && program_ != nullptr) {
    restarting_ = true;
    // By the machine's own clock: what died on a frozen one comes back after the thaw.
    Event event{.type = EventType::restart, .actor = id(), .span = Span::of_actor(id())};
    event.a = life_;
    world_.arm(
        {host(), ClockId::monotonic, now() + restart_after, DeadlineKind::restart, id(), event});
  }
}

void Process::died(EndKind kind) {
  alive_ = false;
  restarting_ = false;
  ++life_;
  paused_ = false;
  dead_calls_ = 0;
  held_data_.clear();
  held_timers_.clear();
  held_fibers_.clear();
  for (std::uint32_t i = 0; i < used_fibers_; ++i) {
    world_.disarm(fibers_[i]->timer);
    fibers_[i]->timer = {};
  }
  world_.disarm(claim_watch_);
  claim_watch_ = {};
  for (Call& call : calls_)
    call.in_use = false;
  idle_connections_.clear();
  network_.endpoint_ended(id(), kind != EndKind::host_loss);
}

void Process::bury() {
  SIM_ASSERT(!alive_);
  burying_ = true;
  for (std::uint32_t i = used_fibers_; i-- > 0;) {  // The youngest first, as scopes nest.
    Fiber& fiber = *fibers_[i];
    if (fiber.phase == FiberPhase::idle) continue;
    if (fiber.phase == FiberPhase::foreign) {
      pool_.abandon(fiber.pool_id);
      fiber.phase = FiberPhase::idle;
      --live_fibers_;
      --foreign_fibers_;
      world_.stop(EndReason::unsupported);
      continue;
    }
    const Work work = world_.work();
    fiber.phase = FiberPhase::scheduled;
    resume(i, {});
    SIM_ASSERT(fiber.phase == FiberPhase::idle);  // The dead wait for nothing.
    world_.work() = work;
  }
  burying_ = false;
}

void Process::discard() {
  alive_ = false;
  bury();
}

std::uint64_t Process::state_hash() const {
  const auto relative = [this](Instant t) {
    return t > world_.now() ? static_cast<std::uint64_t>(record_bits(t - world_.now())) : 0;
  };
  std::uint64_t hash = mix(id().value, (alive_ ? 1U : 0U) | (paused_ ? 2U : 0U));
  hash = mix(hash, relative(paused_until_));
  hash = mix(hash, primary.value);
  for (std::uint32_t i = 0; i < used_fibers_; ++i) {
    const Fiber& fiber = *fibers_[i];
    if (fiber.phase == FiberPhase::idle) continue;
    hash = mix(hash, static_cast<std::uint64_t>(fiber.at) << 16 |
                         static_cast<std::uint64_t>(fiber.phase) << 8 |
                         static_cast<std::uint64_t>(fiber.operation));
    hash = mix(hash, relative(fiber.stalled_until));
    if (fiber.wait_deadline != LocalInstant::never()) {
      hash = mix(hash, static_cast<std::uint64_t>(record_bits(fiber.wait_deadline - now())));
    }
    hash = mix(hash, fiber.outstanding);
  }
  return hash;
}

}  // namespace locklab
