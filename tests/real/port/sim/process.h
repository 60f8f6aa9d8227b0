// Process of a real client: sockets of its own, and a driver that lets it take each step.
// SPDX-License-Identifier: Apache-2.0
//
// A fiber waits at each point where the simulated one could be struck, parks or records (a gate),
// until the driver has come there. Which fiber goes on is the driver's to say; whether one can is
// not: a fiber that waits goes on when its own program has woken it, or its deadline has passed.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/choice.h"
#include "sim/clock.h"
#include "sim/fibers.h"
#include "sim/history.h"
#include "sim/ids.h"
#include "sim/label.h"
#include "sim/task.h"
#include "sim/time.h"
#include "sim/timeout_policy.h"
#include "tests/real/setup.h"
#include "tests/real/sockets.h"

namespace locklab {

namespace real {

/// The control connection, seen from the client.
class Conversation {
 public:
  explicit Conversation(Stream control) : control_(std::move(control)) {}
  void tell(const Words& words) { control_.write(encode(words)); }
  Words listen() { return words_of(decode(control_.read_value(-1))); }

 private:
  Stream control_;
};

}  // namespace real

class World;
struct Stage;

// The plain types from here to Panic are written a second time, from sim/process.h and sim/world.h:
// there they stand in headers that need the whole simulation.

/// Whose behalf the program works on.
struct Work {
  Span span;
  HoldId hold;
};

enum class MessageKind : std::uint8_t { request, reply, fence_request };
using ConnectionId = std::uint32_t;
constexpr ConnectionId kNoConnection = UINT32_MAX;

enum class CallState : std::uint8_t { pending, replied, timed_out, broken, refused, cancelled };

struct CallResult {
  CallState state = CallState::pending;
  const void* body = nullptr;
  bool is_replied() const { return state == CallState::replied; }
};

struct Request {
  ActorId server{};
  MessageKind kind = MessageKind::request;
  TextId command{};
  std::int64_t code = 0;
  const void* body = nullptr;
  std::uint32_t count = 0;
};

struct CallLabels {
  Label before_send = Label::none;
  Label sent = Label::none;
};

/// Unwinds a fiber's stack, as in the simulation. A killed process has no stack to unwind here.
struct Cancelled {};
struct Panic {
  bool recovered = false;
};

class Process {
 public:
  Process(real::Conversation& driver, World& world, const real::ClientSetup& setup);

  ActorId id() const { return id_; }
  bool alive() const { return true; }
  LocalInstant now(ClockId clock = ClockId::monotonic) const {
    return clock == ClockId::wall ? wall_ : monotonic_;
  }
  LocalInstant wall_now() const { return wall_; }
  void reach(Label label);
  bool wait(LocalInstant deadline, DeadlineKind kind);
  void call(std::span<const Request> requests, Duration timeout, const CallLabels& labels,
            std::span<CallResult> results);
  std::uint32_t go(Task body);
  struct WaitId {
    std::uint32_t fiber = 0;
    std::uint32_t generation = 0;
  };
  WaitId next_wait() const { return {running_->index, running_->generation + 1}; }
  void wake(WaitId wait);

  std::uint16_t begin_operation(Operation operation, HoldId hold);
  void align_operations(std::uint32_t block);
  void end_operation() { running_->operation = Operation::none; }
  void continue_as(Operation operation) { running_->operation = operation; }
  void resume_operation(Operation operation, HoldId hold);
  std::uint16_t begin_attempt();
  Operation phase() const { return running_->operation; }
  void watch_claim(HoldId hold, TextId lock, LocalInstant until);
  void unwatch_claim();

  /// Runs the program on the first fiber, and does what the driver says until the last has ended.
  void serve(Task program);
  /// Tells the driver where the running fiber stands, and waits until it may go on. → what it was
  /// told.
  real::Words gate(const real::Words& words);
  std::uint16_t operations() const { return operations_; }
  ActorId primary{};
  /// Of connections to lock servers, as in the simulation.
  TimeoutPolicy timeout_policy = TimeoutPolicy::close_connection;
  /// What survives a restart, as the driver keeps it.
  std::function<real::Words()> progress;

 private:
  enum class Interruption : std::uint8_t { none, cancel, panic };
  struct Call {
    ConnectionId connection = kNoConnection;
    MessageKind kind = MessageKind::request;
    bool to_resource = false;
    CallState state = CallState::pending;
    const void* body = nullptr;
  };
  struct Fiber {
    Process* process = nullptr;
    std::uint32_t index = 0;
    std::uint32_t pool_id = FiberPool::kNone;
    Task body;
    Work work;
    Operation operation = Operation::none;
    std::uint32_t generation = 0;
    bool waits = false;  // In wait(), or for the outcomes of its calls.
    bool woken = false;  // And may go on.
    Interruption interruption = Interruption::none;
    bool recovered = false;
    real::Words answer;
    std::vector<Call> calls;
  };

  Fiber& make_fiber(Task body);
  void run(Fiber& fiber);
  void resume(const real::Words& message);
  void obey();
  void ready(Fiber& fiber);
  void take_outcome(const real::Words& message);
  void strike(const real::Words& message);
  void tell_begun(const Fiber& fiber);
  void tell_progress();
  std::size_t pending_calls(const Fiber& fiber) const;
  void await_calls();
  void abandon_calls();
  void give_up(const Call& call);
  ConnectionId send(const Request& request, Label label, LocalInstant deadline);
  std::string bytes_of(const Request& request) const;
  const void* body_of(const Call& call, const real::Value& reply);

  real::Conversation& driver_;
  World& world_;
  FiberPool& pool_;
  ActorId id_;
  ActorId resource_;
  std::uint16_t operations_ = 0;
  LocalInstant monotonic_;
  LocalInstant wall_;
  bool probes_ = false;  // How long the probe sleeps is the simulation's to say.
  std::uint32_t first_fiber_ = 0;
  std::vector<std::unique_ptr<Fiber>> fibers_;  // From the first of this life.
  std::uint32_t live_fibers_ = 0;
  Fiber* running_ = nullptr;
  std::exception_ptr failure_;
  real::Words told_progress_;
  std::vector<std::int64_t> ports_;  // By server.
  std::map<ConnectionId, real::Stream> connections_;
};

}  // namespace locklab
