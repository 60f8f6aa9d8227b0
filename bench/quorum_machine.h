// QuorumMachine: models/redlock.h and its harness records, as a state machine.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "bench/machine_process.h"
#include "scenarios/harness.h"
#include "scenarios/scenario.h"

namespace locklab::bench {

class QuorumMachine : public MachineProcess {
 public:
  QuorumMachine(Stage& stage) : MachineProcess(*stage.world, *stage.network), stage_(stage) {}
  void begin(const WorkloadConfig& workload, const ClientConfig& config);

 protected:
  bool activate() final;

  /// What the program does when an operation has ended, or something else than one was awaited.
  /// false: it has ended.
  virtual bool on_start() = 0;
  virtual bool on_acquired(bool granted) = 0;
  virtual bool on_released() = 0;
  virtual bool on_other() = 0;

  void acquire(bool by_probe);
  void release();
  void enter();
  void leave(LeaveReason reason);
  bool valid() const { return now() < hold_.lease.until; }
  /// A free dimension of the program, as scenarios/workload.cpp draws it.
  Duration phase(ChoiceKind kind, Duration bound);

  Stage& stage_;
  const WorkloadConfig* workload_ = nullptr;
  const ClientConfig* config_ = nullptr;
  Hold hold_;

 private:
  enum class Step : std::uint8_t {
    start,
    votes,    // SET has been sent to all.
    scripts,  // EVALSHA has been sent to all, to release or to undo.
    retries,  // EVAL has been sent to one that did not know the script.
    other     // The program waits for something of its own.
  };

  Record about_hold(EventKind kind) const;
  void ask_all(std::span<const std::string_view> argv, std::string_view title);
  void keep_answers();
  bool count_votes();
  void remove_everywhere();
  bool retry_or_settle();
  bool settle_removal();
  bool end_acquire(Outcome outcome);

  Step step_ = Step::start;
  TextId key_;
  std::uint16_t flags_ = 0;
  bool unknown_vote_ = false;
  std::span<std::string_view> script_argv_;
  std::uint32_t next_retry_ = 0;
  std::uint32_t retried_ = 0;
  std::array<CallResult, kCallsMax> answers_{};
};

}  // namespace locklab::bench
