#include "sim/process.h"

#include <algorithm>
#include <array>

#include "sim/contract.h"
#include "sim/mix.h"

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

Process::Process(World& world, Network& network, FiberPool& pool)
    : world_(world), network_(network), pool_(pool) {}

Process::~Process() = default;

void Process::begin() {
  SIM_ASSERT(live_fibers_ == 0);
  used_fibers_ = 0;
  running_ = FiberPool::kNone;
  alive_ = true;
  restarting_ = false;
  operations_ = 0;
  dead_calls_ = 0;
  program_ = nullptr;
  primary = {};
  timeout_policy = TimeoutPolicy::close_connection;
  paused_ = false;
  paused_until_ = Instant::origin();
  held_data_.clear();
  held_timers_.clear();
  held_fibers_.clear();
  for (Call& call : calls_) call.in_use = false;
  idle_connections_.clear();
  failure_ = nullptr;
  claim_watch_ = {};
}

void Process::set_program(void (*program)(void*), void* argument) {
  program_ = program;
  program_argument_ = argument;
}

void Process::start(Duration after) {
  world_.work() = {Span::of_actor(id()), {}, 0};
  Event event{.type = EventType::restart, .actor = id()};
  world_.schedule(world_.now() + after, event);
  restarting_ = true;
}

void Process::watch_claim(HoldId hold, TextId lock, LocalInstant until) {
  world_.disarm(claim_watch_);
  if (!alive_ || until == LocalInstant::never()) return;
  Event event{.type = EventType::timer, .watch = true, .actor = id(), .hold = hold};
  event.b = lock.value;
  claim_watch_ =
      world_.arm({host(), ClockId::monotonic, until, DeadlineKind::claim_end, id(), event});
}

void Process::handle(const Event& event) {
  if (event.watch) {
    claim_watch_ = {};
    world_.record({.actor = id().value, .kind = EventKind::claim_end,
                   .lock = static_cast<std::uint16_t>(event.b), .hold = event.hold.value,
                   .local = record_bits(now())});
    return;
  }
  if (event.type == EventType::restart) {
    alive_ = true;
    restarting_ = false;
    go([program = program_, argument = program_argument_] { program(argument); });
    return;
  }
  if (!alive_) {
    if (event.type == EventType::deliver) {
      network_.take(event.a, static_cast<Direction>(event.b));
    }
    return;
  }
  switch (event.type) {
    case EventType::deliver:
      if (paused_) {
        held_data_.push_back(event);
      } else {
        on_data(event.a);
      }
      break;
    case EventType::timer:
      if (paused_) {
        held_timers_.push_back(event);
      } else {
        on_timer(event);
      }
      break;
    case EventType::fiber_ready:
      if (paused_) {
        held_fibers_.push_back(event);
      } else {
        resume(event.a, event);
      }
      break;
    case EventType::wake:
      on_wake();
      break;
    case EventType::custom:
      if (paused_) {
        held_timers_.push_back(event);
      } else {
        give_up(*fibers_[event.a]);
      }
      break;
    case EventType::rediscover:
      primary = ActorId{static_cast<std::uint16_t>(event.a)};
      world_.record({.actor = id().value, .kind = EventKind::rediscovered,
                     .arg = static_cast<std::int64_t>(event.a)});
      break;
    default:
      SIM_UNREACHABLE("a process got an event that is not its own");
  }
}

// --- Fibers -----------------------------------------------------------------------------------

std::uint32_t Process::go(Task body) {
  if (!alive_) return FiberPool::kNone;
  if (used_fibers_ == fibers_.size()) {
    fibers_.push_back(std::make_unique<Fiber>());
    fibers_.back()->process = this;
    fibers_.back()->index = used_fibers_;
  }
  Fiber& fiber = *fibers_[used_fibers_++];
  fiber.body = std::move(body);
  fiber.work = world_.work();
  const Span parent = fiber.work.span;
  fiber.work.span = Span::of_operation(id(), static_cast<std::uint8_t>(fiber.index),
                                       parent.operation(), parent.attempt());
  fiber.operation = running_ == FiberPool::kNone ? Operation::none : fibers_[running_]->operation;
  fiber.phase = FiberPhase::waiting;
  fiber.woken = true;
  fiber.stalled_until = Instant::origin();
  fiber.interruption = Interruption::none;
  fiber.at = Label::none;
  fiber.outstanding = 0;
  fiber.timer = {};
  fiber.pool_id = pool_.spawn(&Process::enter, &fiber);
  ++live_fibers_;
  world_.record({.actor = id().value, .kind = EventKind::fiber_began,
                 .arg = static_cast<std::int64_t>(fiber.index)});
  schedule_resume(fiber);
  return fiber.index;
}

void Process::enter(void* fiber) {
  Fiber& self = *static_cast<Fiber*>(fiber);
  self.process->run(self);
}

