// FaultEngine: from plans and draws to strikes, and from strikes to their ends.
// SPDX-License-Identifier: Apache-2.0
#include "sim/faults/engine.h"

#include <algorithm>
#include <cstring>

#include "sim/contract.h"
#include "sim/faults/targets.h"
#include "sim/mix.h"

namespace locklab {
namespace {

/// The first bytes of a name as a number: a witness that does not depend on interning order.
std::uint64_t name_bits(std::string_view name) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, name.data(), std::min(name.size(), sizeof(bits)));
  return bits;
}

constexpr std::int64_t kFineSteps = 8;  // In a round trip.
constexpr std::int64_t kFineMost = 63;

}  // namespace

Duration timing_constant(const TimingConstants& timing, unsigned ordinal) {
  switch (ordinal) {
    case Bucket::round_trip:
      return timing.round_trip;
    case Bucket::third_of_ttl:
      return timing.ttl / 3;
    case Bucket::ttl_less_margin:
      return timing.ttl - timing.margin;
    case Bucket::ttl:
      return timing.ttl;
    case Bucket::ttl_plus_one_ms:
      return timing.ttl + milliseconds(1);
    default:
      return timing.ttl * 2;
  }
}

bool fiber_lives(const Stage& stage, const Strike& strike) {
  return stage.process(strike.target)->fiber_lives(strike.fiber);
}

void pause_host(Stage& stage, HostId host, Duration length) {
  Host& machine = stage.world->host(host);
  machine.stopped_until = std::max(machine.stopped_until, stage.world->now() + length);
  for (Process* process : stage.processes) {
    if (process->host() == host) process->pause(length);
  }
  for (Node* node : stage.nodes) {
    if (node->host() == host) node->pause(length);
  }
  for (HostedServer* server : stage.hosted_servers()) {
    if (server->host() == host) server->pause(length);
  }
}

/// What the source may draw from at one point.
class FaultEngine::Menu : public FaultMenu {
 public:
  Menu(const FaultEngine& engine, const Point& point) : engine_(engine), point_(point) {}
  FaultKinds allowed() const override { return engine_.stage_.world->config().search.of; }
  std::span<const PendingDeadline> deadlines() const override {
    return engine_.stage_.world->pending_deadlines();
  }
  unsigned target_count(FaultKind kind) const override {
    return locklab::target_count(engine_.stage_, engine_.spec(kind).sort);
  }
  unsigned second_count(FaultKind kind) const override { return engine_.spec(kind).second.count; }
  Witness witness_of_value(std::uint64_t value) const override {
    const World& world = *engine_.stage_.world;
    std::uint64_t leans_on = 0;
    if (const auto deadline = engine_.deadline_of(FaultValue::unpack(value).length)) {
      leans_on = mix(static_cast<std::uint64_t>(deadline->kind), deadline->armed_by.bits);
    }
    return witness_of(point_.server.value, name_bits(world.history().text(point_.command)),
                      leans_on);
  }

 private:
  const FaultEngine& engine_;
  const Point& point_;
};

FaultEngine::FaultEngine(Stage& stage) : stage_(stage) {
  for (const FaultSpec& spec : all_faults())
    specs_[static_cast<std::size_t>(spec.kind)] = spec;
}

const FaultSpec& FaultEngine::spec(FaultKind kind) const {
  return specs_[static_cast<std::size_t>(kind)];
}

ActorId FaultEngine::actor_named(const std::string& name) const {
  if (name.empty()) return kWorldActor;
  const std::vector<ActorInfo>& actors = stage_.world->history().actors;
  for (std::size_t i = 0; i < actors.size(); ++i) {
    if (actors[i].name == name) return ActorId{static_cast<std::uint16_t>(i)};
  }
  SIM_UNREACHABLE("a planned fault names an unknown actor: the decoder must refuse it");
}

void FaultEngine::begin() {
  planned_.clear();
  active_.clear();
  struck_ = 0;
  reached_ = 0;
  drawn_ = {};
  stopped_ = false;
  World& world = *stage_.world;
  for (const PlannedFault& fault : world.config().faults) {
    planned_.push_back(
        {&fault, actor_named(fault.trigger.actor), actor_named(fault.trigger.client), 0, false});
    if (!fault.trigger.at) continue;
    Event event{.type = EventType::planned_fault, .actor = id()};
    event.a = static_cast<std::uint32_t>(planned_.size() - 1);
    world.schedule(*fault.trigger.at, event);
  }
}

