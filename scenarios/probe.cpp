// Probe: a client that contends when all is quiet, and the proof that nobody ever will.
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/probe.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "scenarios/blocking.h"
#include "sim/mix.h"

namespace locklab {
namespace {

/// A leaked watchdog's third renewal finds what its first found; a few more for several of them.
constexpr std::uint32_t kStepsInTime = 32;

/// The least rate of any node's clock at the end, as a divisor of durations: 1, 2 or 4.
std::int64_t slowest_clock(const Stage& stage) {
  std::int64_t factor = 1;
  for (const Node* node : stage.nodes) {
    const std::int64_t rate = stage.world->host(node->host()).wall.rate_ppb();
    if (rate <= -750'000'000) {
      factor = std::max<std::int64_t>(factor, 4);
    } else if (rate < 0) {
      factor = std::max<std::int64_t>(factor, 2);
    }
  }
  return factor;
}

/// Backward jumps of nodes' clocks, all together: a key lives that much longer.
Duration backward_jumps(const History& history) {
  Duration total;
  for (const Record& record : history.records()) {
    if (record.kind != EventKind::fault_begin) continue;
    const Duration size = duration_from_bits(record.local);
    if (size < Duration()) total = total - size;
  }
  return total;
}

Instant last_arrival(const Stage& stage) {
  Instant last = stage.world->now();
  stage.network->for_each_in_flight([&last](const Connection&, Direction, const Message& message) {
    if (message.arrival != Instant::never()) last = std::max(last, message.arrival);
  });
  return last;
}

/// Whatever will still happen by itself: restarts, wakings, demotions.
Instant last_scheduled(Stage& stage) {
  Instant last = stage.world->now();
  stage.world->queue().for_each([&last](Instant at, const Event& event) {
    if (!event.watch && !event.background && at != Instant::never()) last = std::max(last, at);
  });
  return last;
}

/// Restarts as many dead servers as a quorum needs; the rest stays dead.
void heal_quorum(Stage& stage, std::uint32_t quorum) {
  const auto can_answer = [&](const Node* node) {
    return is_asked(stage, node, quorum) && (node->alive() || node->restarting());
  };
  auto able = std::count_if(stage.nodes.begin(), stage.nodes.end(), can_answer);
  for (Node* node : stage.nodes) {
    if (able >= quorum) return;
    if (!is_asked(stage, node, quorum) || can_answer(node)) continue;
    node->revive();
    ++able;
  }
}

class ProbeRun {
 public:
  ProbeRun(const Scenario& scenario, Simulation& simulation,
           std::span<ClientProgram* const> programs, std::uint32_t insistence)
      : scenario_(scenario),
        simulation_(simulation),
        programs_(programs),
        insistence_(insistence) {}

  void run() {
    World& world = simulation_.world();
    for (ClientProgram* program : programs_) {
      record(EventKind::probe_begin, {}, record_bits(begin_phase()));
      contend(*program);
      if (world.stopped()) return;
    }
    world.stop(EndReason::finished);
  }

 private:
  /// → Δ, from now on.
  Duration begin_phase() {
    seen_count_ = 0;
    const Duration bound = probe_bound(scenario_, simulation_);
    simulation_.world().history().facts.probe_bound = bound;
    return bound;
  }

  void record(EventKind kind, HoldId hold, std::int64_t result, std::int64_t arg = 0) {
    simulation_.world().record({.actor = simulation_.probe().id().value,
                                .kind = kind,
                                .flags = event_flags::kProbe,
                                .hold = hold.value,
                                .arg = arg,
                                .result = result});
  }

  /// Returns when it has had the lock, or with the world stopped.
  void contend(ClientProgram& program) {
    Client client(*program.process, *program.stage, program.config->timeout);
    Harness harness(client, *program.lock,
                    {program.config->key, program.config->ttl, program.config->margin},
                    *program.stage);
    World& world = simulation_.world();
    const Duration poll =
        program.workload->poll + world.choose_delay(ChoiceKind::poll_phase, program.process->id(),
                                                    program.workload->poll, witness_of(0, 0));
    const Instant deadline = world.now() + world.history().facts.probe_bound;
    while (world.now() <= deadline) {
      if (gets_it(client, harness, program)) return;
      if (!others_wait(*program.process) && repeats()) {
        return blocked(client, harness, program, poll);
      }
      client.sleep_for(poll);
    }
    // Somebody goes on for ever. In step with it, and with no delays but the least, the state
    // repeats exactly unless something changes.
    world.choices().settle();
    for (std::uint32_t i = 0; i < kStepsInTime; ++i) {
      const Instant next = next_of_others(*program.process);
      client.sleep_for(next == Instant::never() ? poll
                                                : next - world.now() + world.round_trip() * 2);
      if (gets_it(client, harness, program)) return;
      if (repeats()) return blocked(client, harness, program, poll);
    }
    world.stop(EndReason::virtual_limit);
  }