void Process::run(Fiber& fiber) {
  try {
    if (alive_) fiber.body();
  } catch (const Killed&) {
  } catch (const Cancelled&) {
    world_.record({.actor = id().value, .kind = EventKind::cancelled,
                   .arg = static_cast<std::int64_t>(fiber.index), .result = 1});
  } catch (const Panic& panic) {
    world_.record({.actor = id().value, .kind = EventKind::panicked,
                   .arg = static_cast<std::int64_t>(fiber.index), .result = panic.recovered});
    if (!panic.recovered) kill(EndKind::panic, Duration::forever());
  } catch (...) {  // Not ours: a bug in the lock or in the simulator. The driver rethrows it.
    failure_ = std::current_exception();
  }
  fiber.body.reset();
}

void Process::schedule_resume(Fiber& fiber) {
  fiber.phase = FiberPhase::scheduled;
  const Witness witness = witness_of(fiber.index, static_cast<std::uint64_t>(fiber.at));
  const std::uint64_t step = world_.choices().choose(ChoiceKind::hold_at_fiber, fiber.work.span,
                                                     id(), Label::none, 32, witness);
  const Duration held = scale(world_.delay_max(), static_cast<std::int64_t>(step), 32);
  Event event{.type = EventType::fiber_ready, .actor = id()};
  event.a = fiber.index;
  const Work work{fiber.work.span, fiber.work.hold, world_.work().cause};
  world_.schedule_as(work, world_.now() + held, event);
}

void Process::resume(std::uint32_t index, const Event& event) {
  Fiber& fiber = *fibers_[index];
  if (fiber.phase != FiberPhase::scheduled) return;
  if (alive_ && fiber.stalled_until > world_.now()) {
    world_.schedule_as({event.span, event.hold, event.cause}, fiber.stalled_until, event);
    return;
  }
  fiber.phase = FiberPhase::running;
  running_ = index;
  world_.work() = fiber.work;
  world_.work().cause = event.cause;
  const FiberState state = pool_.resume(fiber.pool_id);
  running_ = FiberPool::kNone;
  fiber.work = world_.work();
  if (state == FiberState::foreign) {
    fiber.phase = FiberPhase::foreign;
  } else if (state == FiberState::idle) {
    fiber.phase = FiberPhase::idle;
    --live_fibers_;
    world_.disarm(fiber.timer);
    if (alive_) {
      world_.record({.actor = id().value, .kind = EventKind::fiber_ended,
                     .arg = static_cast<std::int64_t>(index)});
    }
  }
}

bool Process::blocked_in_foreign_primitive() const {
  for (std::uint32_t i = 0; i < used_fibers_; ++i) {
    if (fibers_[i]->phase == FiberPhase::foreign) return true;
  }
  return false;
}

void Process::resume_foreign(std::uint32_t pool_id) {
  for (std::uint32_t i = 0; i < used_fibers_; ++i) {
    Fiber& fiber = *fibers_[i];
    if (fiber.phase != FiberPhase::foreign || fiber.pool_id != pool_id) continue;
    fiber.phase = FiberPhase::waiting;
    fiber.woken = true;
    schedule_resume(fiber);
  }
}

bool Process::is_unwinding() const { return std::uncaught_exceptions() > 0; }

void Process::obey(Fiber& fiber) {
  for (;;) {
    if (!alive_) {
      if (is_unwinding()) return;
      throw Killed{};
    }
    if (paused_ || fiber.stalled_until > world_.now()) {
      fiber.phase = FiberPhase::scheduled;
      Event event{.type = EventType::fiber_ready, .actor = id()};
      event.a = fiber.index;
      event.span = world_.work().span;
      event.hold = world_.work().hold;
      event.cause = world_.work().cause;
      if (paused_) {
        held_fibers_.push_back(event);
      } else {
        world_.schedule(fiber.stalled_until, event);
      }
      pool_.park();
      continue;
    }
    if (is_unwinding()) return;
    switch (std::exchange(fiber.interruption, Interruption::none)) {
      case Interruption::none:
        return;
      case Interruption::cancel:
        throw Cancelled{};
      case Interruption::panic:
        throw Panic{fiber.panic_recovered};
    }
  }
}

void Process::reach(Label label, ActorId server, ConnectionId connection, TextId command) {
  if (!alive_) {
    if (is_unwinding()) return;
    throw Killed{};
  }
  if (label == Label::none) return;
  SIM_ASSERT(running_ != FiberPool::kNone);
  Fiber& fiber = *fibers_[running_];
  fiber.at = label;
  world_.pass({label, id(), id(), fiber.index, server, connection, command});
  obey(fiber);
}

Process::WaitId Process::next_wait() const {
  SIM_ASSERT(running_ != FiberPool::kNone);
  return {running_, fibers_[running_]->generation + 1};
}

