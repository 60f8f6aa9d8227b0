// Process: a client program of one or more fibers, with a host's clocks and a pool of connections.
// SPDX-License-Identifier: Apache-2.0
//
// A pause stops every fiber while clocks run on and messages queue; what it finds on waking, and in
// which order, is a choice. Four ways to end, never one: panic, kill, host loss, cancel (kernel
// contract, "Faults"). In a dead process every call returns unknown, without event, message or
// choice.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sim/fibers.h"
#include "sim/net/network.h"
#include "sim/task.h"
#include "sim/timeout_policy.h"
#include "sim/world.h"

namespace locklab {

/// Unwinds a fiber's stack. Not std::exceptions: lock code must let them pass.
struct Killed {};     // For memory only: destructors have no effect on the world.
struct Cancelled {};  // Destructors act as usual.
struct Panic {
  bool recovered = false;
};

enum class CallState : std::uint8_t {
  pending,
  replied,
  timed_out,  // It may have been executed: unknown.
  broken,     // Reset or end of stream: unknown.
  refused,    // Nobody listens: it was not executed.
  cancelled,  // The waiting fiber was cancelled or has died: unknown.
};

/// What a call came to; `body` is of the server's protocol (redis::Reply, ResourceReply, …).
struct CallResult {
  CallState state = CallState::pending;
  const void* body = nullptr;
  bool is_replied() const { return state == CallState::replied; }
};

/// A request to be sent: its body lives in the world's arena.
struct Request {
  ActorId server{};
  MessageKind kind = MessageKind::request;
  TextId command{};
  std::int64_t code = 0;  // For the record `sent`.
  const void* body = nullptr;
  std::uint32_t count = 0;
};

/// The labels around a call.
struct CallLabels {
  Label before_send = Label::none;
  Label sent = Label::none;
};

class Process : public Actor {
 public:
  Process(World& world, Network& network, FiberPool& pool);
  ~Process() override;
  /// Forgets the last execution.
  void begin();
  void handle(const Event& event) override;

  /// Starts a fiber of this process; from a fiber it inherits the caller's span. → its index.
  std::uint32_t go(Task body);
  /// What a restart runs anew.
  void set_program(void (*program)(void* argument), void* argument);
  void start(Duration after);

  // --- For the running fiber ------------------------------------------------------------------
  std::uint32_t running() const { return running_; }
  bool alive() const { return alive_; }
  LocalInstant now(ClockId clock = ClockId::monotonic) const { return world_.read(host(), clock); }
  LocalInstant wall_now() {
    ++wall_reads_;
    return now(ClockId::wall);
  }
  /// Passes a label and then does what struck: stays paused, unwinds, …
  void reach(Label label, ActorId server = {}, ConnectionId connection = kNoConnection,
             TextId command = {});
  /// Parks until wake() or the deadline. true: woken; false: the deadline passed. Throws Killed,
  /// Cancelled or Panic when one of them ended the wait; a destructor of a dead process does not
  /// wait.
  bool wait(LocalInstant deadline, DeadlineKind kind);
  /// Names the present wait, for wake().
  struct WaitId {
    std::uint32_t fiber = 0;
    std::uint32_t generation = 0;
  };
  WaitId next_wait() const;
  void wake(WaitId wait);

  /// Sends one request to each server and waits until all have an outcome or the deadline passes.
  /// results[i] belongs to requests[i]. A kill on the way gives "unknown", never an exception, so
  /// that a destructor may call; a cancel or a panic is thrown at once.
  void call(std::span<const Request> requests, Duration timeout, const CallLabels& labels,
            std::span<CallResult> results);
  /// Of connections to lock servers; those to the resource are always closed.
  TimeoutPolicy timeout_policy = TimeoutPolicy::close_connection;

  // --- Operations -----------------------------------------------------------------------------
  /// Begins an operation: a new span for the running fiber. → its number, from 1, over restarts
  /// too.
  std::uint16_t begin_operation(Operation operation, HoldId hold);
  /// The next operation gets a number one above a multiple of `block` (sim/ids.h).
  void align_operations(std::uint32_t block);
  void end_operation();
  /// The running fiber works on in another role for the operation that started it.
  void continue_as(Operation operation) { fibers_[running_]->operation = operation; }
  /// The running fiber acts for a hold that it asked for earlier, under that operation's number,
  /// until its next operation begins.
  void resume_operation(Operation operation, HoldId hold);
  /// A new attempt within the operation: its number, from 1.
  std::uint16_t begin_attempt();
  Operation phase() const;
  /// Records claim_end when the own monotonic clock reads `until`: a watch, which fires also while
  /// the process is paused. One per process.
  void watch_claim(HoldId hold, TextId lock, LocalInstant until);
  void unwatch_claim() { world_.disarm(claim_watch_); }

  // --- What strikes it ------------------------------------------------------------------------
  void pause(Duration length);
  bool paused() const { return paused_; }
  Instant paused_until() const { return paused_until_; }
  void stall(std::uint32_t fiber, Duration length);
  void cancel(std::uint32_t fiber);
  void panic(std::uint32_t fiber, bool recovered);
  /// Ends it; with `restart_after`, its program begins anew on an empty memory.
  void kill(EndKind kind, Duration restart_after);

