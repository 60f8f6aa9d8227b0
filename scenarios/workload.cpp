// Workload: the client program, as a Go service would write it.
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/workload.h"

#include <algorithm>

namespace locklab {
namespace {

/// In [0, bound), by a free dimension: drawn once per client, the base in the calm run.
Duration phase(ClientProgram& program, ChoiceKind kind, Duration bound) {
  return program.stage->world->choose_delay(kind, program.process->id(), bound, witness_of(0, 0));
}

/// `defer lock.Unlock()`: whatever unwinds the section leaves it and releases the lock.
class Section {
 public:
  Section(Harness& harness, const Hold& hold) : harness_(harness), hold_(hold) {
    harness_.enter(hold_);
  }
  Section(const Section&) = delete;
  Section& operator=(const Section&) = delete;
  // NOLINTNEXTLINE(bugprone-exception-escape): while unwinding, no call of the harness throws.
  ~Section() {
    if (left_) return;
    harness_.leave(hold_, LeaveReason::panicked);
    harness_.release(hold_);
  }
  void leave(LeaveReason reason) {
    harness_.leave(hold_, reason);
    left_ = true;
  }

 private:
  Harness& harness_;
  const Hold& hold_;
  bool left_ = false;
};

class Program {
 public:
  Program(ClientProgram& program)
      : program_(program),
        workload_(*program.workload),
        client_(*program.process, *program.stage, program.config->timeout),
        harness_(client_, *program.lock,
                 {program.config->key, program.config->ttl, program.config->margin},
                 *program.stage) {}

  void run() {
    poll_ = workload_.poll + phase(program_, ChoiceKind::poll_phase, workload_.poll);
    work_ = workload_.work + phase(program_, ChoiceKind::work, workload_.work);
    while (program_.rounds_done < workload_.rounds) {
      if (!round()) return;
      ++program_.rounds_done;
      client_.sleep_for(workload_.think);
    }
  }

 private:
  /// false: out of attempts.
  bool round() {
    program_.process->align_operations(kOperationsPerRound);
    for (;;) {
      if (program_.attempts >= workload_.attempts) return false;
      ++program_.attempts;
      if (std::optional<Hold> hold = harness_.acquire()) {
        program_.process->align_operations(kOperationsPerHalf);
        section(*hold);
        harness_.release(*hold);
        return true;
      }
      client_.sleep_for(poll_);
    }
  }

  void section(Hold& hold) {
    Section section(harness_, hold);
    LeaveReason reason = LeaveReason::done;
    for (std::uint32_t i = 0; i < workload_.effects && reason == LeaveReason::done; ++i) {
      reason = each_object(hold, ResourceOp::read);
      if (reason != LeaveReason::done) break;
      client_.sleep_for(work_ / workload_.effects);
      if (!workload_.read_only) reason = each_object(hold, ResourceOp::append);
    }
    section.leave(reason);
  }

  LeaveReason each_object(Hold& hold, ResourceOp op) {
    for (std::uint32_t object = 0; object < program_.objects; ++object) {
      switch (harness_.effect(hold, op, object, workload_.resource_timeout)) {
        case EffectOutcome::accepted:
          break;
        case EffectOutcome::rejected:
          return LeaveReason::told_lost;  // The resource has seen a newer holder.
        case EffectOutcome::lease_over:
          return LeaveReason::lease_over;
        case EffectOutcome::unknown:
          // It may still be under way: never repeated; the hold is kept until its deadline.
          client_.sleep_until(std::min(hold.lease.until, hold.give_up));
          return LeaveReason::lease_over;
      }
    }
    return LeaveReason::done;
  }

  ClientProgram& program_;
  const WorkloadConfig& workload_;
  Client client_;
  Harness harness_;
  Duration poll_;
  Duration work_;
};

}  // namespace

void run_client(ClientProgram& program) {
  Program(program).run();
}

}  // namespace locklab