bool Process::wait(LocalInstant deadline, DeadlineKind kind) {
  SIM_ASSERT(running_ != FiberPool::kNone);
  Fiber& fiber = *fibers_[running_];
  obey(fiber);
  ++fiber.generation;
  fiber.woken = false;
  fiber.wait_deadline = deadline;
  if (deadline != LocalInstant::never()) {
    Event event{.type = EventType::timer, .actor = id()};
    event.a = fiber.index;
    event.b = fiber.generation;
    fiber.timer = world_.arm({host(), ClockId::monotonic, deadline, kind, id(), event});
  }
  fiber.phase = FiberPhase::waiting;
  pool_.park();
  world_.disarm(fiber.timer);
  fiber.timer = {};
  fiber.wait_deadline = LocalInstant::never();
  const bool woken = fiber.woken;
  obey(fiber);
  return woken;
}

void Process::wake(WaitId wait) {
  if (!alive_ || wait.fiber >= used_fibers_) return;
  Fiber& fiber = *fibers_[wait.fiber];
  if (fiber.phase != FiberPhase::waiting || fiber.generation != wait.generation) return;
  fiber.woken = true;
  world_.disarm(fiber.timer);
  schedule_resume(fiber);
}

// --- Operations ---------------------------------------------------------------------------------

std::uint16_t Process::begin_operation(Operation operation, HoldId hold) {
  SIM_ASSERT(running_ != FiberPool::kNone);
  if (alive_) ++operations_;
  Fiber& fiber = *fibers_[running_];
  fiber.operation = operation;
  Work& work = world_.work();
  work.span = Span::of_operation(id(), static_cast<std::uint8_t>(fiber.index), operations_, 0);
  work.hold = operation == Operation::acquire ? HoldId::of(id(), operations_) : hold;
  return operations_;
}

void Process::align_operations(std::uint32_t block) {
  const std::uint32_t aligned = (operations_ + block - 1) / block * block;
  SIM_ASSERT(aligned < UINT16_MAX);  // Span and HoldId have sixteen bits for it.
  if (alive_) operations_ = static_cast<std::uint16_t>(aligned);
}

void Process::end_operation() { fibers_[running_]->operation = Operation::none; }

std::uint16_t Process::begin_attempt() {
  Span& span = world_.work().span;
  const auto attempt = static_cast<std::uint16_t>(span.attempt() + 1);
  span = Span::of_operation(id(), span.fiber(), span.operation(), attempt);
  return attempt;
}

Operation Process::phase() const {
  return running_ == FiberPool::kNone ? Operation::none : fibers_[running_]->operation;
}

// --- What strikes it ------------------------------------------------------------------------------

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
  const std::uint64_t order =
      world_.choices().choose(ChoiceKind::wake_order, work.span, id(), Label::none,
                              kWakeOrders.size(), witness_of(held_data_.size(), held_timers_.size()));
  std::vector<Event> data, timers, fibers;
  data.swap(held_data_);
  timers.swap(held_timers_);
  fibers.swap(held_fibers_);
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
  world_.work() = work;
}

void Process::stall(std::uint32_t index, Duration length) {
  if (!alive_ || index >= used_fibers_ || fibers_[index]->phase == FiberPhase::idle) return;
  Fiber& fiber = *fibers_[index];
  fiber.stalled_until = std::max(fiber.stalled_until, world_.now() + length);
  world_.record({.actor = id().value, .kind = EventKind::stalled,
                 .arg = static_cast<std::int64_t>(index), .result = record_bits(length)});
}

void Process::cancel(std::uint32_t index) {
  if (!alive_ || index >= used_fibers_ || fibers_[index]->phase == FiberPhase::idle) return;
  Fiber& fiber = *fibers_[index];
  fiber.interruption = Interruption::cancel;
  world_.record({.actor = id().value, .kind = EventKind::cancelled,
                 .arg = static_cast<std::int64_t>(index)});
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
  world_.record({.actor = id().value, .kind = EventKind::killed,
                 .arg = static_cast<std::int64_t>(kind)});
  died(kind);
  if (restart_after != Duration::forever() && program_ != nullptr) {
    restarting_ = true;
    Event event{.type = EventType::restart, .actor = id()};
    world_.schedule_as({Span::of_actor(id()), {}, world_.work().cause},
                       world_.now() + restart_after, event);
  }
}

void Process::died(EndKind kind) {
  alive_ = false;
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
  for (Call& call : calls_) call.in_use = false;
  idle_connections_.clear();
  network_.endpoint_ended(id(), kind != EndKind::host_loss);
}

void Process::bury() {
  SIM_ASSERT(!alive_);
  for (std::uint32_t i = 0; i < used_fibers_; ++i) {
    Fiber& fiber = *fibers_[i];
    if (fiber.phase == FiberPhase::idle) continue;
    if (fiber.phase == FiberPhase::foreign) {
      pool_.abandon(fiber.pool_id);
      fiber.phase = FiberPhase::idle;
      --live_fibers_;
      world_.stop(EndReason::unsupported);
      continue;
    }
    const Work work = world_.work();
    for (std::uint32_t resumptions = 0; fiber.phase != FiberPhase::idle; ++resumptions) {
      SIM_ASSERT(resumptions < 1000);  // The lock swallows the unwinding of its own death.
      fiber.phase = FiberPhase::scheduled;
      resume(i, {});
    }
    world_.work() = work;
  }
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
