// Process: its beginning, its events, and the operations that it counts.
// SPDX-License-Identifier: Apache-2.0
#include "sim/process.h"

#include "sim/contract.h"

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
  wall_reads_ = 0;
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
    if (world_.put_off(event)) return;
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
