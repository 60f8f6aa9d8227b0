// real_client: one client of a story as a process of the machine, with the lock's own source.
// SPDX-License-Identifier: Apache-2.0
//
// Descriptor 3 is the control connection to the driver, which sends the setup first.
#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/workload.h"
#include "tests/real/parent.h"

namespace locklab::real {
namespace {

constexpr int kControl = 3;

ActorId actor_of(std::int64_t number) {
  return ActorId{static_cast<std::uint16_t>(number)};
}

ClientConfig config_of(const SeatSetup& seat) {
  ClientConfig config;
  config.algorithm = seat.algorithm;
  config.key = seat.key;
  config.ttl = duration_from_bits(seat.ttl);
  config.margin = duration_from_bits(seat.margin);
  config.timeout = duration_from_bits(seat.timeout);
  config.retries = static_cast<std::uint32_t>(seat.retries);
  config.pool = static_cast<TimeoutPolicy>(seat.pool);
  return config;
}

WorkloadConfig workload_of(const ClientSetup& setup) {
  WorkloadConfig workload;
  workload.rounds = static_cast<std::uint32_t>(setup.rounds);
  workload.attempts = static_cast<std::uint32_t>(setup.attempts);
  workload.work = duration_from_bits(setup.work);
  workload.think = duration_from_bits(setup.think);
  workload.poll = duration_from_bits(setup.poll);
  workload.effects = static_cast<std::uint32_t>(setup.effects);
  workload.resource_timeout = duration_from_bits(setup.resource_timeout);
  workload.read_only = setup.read_only != 0;
  workload.unlock = static_cast<Unlock>(setup.unlock);
  workload.nested = setup.nested != 0;
  workload.nested_ttl = duration_from_bits(setup.nested_ttl);
  workload.nested_effects = setup.nested_effects != 0;
  workload.chains = static_cast<std::uint32_t>(setup.chains);
  return workload;
}

/// The servers of one client, as its lock sees them.
class Servers {
 public:
  explicit Servers(const ClientSetup& setup, World& world)
      : resource_(actor_of(setup.resource)), counter_(actor_of(setup.counter)) {
    nodes_.reserve(setup.nodes.size());
    for (const std::int64_t node : setup.nodes)
      nodes_.emplace_back(actor_of(node));
    stage_.world = &world;
    for (Endpoint& node : nodes_)
      stage_.nodes.push_back(&node);
    stage_.resource = &resource_;
    stage_.counter = &counter_;
    if (setup.orchestrated != 0) stage_.orchestrator = &orchestrator_;
  }
  Stage& stage() { return stage_; }

 private:
  Endpoint resource_;
  Endpoint counter_;
  Endpoint orchestrator_{kWorldActor};
  std::vector<Endpoint> nodes_;
  Stage stage_;
};

/// What scenarios/probe.cpp lets the probe do for each lock, without the end: the driver ends it.
void contend(ClientProgram& program, const ClientSetup& setup) {
  Client client(*program.process, *program.stage, program.config->timeout);
  Harness harness(client, *program.lock,
                  {program.config->key, program.config->ttl, program.config->margin},
                  *program.stage);
  World& world = *program.stage->world;
  const ActorId self = program.process->id();
  const Duration poll =
      program.workload->poll +
      world.choose_delay(ChoiceKind::poll_phase, self, program.workload->poll, Witness{});
  for (;;) {
    std::optional<WorkContext> work;
    if (program.renews) work.emplace(client);
    const std::optional<Hold> hold = harness.acquire(work ? &*work : nullptr, true);
    const std::int64_t fence = hold ? hold->lease.fence : 0;
    const bool let_in = fence >= setup.fence_least && fence <= setup.fence_most;
    if (hold && !let_in) harness.release(*hold);
    if (hold && let_in) {
      world.record({.actor = self.value,
                    .kind = EventKind::probe_acquired,
                    .flags = event_flags::kProbe,
                    .hold = hold->id.value});
      harness.enter(*hold);
      harness.leave(*hold, LeaveReason::done);
      harness.release(*hold);
      return;
    }
    client.sleep_for(poll);
  }
}

/// A seat as scenarios/run.cpp makes it. The probe has one for each lock.
struct Seat {
  ClientConfig config;
  std::unique_ptr<Lock> lock;
  ClientProgram program;
};

std::unique_ptr<Seat> seat_of(const SeatSetup& given, const ClientSetup& setup) {
  auto seat = std::make_unique<Seat>();
  seat->config = config_of(given);
  const LockInfo* const info = find_lock(given.algorithm);
  if (info == nullptr) throw Trouble("no lock is named " + given.algorithm);
  seat->lock = info->make();
  seat->lock->begin();
  seat->program.renews = info->renews;
  seat->program.objects = static_cast<std::uint32_t>(setup.objects);
  for (std::size_t i = 0; i < setup.progress.size(); ++i) {
    std::uint32_t& number = i % 2 == 0 ? seat->program.chains.at(i / 2).rounds_done
                                       : seat->program.chains.at(i / 2).attempts;
    number = static_cast<std::uint32_t>(setup.progress[i]);
  }
  return seat;
}

/// What survives a restart: the number of operations, then rounds and attempts of each chain.
Words progress_of(const Process& process, const ClientProgram& program, std::int64_t chains) {
  Words words = {word_of(process.operations())};
  for (std::size_t i = 0; i < static_cast<std::size_t>(chains); ++i) {
    words.push_back(word_of(program.chains.at(i).rounds_done));
    words.push_back(word_of(program.chains.at(i).attempts));
  }
  return words;
}

void play(Conversation& driver) {
  const ClientSetup setup = ClientSetup::of(driver.listen());
  World world(driver);
  Process process(driver, world, setup);
  world.set_process(process);
  Servers servers(setup, world);
  const WorkloadConfig workload = workload_of(setup);
  std::vector<std::unique_ptr<Seat>> seats;
  for (const SeatSetup& given : setup.seats) {
    Seat& seat = *seats.emplace_back(seat_of(given, setup));
    seat.program.workload = &workload;
    seat.program.config = &seat.config;
    seat.program.stage = &servers.stage();
    seat.program.process = &process;
    seat.program.lock = seat.lock.get();
  }
  process.progress = [&] { return progress_of(process, seats.front()->program, setup.chains); };
  if (setup.probes == 0) {
    process.timeout_policy = seats.front()->config.pool;
    process.serve([&seats, &setup] { run_client(seats.front()->program); });
  } else {
    process.serve([&seats, &setup] {
      for (const auto& seat : seats)
        contend(seat->program, setup);
    });
  }
}

}  // namespace
}  // namespace locklab::real

int main() {
  locklab::real::end_with_parent();
  try {
    locklab::real::Descriptor control{locklab::real::kControl};
    locklab::real::Conversation driver{locklab::real::Stream{std::move(control)}};
    locklab::real::play(driver);
    return 0;
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "real_client: %s\n", failure.what());
    return 1;
  }
}
