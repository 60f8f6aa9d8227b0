// World: dispatch, timers on local clocks, choices and records.
// SPDX-License-Identifier: Apache-2.0
#include "sim/world.h"

#include <algorithm>

#include "sim/contract.h"

namespace locklab {
namespace {

constexpr std::uint64_t kDelaySteps = 32;
static_assert(static_cast<unsigned>(EventType::custom) < kDueCount);

}  // namespace

World::World() : label_visits_(static_cast<std::size_t>(Label::count)) {}

void World::begin(const WorldConfig& config, ChoiceSource& source, std::uint64_t scenario_hash,
                  Actor& world) {
  config_ = &config;
  now_ = Instant::origin();
  work_ = {};
  queue_.clear();
  choices_.begin(source);
  history_.begin(scenario_hash);
  arena_.reset();
  delay_max_ = config.topology.network.delay_max.value_or(round_trip());
  end_ = EndReason::none;
  steps_ = 0;
  host_count_ = 0;
  actors_.clear();
  free_timers_.clear();
  armed_timers_.clear();
  for (std::uint32_t slot = 0; slot < timers_.size(); ++slot) {
    timers_[slot].armed = false;
    ++timers_[slot].generation;
    free_timers_.push_back(static_cast<std::uint32_t>(timers_.size()) - 1 - slot);
  }
  std::fill(label_visits_.begin(), label_visits_.end(), 0);
  add_actor(world, "world", ActorKind::world, add_host(Duration(), 0));
}

bool World::put_off(const Event& event) {
  const Instant until = hosts_[actors_[event.actor.value]->host().value].stopped_until;
  if (until <= now_) return false;
  schedule_as({event.span, event.hold, event.cause}, until, event);
  return true;
}

HostId World::add_host(Duration wall_offset, std::int64_t rate_ppb) {
  if (host_count_ == hosts_.size()) hosts_.emplace_back();
  Host& host = hosts_[host_count_];
  host = {};
  host.base_rate_ppb = rate_ppb;
  host.wall = LocalClock(now_, kWallEpoch + config_->wall_epoch_shift + wall_offset, rate_ppb);
  host.monotonic = LocalClock(now_, LocalInstant::origin(), rate_ppb);
  return HostId{static_cast<std::uint16_t>(host_count_++)};
}

void World::add_actor(Actor& actor, std::string_view name, ActorKind kind, HostId host) {
  const std::size_t index = actors_.size();
  SIM_ASSERT(index < 64);  // Bucket::owner() has six bits.
  actors_.push_back(&actor);
  actor.id_ = ActorId{static_cast<std::uint16_t>(index)};
  actor.host_ = host;
  std::vector<ActorInfo>& infos = history_.actors;
  if (infos.size() <= index) infos.emplace_back();
  if (infos[index].name != name) infos[index].name = name;
  infos[index].kind = kind;
  infos[index].host = host;
}

// --- Timers -------------------------------------------------------------------------------------

Event World::timer_event(std::uint32_t slot) const {
  Event event = timers_[slot].timer.event;
  event.type = EventType::alarm;
  event.a = slot;
  return event;
}

TimerHandle World::arm(const Timer& timer) {
  if (free_timers_.empty()) {
    free_timers_.push_back(static_cast<std::uint32_t>(timers_.size()));
    timers_.emplace_back();
  }
  const std::uint32_t slot = free_timers_.back();
  free_timers_.pop_back();
  TimerSlot& entry = timers_[slot];
  entry.timer = timer;
  if (entry.timer.event.span == Span{}) entry.timer.event.span = work_.span;
  if (!entry.timer.event.hold) entry.timer.event.hold = work_.hold;
  if (entry.timer.event.cause == 0) entry.timer.event.cause = work_.cause;
  entry.armed = true;
  const Instant due = hosts_[timer.host.value].clock(timer.clock).when(timer.deadline);
  // A fired timer reaches its actor in one dispatch: the queue holds the timer's slot in the event,
  // and fire() puts the actor's own `a` back.
  entry.event = queue_.push(std::max(due, now_), timer_event(slot));
  armed_timers_.push_back(slot);
  return {slot, entry.generation};
}

void World::disarm(TimerHandle handle) {
  if (!handle) return;
  TimerSlot& entry = timers_[handle.slot];
  if (!entry.armed || entry.generation != handle.generation) return;
  queue_.cancel(entry.event);
  entry.armed = false;
  ++entry.generation;
  free_timers_.push_back(handle.slot);
  armed_timers_.erase(std::find(armed_timers_.begin(), armed_timers_.end(), handle.slot));
}

void World::fire(std::uint32_t slot) {
  TimerSlot& entry = timers_[slot];
  SIM_ASSERT(entry.armed);
  entry.armed = false;
  ++entry.generation;
  free_timers_.push_back(slot);
  armed_timers_.erase(std::find(armed_timers_.begin(), armed_timers_.end(), slot));
  const Event event = entry.timer.event;
  actors_[event.actor.value]->handle(event);
}

void World::clock_changed(HostId host) {
  for (const std::uint32_t slot : armed_timers_) {
    const TimerSlot& entry = timers_[slot];
    if (entry.timer.host != host) continue;
    const Instant due = hosts_[host.value].clock(entry.timer.clock).when(entry.timer.deadline);
    queue_.move(entry.event, std::max(due, now_));
  }
}

std::span<const PendingDeadline> World::pending_deadlines() const {
  deadlines_.clear();
  // Outages and disturbances end in true time.
  queue_.for_each([this](Instant at, const Event& event) {
    const bool ends = event.type == EventType::wake || event.type == EventType::fault_end;
    if (!ends || at <= now_ || at == Instant::never()) return;
    deadlines_.push_back({DeadlineKind::fault_end, event.actor, 0, at, event.span});
  });
  for (const std::uint32_t slot : armed_timers_) {
    const Timer& timer = timers_[slot].timer;
    if (timer.kind == DeadlineKind::none) continue;
    const Instant due = hosts_[timer.host.value].clock(timer.clock).when(timer.deadline);
    if (due <= now_ || due == Instant::never()) continue;
    deadlines_.push_back({timer.kind, timer.owner, 0, due, timer.event.span});
  }
  for (const Actor* actor : actors_)
    actor->add_deadlines(deadlines_);
  std::sort(deadlines_.begin(), deadlines_.end(),
            [](const PendingDeadline& a, const PendingDeadline& b) {
              if (a.kind != b.kind) return a.kind < b.kind;
              if (a.owner != b.owner) return a.owner < b.owner;
              if (a.due != b.due) return a.due < b.due;
              return a.armed_by < b.armed_by;
            });
  for (std::size_t i = 1; i < deadlines_.size(); ++i) {
    const PendingDeadline& before = deadlines_[i - 1];
    if (before.kind == deadlines_[i].kind && before.owner == deadlines_[i].owner) {
      deadlines_[i].ordinal = before.ordinal + 1;
    }
  }
  return deadlines_;
}

// --- Events, choices, history -------------------------------------------------------------------

EventHandle World::schedule(Instant at, Event event) {
  return schedule_as(work_, at, event);
}

EventHandle World::schedule_as(const Work& work, Instant at, Event event) {
  SIM_ASSERT(at >= now_);
  event.span = work.span;
  event.hold = work.hold;
  event.cause = work.cause;
  return queue_.push(at, event);
}

Duration World::choose_delay(ChoiceKind kind, ActorId actor, Duration bound, Witness witness) {
  const std::uint64_t step = choose(kind, actor, Label::none, kDelaySteps, witness);
  return scale(bound, static_cast<std::int64_t>(step), kDelaySteps);
}

std::uint32_t World::record(Record record) {
  if (stopped() && record.kind != EventKind::run_end) return work_.cause;
  record.t = record_bits(now_);
  record.cause = work_.cause;
  if (record.hold == 0) record.hold = work_.hold.value;
  work_.cause = history_.append(record);
  return work_.cause;
}

// --- Running

bool World::offer_defer() {
  const Event& event = queue_.next();
  if (event.watch || event.deferred) return false;
  const std::uint32_t ties = queue_.ties();
  const ActorId site = event.site == kWorldActor ? event.actor : event.site;
  const auto place = static_cast<Label>(kDue + static_cast<unsigned>(event.type));
  if (ties == 0) {
    choices_.pass(ChoiceKind::defer, event.span, site, place);
    return false;
  }
  const Witness witness = witness_of(event.actor.value, static_cast<std::uint64_t>(event.type));
  const std::uint64_t places =
      choices_.choose(ChoiceKind::defer, event.span, site, place, ties + 1, witness);
  if (places == 0) return false;
  queue_.defer(static_cast<std::uint32_t>(places));
  return true;
}

bool World::step() {
  if (stopped() || queue_.empty()) return false;
  if (queue_.next_time() > Instant::origin() + config_->limits.virtual_time) {
    stop(EndReason::virtual_limit);
    return false;
  }
  if (steps_ >= config_->limits.steps) {
    stop(EndReason::step_limit);
    return false;
  }
  if (!queue_.next().watch) ++steps_;
  now_ = queue_.next_time();
  while (offer_defer()) {
  }
  const Event event = queue_.pop();
  work_ = {event.span, event.hold, event.cause};
  dispatch(event);
  return !stopped();
}

void World::dispatch(const Event& event) {
  if (event.type == EventType::alarm) {
    fire(event.a);
  } else {
    actors_[event.actor.value]->handle(event);
  }
}

void World::stop(EndReason reason) {
  if (stopped()) return;
  end_ = reason;
  work_.hold = {};
  record({.kind = EventKind::run_end, .arg = static_cast<std::int64_t>(reason)});
}

bool World::only_watches_left() const {
  bool only = true;
  queue_.for_each([&only](Instant at, const Event& event) {
    if (!event.watch && !event.background && at != Instant::never()) only = false;
  });
  return only;
}

}  // namespace locklab
