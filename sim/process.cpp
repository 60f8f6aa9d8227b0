// Process: fibers, pauses and the ways to end.
// SPDX-License-Identifier: Apache-2.0
#include "sim/process.h"

#include <algorithm>

#include "sim/contract.h"
#include "sim/mix.h"

namespace locklab {

Process::Process(World& world, Network& network, FiberPool& pool)
    : world_(world), network_(network), pool_(pool) {}

Process::~Process() = default;

void Process::begin() {
  SIM_ASSERT(live_fibers_ == 0);
  used_fibers_ = 0;
  foreign_fibers_ = 0;
  running_ = FiberPool::kNone;
  alive_ = true;
  burying_ = false;
  restarting_ = false;
  life_ = 0;
  operations_ = 0;
  dead_calls_ = 0;
  program_ = nullptr;
  program_fiber_ = FiberPool::kNone;
  primary = {};
  primary_epoch = 0;
  timeout_policy = TimeoutPolicy::close_connection;
  paused_ = false;
  deadlines_first_ = false;
  paused_until_ = Instant::origin();
  held_data_.clear();
  held_timers_.clear();
  held_fibers_.clear();
  for (Call& call : calls_)
    call.in_use = false;
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
  event.a = life_;
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

void Process::on_claim_end(const Event& event) {
  claim_watch_ = {};
  world_.record({.actor = id().value,
                 .kind = EventKind::claim_end,
                 .lock = static_cast<std::uint16_t>(event.b),
                 .hold = event.hold.value,
                 .local = record_bits(now())});
}

void Process::handle(const Event& event) {
  if (event.watch) return on_claim_end(event);
  if (event.type == EventType::restart) {
    if (event.a != life_) return;  // It was killed before it began.
    alive_ = true;
    restarting_ = false;
    program_fiber_ = go([program = program_, argument = program_argument_] { program(argument); });
    return;
  }
  if (!alive_) {
    // Whoever starts later looks up what has been announced meanwhile.
    if (event.type == EventType::rediscover) rediscover(event);
    if (event.type == EventType::deliver) network_.take(event.a, static_cast<Direction>(event.b));
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
      if (!rediscover(event)) return;
      world_.record({.actor = id().value,
                     .kind = EventKind::rediscovered,
                     .arg = static_cast<std::int64_t>(event.a)});
      break;
    default:
      SIM_UNREACHABLE("a process got an event that is not its own");
  }
}

bool Process::rediscover(const Event& event) {
  // Of two promotions the later counts, in whichever order one hears of them: whom a client asks
  // has the greater epoch by then (redis/src/sentinel.c sentinelProcessHelloMessage).
  if (event.b < primary_epoch) return false;
  primary = ActorId{static_cast<std::uint16_t>(event.a)};
  primary_epoch = static_cast<std::uint32_t>(event.b);
  return true;
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
  world_.record({.actor = id().value,
                 .kind = EventKind::fiber_began,
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
    if (alive_) {  // Else it was killed while it unwound: the dead leave no trace.
      world_.record({.actor = id().value,
                     .kind = EventKind::cancelled,
                     .arg = static_cast<std::int64_t>(fiber.index),
                     .result = 1});
    }
  } catch (const Panic& panic) {
    if (alive_) {
      world_.record({.actor = id().value,
                     .kind = EventKind::panicked,
                     .arg = static_cast<std::int64_t>(fiber.index),
                     .result = panic.recovered});
    }
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
    ++foreign_fibers_;
  } else if (state == FiberState::idle) {
    fiber.phase = FiberPhase::idle;
    --live_fibers_;
    world_.disarm(fiber.timer);
    if (alive_) {
      world_.record({.actor = id().value,
                     .kind = EventKind::fiber_ended,
                     .arg = static_cast<std::int64_t>(index)});
    }
  }
}

void Process::resume_foreign(std::uint32_t pool_id) {
  for (std::uint32_t i = 0; i < used_fibers_; ++i) {
    Fiber& fiber = *fibers_[i];
    if (fiber.phase != FiberPhase::foreign || fiber.pool_id != pool_id) continue;
    fiber.phase = FiberPhase::waiting;
    --foreign_fibers_;
    fiber.woken = true;
    schedule_resume(fiber);
  }
}

bool Process::is_unwinding() const {
  return std::uncaught_exceptions() > 0;
}

bool Process::obey(Fiber& fiber) {
  if (live_on(fiber)) return true;
  if (!is_unwinding()) throw Killed{};
  return false;
}

bool Process::live_on(Fiber& fiber) {
  for (;;) {
    if (!alive_) {
      // Nobody unwinds before the others are at rest: a younger fiber may use an older one's stack.
      if (!burying_) pool_.park();
      return false;
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
    if (is_unwinding()) return true;
    switch (std::exchange(fiber.interruption, Interruption::none)) {
      case Interruption::none:
        return true;
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
  pass(label, server, connection, command);
  obey(*fibers_[running_]);
}

void Process::pass(Label label, ActorId server, ConnectionId connection, TextId command) {
  Fiber& fiber = *fibers_[running_];
  fiber.at = label;
  world_.pass({label, id(), id(), fiber.index, server, connection, command});
}

Process::WaitId Process::next_wait() const {
  SIM_ASSERT(running_ != FiberPool::kNone);
  return {running_, fibers_[running_]->generation + 1};
}

bool Process::wait(LocalInstant deadline, DeadlineKind kind) {
  SIM_ASSERT(running_ != FiberPool::kNone);
  Fiber& fiber = *fibers_[running_];
  if (!obey(fiber)) return false;
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

std::uint32_t Process::first_live_fiber() const {
  for (std::uint32_t i = 0; i < used_fibers_; ++i) {
    if (fiber_lives(i)) return i;
  }
  return 0;
}

// --- Operations ---------------------------------------------------------------------------------

std::uint16_t Process::begin_operation(Operation operation, HoldId hold) {
  SIM_ASSERT(running_ != FiberPool::kNone);
  if (alive_ && ++operations_ == UINT16_MAX) world_.stop(EndReason::step_limit);
  Fiber& fiber = *fibers_[running_];
  fiber.operation = operation;
  Work& work = world_.work();
  work.span = Span::of_operation(id(), static_cast<std::uint8_t>(fiber.index), operations_, 0);
  work.hold = operation == Operation::acquire ? HoldId::of(id(), operations_) : hold;
  return operations_;
}

void Process::resume_operation(Operation operation, HoldId hold) {
  Fiber& fiber = *fibers_[running_];
  fiber.operation = operation;
  Work& work = world_.work();
  // Its first attempt was the acquire's; the next one gets a nonce of its own.
  work.span = Span::of_operation(id(), static_cast<std::uint8_t>(fiber.index),
                                 static_cast<std::uint16_t>(hold.value & 0xffff), 1);
  work.hold = hold;
}

void Process::align_operations(std::uint32_t block) {
  const std::uint32_t aligned = (operations_ + block - 1) / block * block;
  // Span and HoldId have sixteen bits for it: a longer run ends, as at any limit of its size.
  if (aligned >= UINT16_MAX) return world_.stop(EndReason::step_limit);
  if (alive_) operations_ = static_cast<std::uint16_t>(aligned);
}

void Process::end_operation() {
  fibers_[running_]->operation = Operation::none;
}

std::uint16_t Process::begin_attempt() {
  Span& span = world_.work().span;
  const auto attempt = static_cast<std::uint16_t>(span.attempt() + 1);
  span = Span::of_operation(id(), span.fiber(), span.operation(), attempt);
  return attempt;
}

Operation Process::phase() const {
  return running_ == FiberPool::kNone ? Operation::none : fibers_[running_]->operation;
}

}  // namespace locklab