  // --- For the driver, probe and controls -------------------------------------------------------
  /// Unwinds the stacks of a process that has died. On the main loop only.
  void bury();
  /// Ends the process without a trace, after the execution: unwinds what is left.
  void discard();
  bool needs_burial() const { return !alive_ && live_fibers_ > 0; }
  std::uint32_t live_fibers() const { return live_fibers_; }
  bool fiber_lives(std::uint32_t index) const {
    return index < used_fibers_ && fibers_[index]->phase != FiberPhase::idle;
  }
  /// 0 when none does.
  std::uint32_t first_live_fiber() const;
  bool restarting() const { return restarting_; }
  /// The fiber that runs the program; others may outlive it.
  bool program_lives() const { return alive_ && fiber_lives(program_fiber_); }
  /// The server that this client takes for the primary.
  ActorId primary{};
  std::uint32_t primary_epoch = 0;  // Of its promotion; what is older is no news.
  /// How often its program has looked at the wall clock.
  std::uint64_t wall_reads() const { return wall_reads_; }
  /// Folds fibers, waits and calls into the state hash, times relative to now.
  std::uint64_t state_hash() const;
  /// An exception that left a fiber's body and is not one of ours: rethrown by the driver.
  std::exception_ptr take_failure() { return std::exchange(failure_, nullptr); }
  bool blocked_in_foreign_primitive() const { return foreign_fibers_ > 0; }
  /// The driver has something to do: a failure, a burial or a foreign primitive. Asked after each
  /// dispatch, of everybody.
  bool needs_driver() const { return failure_ || needs_burial() || foreign_fibers_ > 0; }
  void resume_foreign(std::uint32_t pool_id);

 private:
  enum class FiberPhase : std::uint8_t { idle, scheduled, waiting, running, foreign };
  enum class Interruption : std::uint8_t { none, cancel, panic };
  struct Fiber {
    Process* process = nullptr;
    std::uint32_t index = 0;
    std::uint32_t pool_id = FiberPool::kNone;
    Task body;
    FiberPhase phase = FiberPhase::idle;
    Work work;
    Operation operation = Operation::none;
    std::uint32_t generation = 0;
    bool woken = false;
    TimerHandle timer;
    Instant stalled_until;
    Interruption interruption = Interruption::none;
    bool panic_recovered = false;
    Label at = Label::none;
    LocalInstant wait_deadline = LocalInstant::never();
    std::uint32_t outstanding = 0;  // Calls without an outcome.
  };
  struct Call {
    std::uint32_t fiber = 0;
    ConnectionId connection = kNoConnection;
    CallState state = CallState::pending;
    const void* body = nullptr;
    LocalInstant deadline;
    bool in_use = false;
  };
  // A dead program's calls return unknown. One that never waits for anything else would loop for
  // ever; after this many calls its stack is unwound from the call itself.
  static constexpr std::uint32_t kDeadCallsMax = 64;
  static constexpr std::size_t kRequestsMax = 16;  // Servers asked at once.

  static void enter(void* fiber);
  void run(Fiber& fiber);
  void resume(std::uint32_t index, const Event& event);
  void schedule_resume(Fiber& fiber);
  /// Does what struck the running fiber: stays paused or stalled, or throws what interrupts it.
  /// false: its process has died, and its stack is being unwound.
  bool live_on(Fiber& fiber);
  /// As live_on(), but the dead are thrown out, unless a destructor of theirs is running.
  bool obey(Fiber& fiber);
  bool is_unwinding() const;
  void died(EndKind kind);
  void pass(Label label, ActorId server, ConnectionId connection, TextId command);

  ConnectionId connection_to(ActorId server);
  std::uint32_t send(const Request& request, const CallLabels& labels, LocalInstant deadline);
  void await_calls(Fiber& fiber, LocalInstant deadline);
  void abandon_calls(std::uint32_t fiber);
  void finish(std::uint32_t call, CallState state, const void* body);
  void on_data(ConnectionId connection);
  void on_timer(const Event& event);
  void give_up(Fiber& fiber);
  void on_claim_end(const Event& event);
  /// → whether it was news.
  bool rediscover(const Event& event);
  void on_wake();

  World& world_;
  Network& network_;
  FiberPool& pool_;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::uint32_t used_fibers_ = 0;
  std::uint32_t live_fibers_ = 0;
  std::uint32_t foreign_fibers_ = 0;  // In FiberPhase::foreign.
  std::uint32_t running_ = FiberPool::kNone;
  bool alive_ = true;
  bool burying_ = false;
  bool restarting_ = false;
  std::uint32_t life_ = 0;  // Ends with a death, and with it a start that was still to come.
  std::uint16_t operations_ = 0;
  std::uint32_t dead_calls_ = 0;
  std::uint64_t wall_reads_ = 0;
  void (*program_)(void*) = nullptr;
  void* program_argument_ = nullptr;
  std::uint32_t program_fiber_ = FiberPool::kNone;

  bool paused_ = false;
  bool deadlines_first_ = false;  // Waking, by the choice wake-order: no reply is waited for.
  Instant paused_until_;
  std::vector<Event> held_data_;
  std::vector<Event> held_timers_;
  std::vector<Event> held_fibers_;

  std::vector<Call> calls_;
  std::vector<ConnectionId> idle_connections_;
  std::exception_ptr failure_;
  TimerHandle claim_watch_;
};

}  // namespace locklab