void FaultEngine::handle(const Event& event) {
  if (event.type == EventType::fault_end) {
    end(event.a);
  } else if (event.type == EventType::planned_fault && !stopped_) {
    strike_planned(planned_[event.a], Point{});
  }
}

bool FaultEngine::waits_for(const Planned& planned, const Point& point) const {
  const FaultTrigger& trigger = planned.fault->trigger;
  if (planned.done || trigger.label != point.label) return false;
  if (planned.actor != kWorldActor && planned.actor != point.actor) return false;
  if (planned.client != kWorldActor && planned.client != point.client) return false;
  return trigger.command.empty() || trigger.command == stage_.world->history().text(point.command);
}

void FaultEngine::pass(const Point& point) {
  if (!stopped_) {
    reached_ |= 1U << static_cast<unsigned>(point.label);
    for (Planned& planned : planned_) {
      if (!waits_for(planned, point)) continue;
      if (++planned.visits == planned.fault->trigger.nth) strike_planned(planned, point);
    }
  }
  offer_drawn(point);
}

// --- Planned faults

bool FaultEngine::name_victim(const PlannedFault& fault, Strike& s) const {
  const std::vector<HostConfig>& hosts = stage_.world->config().hosts;
  const auto host = std::find_if(hosts.begin(), hosts.end(),
                                 [&fault](const HostConfig& h) { return h.name == fault.target; });
  s.whole_host = host != hosts.end();
  if (s.whole_host && host->actors.empty()) return false;
  s.target = actor_named(s.whole_host ? host->actors.front() : fault.target);
  if (Process* process = stage_.process(s.target)) s.fiber = fiber_at(*process, s.point);
  s.connection = s.point.connection;
  if (spec(fault.kind).sort == TargetSort::replica) s.peer = stage_.primary().id();
  return true;
}

bool FaultEngine::name_target(const PlannedFault& fault, Strike& s) const {
  const TargetSort sort = spec(fault.kind).sort;
  const bool named = fault.target.empty() ? pick_target(stage_, sort, 0, s) : name_victim(fault, s);
  if (!named) return false;
  if (!fault.peer.empty()) s.peer = actor_named(fault.peer);
  if (sort == TargetSort::server_link && s.peer == kWorldActor) {
    // A link with one named end leads to whom it leads by nature.
    s.peer = s.point.server == kWorldActor ? stage_.primary().id() : s.point.server;
  }
  if (sort != TargetSort::connection) return true;
  if (!fault.target.empty()) s.connection = stage_.network->latest_between(s.target, s.peer);
  return s.connection != kNoConnection;
}

void FaultEngine::strike_planned(Planned& planned, const Point& point) {
  planned.done = true;
  const PlannedFault& fault = *planned.fault;
  Strike s;
  s.kind = fault.kind;
  s.point = point;
  if (!name_target(fault, s)) return;
  s.length = fault.length;
  s.size = fault.offset;
  s.ppb = fault.ppb;
  s.direction = fault.direction;
  s.dies = fault.dies;
  s.restarts = fault.restarts;
  s.recovered = fault.recovered;
  s.key_name = fault.key;
  if (possible(s)) strike(s, FaultValue{fault.kind, 0, {}, 0, 0}.pack());
}

// --- Drawn faults

void FaultEngine::offer_drawn(const Point& point) {
  World& world = *stage_.world;
  const FaultSearch& search = world.config().search;
  if (search.max == 0 || search.of.empty() || !search.allows_label(point.label)) return;
  const Address address = world.choices().visit_fault(world.work().span, point.actor, point.label);
  if (stopped_ || struck_ >= search.max) return;

  const Menu menu(*this, point);
  const std::uint64_t drawn = world.choices().choose_fault(address, menu);
  if (drawn == 0) return;
  const Witness witness = menu.witness_of_value(drawn);
  const FaultValue value = FaultValue::unpack(drawn);
  if (value.kind < FaultKind::count) drawn_ = drawn_.with(value.kind);
  Strike s;
  s.kind = value.kind;
  if (!resolve(value, point, s)) return;  // Not possible here: the deviation counts as missed.
  world.choices().accept_fault(address, drawn, witness);
  ++struck_;
  strike(s, drawn);
}

std::optional<PendingDeadline> FaultEngine::deadline_of(Bucket length) const {
  if (!length.is_deadline()) return std::nullopt;
  for (const PendingDeadline& deadline : stage_.world->pending_deadlines()) {
    const bool named = deadline.kind == length.deadline() && deadline.owner == length.owner() &&
                       deadline.ordinal == length.ordinal();
    if (named) return deadline;
  }
  return std::nullopt;
}

