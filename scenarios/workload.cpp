// Workload: the client program, as a Go service would write it.
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/workload.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace locklab {
namespace {

/// In [0, bound), by a free dimension: drawn once per client, the base in the calm run.
Duration phase(ClientProgram& program, ChoiceKind kind, Duration bound) {
  return program.stage->world->choose_delay(kind, program.process->id(), bound, witness_of(0, 0));
}

/// `defer lock.Unlock()`: whatever unwinds the section leaves it and releases the lock; or just
/// leaves it, when the program unlocks otherwise.
class Section {
 public:
  Section(Harness& harness, const Hold& hold, Unlock unlock)
      : harness_(harness), hold_(hold), deferred_(unlock == Unlock::deferred) {
    harness_.enter(hold_);
  }
  Section(const Section&) = delete;
  Section& operator=(const Section&) = delete;
  // NOLINTNEXTLINE(bugprone-exception-escape): while unwinding, no call of the harness throws.
  ~Section() {
    if (left_) return;
    harness_.leave(hold_, LeaveReason::panicked);
    if (deferred_) harness_.release(hold_);
  }
  void leave(LeaveReason reason) {
    harness_.leave(hold_, reason);
    left_ = true;
  }

 private:
  Harness& harness_;
  const Hold& hold_;
  bool deferred_;
  bool left_ = false;
};

class Program {
 public:
  Program(ClientProgram& program, std::uint32_t chain)
      : program_(program),
        alive_(program),
        progress_(program.chains[chain]),
        workload_(*program.workload),
        client_(*program.process, *program.stage, program.config->timeout, program.config->retries),
        harness_(client_, *program.lock,
                 {program.config->key, program.config->ttl, program.config->margin},
                 *program.stage) {}

  void run() {
    poll_ = workload_.poll + phase(program_, ChoiceKind::poll_phase, workload_.poll);
    work_ = workload_.work + phase(program_, ChoiceKind::work, workload_.work);
    while (progress_.rounds_done < workload_.rounds) {
      if (!round()) return;
      ++progress_.rounds_done;
      client_.sleep_for(workload_.think);
    }
  }

 private:
  /// false: out of attempts.
  bool round() {
    program_.process->align_operations(kOperationsPerRound);
    std::optional<WorkContext> work;
    if (program_.renews) work.emplace(client_);
    for (;;) {
      if (progress_.attempts >= workload_.attempts) return false;
      ++progress_.attempts;
      if (std::optional<Hold> hold = harness_.acquire(work ? &*work : nullptr)) {
        program_.process->align_operations(kOperationsPerHalf);
        section(*hold, work);
        if (workload_.unlock != Unlock::before_commit) harness_.release(*hold);
        return true;
      }
      client_.sleep_for(poll_);
    }
  }

  void section(Hold& hold, std::optional<WorkContext>& work) {
    Section section(harness_, hold, workload_.unlock);
    LeaveReason reason = LeaveReason::done;
    for (std::uint32_t i = 0; i < workload_.effects && reason == LeaveReason::done; ++i)
      reason = effects(hold, work, i + 1 == workload_.effects);
    section.leave(reason);
  }

  /// Reads, computes and appends once.
  LeaveReason effects(Hold& hold, std::optional<WorkContext>& work, bool last) {
    const LeaveReason read = each_object(hold, ResourceOp::read);
    if (read != LeaveReason::done) return read;
    const Duration length = work_ / workload_.effects;
    if (!rest(work, length)) return LeaveReason::told_lost;
    if (workload_.nested) {
      const LeaveReason inner = call_inner(hold);
      if (inner != LeaveReason::done) return inner;
      if (!rest(work, length)) return LeaveReason::told_lost;
    }
    if (last && workload_.unlock == Unlock::before_commit) {
      // The wrong order: the lock is gone, and what it protects is still to be written.
      harness_.release(hold);
      client_.sleep_for(length / 4);
    }
    return workload_.read_only ? LeaveReason::done : each_object(hold, ResourceOp::append);
  }

  /// Works for a while. false: told to stop.
  bool rest(std::optional<WorkContext>& work, Duration length) {
    if (work) return work->context().sleep_for(length);
    client_.sleep_for(length);
    return true;
  }

  /// A function that knows nothing of its caller's lock, and takes it again.
  LeaveReason call_inner(Hold& hold) {
    for (;;) {
      if (const std::optional<Lease> lease = harness_.acquire_nested(hold, workload_.nested_ttl)) {
        const LeaveReason reason = inner(hold, *lease);
        harness_.release_nested(hold, *lease);
        return reason;
      }
      if (progress_.attempts >= workload_.attempts) return LeaveReason::lease_over;
      ++progress_.attempts;
      client_.sleep_for(poll_);
    }
  }

  LeaveReason inner(Hold& hold, const Lease& lease) {
    const Duration length = work_ / workload_.effects;
    if (!workload_.nested_effects) {
      client_.sleep_for(length);
      return LeaveReason::done;
    }
    // It knows its own lease only; what the hold has read, it has read too.
    const Lease outer = std::exchange(hold.lease, lease);
    const Deferred restore([&hold, &outer] { hold.lease = outer; });
    const LeaveReason read = each_object(hold, ResourceOp::read);
    if (read != LeaveReason::done) return read;
    client_.sleep_for(length);
    return workload_.read_only ? LeaveReason::done : each_object(hold, ResourceOp::append);
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
        case EffectOutcome::told_lost:
          return LeaveReason::told_lost;
        case EffectOutcome::unknown:
          // It may still be under way: never repeated; the hold is kept until its deadline.
          client_.sleep_until(program_.renews ? client_.now() + program_.config->ttl
                                              : std::min(hold.lease.until, hold.give_up));
          return LeaveReason::lease_over;
      }
    }
    return LeaveReason::done;
  }

  /// Counted until its stack is gone.
  struct Alive {
    explicit Alive(ClientProgram& of) : program(of) { ++program.chains_alive; }
    Alive(const Alive&) = delete;
    Alive& operator=(const Alive&) = delete;
    ~Alive() { --program.chains_alive; }
    ClientProgram& program;
  };

  ClientProgram& program_;
  const Alive alive_;
  ChainProgress& progress_;
  const WorkloadConfig& workload_;
  Client client_;
  Harness harness_;
  Duration poll_;
  Duration work_;
};

}  // namespace

void run_client(ClientProgram& program) {
  program.lock->forget();
  if (program.workload->chains == 1) return Program(program, 0).run();

  /// Outlives the main chain, which a panic may end first.
  struct Chains {
    explicit Chains(const ClientProgram& of)
        : client(*of.process, *of.stage, of.config->timeout), group(client) {}
    Client client;
    WaitGroup group;
  };
  const auto others = std::make_shared<Chains>(program);
  for (std::uint32_t chain = 1; chain < program.workload->chains; ++chain) {
    others->group.add(1);
    others->client.go([&program, others, chain] {
      const Deferred done([&others] { others->group.done(); });
      Program(program, chain).run();
    });
  }
  Program(program, 0).run();
  others->group.wait();
}

}  // namespace locklab
