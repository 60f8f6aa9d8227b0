// MachineProcess: the event-driven counterpart of sim/process.h, without a stack of its own.
// SPDX-License-Identifier: Apache-2.0
//
// The baseline of the benchmarks. It makes the records, choices and events of a Process with one
// fiber at the same places, so that equal seeds give equal digests; a derived class is the program,
// written as a state machine. It knows resets, lost replies and timeouts, and nothing that stops a
// process: what Process pays to be paused, killed or cancelled counts against the fibers.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/process.h"
#include "sim/stage.h"

namespace locklab::bench {

class MachineProcess : public Actor {
 public:
  MachineProcess(World& world, Network& network) : world_(world), network_(network) {}
  void start(Duration after);
  void handle(const Event& event) final;
  /// Its program has not ended, or has not begun.
  bool busy() const { return busy_; }
  std::uint64_t activations() const { return activations_; }

 protected:
  static constexpr std::size_t kCallsMax = 8;

  void begin_process();
  /// Goes on after what was awaited; ends by sleeping or calling. false: the program has ended.
  virtual bool activate() = 0;

  World& world() { return world_; }
  LocalInstant now() const { return world_.read(host(), ClockId::monotonic); }
  void reach(Label label, ActorId server = {}, ConnectionId connection = kNoConnection,
             TextId command = {});
  void sleep_until(LocalInstant deadline);
  /// Sends; the next activation finds an outcome in result() for each request.
  void call(std::span<const Request> requests, Duration timeout, const CallLabels& labels);
  CallResult result(std::size_t request) const;

  std::uint16_t begin_operation(Operation operation, HoldId hold);
  void align_operations(std::uint32_t block);
  void end_operation() { operation_ = Operation::none; }
  Operation operation() const { return operation_; }
  std::uint16_t begin_attempt();
  void watch_claim(HoldId hold, TextId lock, LocalInstant until);
  void unwatch_claim() { world_.disarm(claim_watch_); }

 private:
  struct Call {
    ConnectionId connection = kNoConnection;
    CallState state = CallState::cancelled;
    const void* body = nullptr;
  };

  void resume(const Event& event);
  void schedule_resume();
  ConnectionId connection_to(ActorId server);
  void send(Call& call, const Request& request, const CallLabels& labels);
  void finish(Call& call, CallState state, const void* body);
  void on_data(ConnectionId connection);
  void on_timer(const Event& event);
  void give_up();

  World& world_;
  Network& network_;
  Work kept_;  // Of the program, while others are dispatched.
  Operation operation_ = Operation::none;
  Label at_ = Label::none;
  bool busy_ = false;
  bool waiting_ = false;
  std::uint16_t operations_ = 0;
  std::uint32_t generation_ = 0;
  std::uint64_t activations_ = 0;
  TimerHandle timer_;
  TimerHandle claim_watch_;
  LocalInstant deadline_;  // Of the calls.
  std::array<Call, kCallsMax> calls_{};
  std::size_t call_count_ = 0;
  std::size_t outstanding_ = 0;
  std::vector<ConnectionId> idle_connections_;
};

}  // namespace locklab::bench