  bool gets_it(Client& client, Harness& harness, const ClientProgram& program) {
    std::optional<WorkContext> work;
    if (program.renews) work.emplace(client);
    const std::optional<Hold> hold = harness.acquire(work ? &*work : nullptr, true);
    locked_out_ = hold ? program.stage->resource->lock_out(hold->lease.fence) : 0;
    if (!hold) return false;
    if (locked_out_ != 0) {
      harness.release(*hold);
      return false;
    }
    record(EventKind::probe_acquired, hold->id, 0);
    harness.enter(*hold);
    harness.leave(*hold, LeaveReason::done);
    harness.release(*hold);
    return true;
  }

  void blocked(Client& client, Harness& harness, const ClientProgram& program, Duration poll) {
    const BlockingFact fact = blocking_fact(program, locked_out_ != 0);
    record(EventKind::probe_blocked, {}, 0, static_cast<std::int64_t>(fact));
    World& world = simulation_.world();
    const Instant end = world.now() + world.history().facts.probe_bound * insistence_;
    world.choices().stir();
    while (world.now() < end && !gets_it(client, harness, program))
      client.sleep_for(poll);
    world.stop(EndReason::repeats);
  }

  /// When the next event of anybody else is due; never: nobody has anything to do.
  Instant next_of_others(const Process& process) {
    Instant next = Instant::never();
    simulation_.world().queue().for_each([&](Instant at, const Event& event) {
      const bool counts = !event.watch && !event.background && event.actor != process.id();
      if (counts) next = std::min(next, at);
    });
    return next;
  }
  bool others_wait(const Process& process) { return next_of_others(process) != Instant::never(); }

  /// How often any process has looked at the time of day.
  std::uint64_t wall_reads() const {
    std::uint64_t reads = simulation_.probe().wall_reads();
    for (const Process* process : simulation_.stage().processes)
      reads += process->wall_reads();
    return reads;
  }

  /// The state stands where it stood after an earlier attempt. Never, if somebody has looked at the
  /// time of day since then: whoever compares it with what is stored does not see the state modulo
  /// time.
  bool repeats() {
    if (const std::uint64_t reads = wall_reads(); reads != wall_reads_) {
      wall_reads_ = reads;
      seen_count_ = 0;
    }
    const std::uint64_t hash = mix(simulation_.state_hash(), locked_out_);
    const auto seen = std::span(seen_).first(std::min(seen_count_, seen_.size()));
    if (std::find(seen.begin(), seen.end(), hash) != seen.end()) return true;
    seen_[seen_count_++ % seen_.size()] = hash;
    return false;
  }

  const Scenario& scenario_;
  Simulation& simulation_;
  std::span<ClientProgram* const> programs_;
  std::uint32_t insistence_;
  std::array<std::uint64_t, 64> seen_{};  // A ring.
  std::size_t seen_count_ = 0;
  std::uint64_t wall_reads_ = 0;
  std::uint32_t locked_out_ = 0;  // Of the last grant: Resource::lock_out().
};

}  // namespace

Duration longest_ttl(const Scenario& scenario) {
  Duration longest = scenario.workload.nested_ttl;
  for (const ClientConfig& client : scenario.clients)
    longest = std::max(longest, client.ttl);
  return longest;
}

Duration probe_bound(const Scenario& scenario, Simulation& simulation) {
  Stage& stage = simulation.stage();
  const World& world = simulation.world();
  const Duration ttl = longest_ttl(scenario);
  Duration timeout;
  for (const ClientConfig& client : scenario.clients)
    timeout = std::max(timeout, longest_command(client.timeout, client.retries));
  // A dead holder's key, then one more of whoever got it by a late message; each at the slowest
  // rate.
  Duration bound = ttl * 2 * slowest_clock(stage) + backward_jumps(world.history());
  const FailoverConfig& failover = scenario.world.topology.failover;
  if (stage.orchestrator != nullptr) {
    bound = bound + failover.detect + failover.detect_spread + failover.demote_after +
            failover.rediscover_spread;
  }
  bound = bound + scenario.workload.poll * 4 + timeout * 4 + world.round_trip() * 20;
  const Instant settled =
      std::max({last_arrival(stage), last_scheduled(stage), simulation.faults().last_end()});
  return bound + (settled - world.now());
}

void run_probe(const Scenario& scenario, Simulation& simulation,
               std::span<ClientProgram* const> programs, std::uint32_t insistence) {
  World& world = simulation.world();
  Process& process = simulation.probe();
  world.work() = {};
  simulation.faults().stop();
  for (const ClientProgram* program : programs)
    heal_quorum(simulation.stage(), program->quorum);
  process.primary = simulation.stage().primary().id();
  const Orchestrator* const orchestrator = simulation.stage().orchestrator;
  process.primary_epoch = orchestrator == nullptr ? 0 : orchestrator->epoch();
  ProbeRun run(scenario, simulation, programs, insistence);
  process.set_program([](void* self) { static_cast<ProbeRun*>(self)->run(); }, &run);
  process.start(Duration());
  while (simulation.step()) {
  }
  simulation.finish();
  world.stop(EndReason::finished);
}

}  // namespace locklab
