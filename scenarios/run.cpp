// run: makes a world from a scenario, lets it run, and keeps what it left.
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run.h"

#include <algorithm>

#include "scenarios/probe.h"
#include "sim/contract.h"

namespace locklab {
namespace {

/// Whoever asks one node for the lock has that node for its authority, however many there are.
std::uint32_t quorum_of(const LockInfo& lock, const Scenario& scenario) {
  return lock.nodes > 1 ? scenario.world.topology.nodes / 2 + 1 : 1;
}

}  // namespace

struct Runner::Seat {
  ClientConfig config;
  const LockInfo* info = nullptr;
  std::unique_ptr<Lock> lock;
  ClientProgram program;
};

std::uint32_t Execution::deviation_count() const {
  return static_cast<std::uint32_t>(
      std::count_if(choices.begin(), choices.end(),
                    [](const Deviation& d) { return !is_free_dimension(d.address.kind()); }));
}

std::string check_locks(const Scenario& scenario, const LockFinder& find) {
  const ResourceMode mode = scenario.world.resource;
  if (mode == ResourceMode::split || mode == ResourceMode::cached) {
    return "the resource's mode " + std::string(name_of(mode)) + " is not simulated yet";
  }
  for (const ClientConfig& client : scenario.clients) {
    const LockInfo* info = find(client.algorithm);
    if (info == nullptr) return "there is no lock named \"" + client.algorithm + "\"";
    if (!info->fenced && enforces_fence(scenario.world.resource)) {
      return "the resource's mode " + std::string(name_of(scenario.world.resource)) +
             " needs fences, and the lock " + client.algorithm + " issues none";
    }
    if (info->nodes > scenario.world.topology.nodes) {
      return "the lock " + client.algorithm + " needs " + std::to_string(info->nodes) +
             " independent nodes, and the topology has " +
             std::to_string(scenario.world.topology.nodes);
    }
  }
  return "";
}

Runner::Runner(LockFinder find, redis::ScriptMode scripts)
    : find_(std::move(find)), simulation_(scripts) {}
Runner::~Runner() {
  simulation_.finish();
}

void Runner::prepare(const Scenario& scenario) {
  if (prepared_ == &scenario && prepared_hash_ == scenario.hash) return;
  prepared_ = &scenario;
  prepared_hash_ = scenario.hash;
  config_ = scenario.world;
  config_.objects = std::max(config_.objects, 1U);
  const ClientConfig& first = scenario.clients.front();
  config_.timing = {config_.topology.network.latency * 2, first.ttl, first.margin};
  seats_.clear();
  const auto seat_of = [this](const ClientConfig& client) {
    auto seat = std::make_unique<Seat>();
    seat->config = client;
    seat->info = find_(client.algorithm);
    SIM_ASSERT(seat->info != nullptr);
    seat->lock = seat->info->make();
    return seat;
  };
  for (const ClientConfig& client : scenario.clients) {
    for (std::uint32_t i = 0; i < client.count; ++i)
      seats_.push_back(seat_of(client));
  }
  probes_.clear();
  for (const ClientConfig& client : scenario.clients) {
    const bool known = std::any_of(probes_.begin(), probes_.end(), [&client](const auto& seat) {
      return seat->config.algorithm == client.algorithm && seat->config.key == client.key;
    });
    if (!known) probes_.push_back(seat_of(client));
  }
  probe_programs_.clear();
  for (const auto& seat : probes_)
    probe_programs_.push_back(&seat->program);
}

RunFacts Runner::facts_of(const Scenario& scenario) const {
  RunFacts facts;
  facts.ttl_max = longest_ttl(scenario);
  facts.round_trip = config_.timing.round_trip;
  facts.fence_enforced = enforces_fence(config_.resource);
  facts.fenced = std::all_of(seats_.begin(), seats_.end(),
                             [](const auto& seat) { return seat->info->fenced; });
  for (const auto& seat : seats_)
    facts.quorum = std::max(facts.quorum, quorum_of(*seat->info, scenario));
  return facts;
}

void Runner::seat_clients(const Scenario& scenario) {
  const auto seat = [&](Seat& s, Process& process) {
    s.lock->begin();
    s.lock->forget();
    s.program = {};
    s.program.workload = &scenario.workload;
    s.program.config = &s.config;
    s.program.objects = config_.objects;
    s.program.stage = &simulation_.stage();
    s.program.process = &process;
    s.program.lock = s.lock.get();
    s.program.renews = s.info->renews;
    s.program.quorum = quorum_of(*s.info, scenario);
  };
  World& world = simulation_.world();
  for (std::uint32_t i = 0; i < seats_.size(); ++i) {
    Process& process = simulation_.client(i);
    seat(*seats_[i], process);
    process.timeout_policy = seats_[i]->config.pool;
    process.set_program([](void* self) { run_client(*static_cast<ClientProgram*>(self)); },
                        &seats_[i]->program);
    world.work() = {Span::of_actor(process.id()), {}, 0};
    const Duration phase = world.choose_delay(ChoiceKind::start_phase, process.id(),
                                              scenario.workload.poll, witness_of(0, 0));
    process.start(seats_[i]->config.start + phase);
  }
  for (const auto& probe : probes_)
    seat(*probe, simulation_.probe());
}

const Execution& Runner::run(const Scenario& scenario, ChoiceSource& source) {
  prepare(scenario);
  simulation_.begin(config_, static_cast<std::uint32_t>(seats_.size()), source, scenario.hash);
  simulation_.world().history().facts = facts_of(scenario);
  seat_clients(scenario);
  const auto busy = [this] {
    return std::any_of(seats_.begin(), seats_.end(), [](const auto& seat) {
      // A fiber that outlives its program, as a leaked watchdog does, keeps no run going.
      const Process& process = *seat->program.process;
      const bool at_work = process.alive() && seat->program.chains_alive > 0;
      return at_work || process.program_lives() || process.restarting();
    });
  };
  while (busy() && simulation_.step()) {
  }
  World& world = simulation_.world();
  if (!world.stopped()) run_probe(scenario, simulation_, probe_programs_, insistence_);
  simulation_.finish();

  execution_.scenario = &scenario;
  execution_.history = &world.history();
  execution_.choices = world.choices().taken();
  execution_.digest = world.history().digest();
  execution_.steps = world.steps();
  execution_.choice_visits = world.choices().visits();
  execution_.labels_reached = simulation_.faults().reached();
  execution_.faults_drawn = simulation_.faults().drawn();
  execution_.end = world.end();
  return execution_;
}

}  // namespace locklab
