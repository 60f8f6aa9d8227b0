// Process: its fibers begin, are scheduled, wait, wake, and give way to whatever struck them.
// SPDX-License-Identifier: Apache-2.0
#include <exception>
#include <utility>

#include "sim/contract.h"
#include "sim/process.h"

namespace locklab {

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

}  // namespace locklab