bool FaultEngine::resolve_length(const FaultValue& value, Duration& length) const {
  const World& world = *stage_.world;
  const Duration step = world.config().timing.round_trip / kFineSteps;
  const std::int64_t fine = std::min<std::int64_t>(value.fine, kFineMost);
  if (!value.length.is_deadline()) {
    length = timing_constant(world.config().timing, value.length.bits) + step * fine;
    return true;
  }
  const std::optional<PendingDeadline> deadline = deadline_of(value.length);
  if (!deadline) return false;
  const Duration away = step * (1 + fine);
  const Duration until = deadline->due - world.now();
  length = value.length.side() == Bucket::Side::before ? until - away : until + away;
  return length > Duration();
}

bool FaultEngine::resolve(const FaultValue& value, const Point& point, Strike& s) const {
  const bool known = value.kind != FaultKind::none && value.kind < FaultKind::count;
  if (!known || !stage_.world->config().search.of.has(value.kind)) return false;
  s.point = point;
  if (!pick_target(stage_, spec(value.kind).sort, value.target, s)) return false;
  if (!resolve_length(value, s.length)) return false;
  if (const auto read = spec(value.kind).second.read) {
    read(s, value.second, stage_.world->config().timing);
  }
  return possible(s);
}

bool FaultEngine::possible(const Strike& s) const {
  const FaultSpec& kind = spec(s.kind);
  if (kind.possible != nullptr) return kind.possible(stage_, s);
  if (s.whole_host) return true;
  // Nothing strikes the dead, also when a plan names them.
  if (kind.sort == TargetSort::process) return stage_.process(s.target)->alive();
  return kind.sort != TargetSort::node || stage_.node(s.target)->alive();
}

// --- Striking and ending

void FaultEngine::strike(const Strike& s, std::uint64_t value) {
  World& world = *stage_.world;
  const Work work = world.work();
  world.work().hold = {};
  world.record({.actor = s.target.value,
                .kind = EventKind::fault_begin,
                .label = s.point.label,
                .fence = s.peer.value,
                .arg = static_cast<std::int64_t>(value),
                .result = record_bits(s.length),
                .local = record_bits(s.size)});
  world.work().span = Span::of_actor(s.target);
  const FaultSpec& kind = spec(s.kind);
  active_.push_back({s, {UINT32_MAX, UINT32_MAX}, kind.lasts, Instant::never()});
  const auto index = static_cast<std::uint32_t>(active_.size() - 1);
  if (kind.lasts) {
    // Copied back: begin() may have changed the length (a slew ends when its offset is gone).
    ActiveFault fault = active_[index];
    Event event{.type = EventType::fault_end, .actor = id()};
    event.a = index;
    const Duration planned = fault.strike.length;
    if (s.kind != FaultKind::slew && planned != Duration::forever()) {
      world.schedule(world.now() + planned, event);  // Before the wakings that begin() schedules.
    }
    kind.begin(stage_, fault);
    if (s.kind == FaultKind::slew) world.schedule(world.now() + fault.strike.length, event);
    fault.end = world.now() + fault.strike.length;
    active_[index] = fault;
  } else {
    ActiveFault fault = active_[index];
    kind.begin(stage_, fault);
  }
  const std::uint32_t cause = world.work().cause;
  world.work() = work;
  world.work().cause = cause;
}

void FaultEngine::end(std::uint32_t index) {
  ActiveFault& fault = active_[index];
  if (!fault.active) return;
  fault.active = false;
  const FaultSpec& kind = spec(fault.strike.kind);
  if (kind.end != nullptr) kind.end(stage_, fault);
  stage_.world->record({.actor = fault.strike.target.value,
                        .kind = EventKind::fault_end,
                        .arg = static_cast<std::int64_t>(fault.strike.kind)});
}

void FaultEngine::stop() {
  stopped_ = true;
  // Once in each run: hosted_servers() would allocate.
  stage_.resource->heal();
  stage_.counter->heal();
  if (stage_.orchestrator != nullptr) stage_.orchestrator->heal();
  for (std::uint32_t i = 0; i < active_.size(); ++i) {
    if (active_[i].active && active_[i].strike.length == Duration::forever()) end(i);
  }
}

Instant FaultEngine::last_end() const {
  Instant last = stage_.world->now();
  for (const ActiveFault& fault : active_) {
    if (fault.active && fault.strike.length != Duration::forever())
      last = std::max(last, fault.end);
  }
  return last;
}

}  // namespace locklab
