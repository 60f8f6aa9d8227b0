// Simulation: puts the parts together and drives them.
// SPDX-License-Identifier: Apache-2.0
#include "sim/simulation.h"

#include <string>

#include "sim/contract.h"
#include "sim/mix.h"

namespace locklab {
namespace {

redis::ScriptOptions options_of(redis::ScriptMode mode) {
  redis::ScriptOptions options;
  options.mode = mode;
  return options;
}

std::string numbered(std::string_view name, std::size_t number) {
  return std::string(name) + "-" + std::to_string(number);
}

}  // namespace

Simulation::Simulation(redis::ScriptMode scripts)
    : pool_(FiberPool::of_thread()),
      network_(world_),
      scripts_(options_of(scripts)),
      faults_(stage_),
      counter_(world_, network_),
      resource_(world_, network_),
      orchestrator_(world_, network_) {
  stage_.world = &world_;
  stage_.network = &network_;
  stage_.counter = &counter_;
  stage_.resource = &resource_;
}

Simulation::~Simulation() {
  finish();
}

template <class T>
T& Simulation::take(std::vector<std::unique_ptr<T>>& pool, std::size_t index) {
  if (index == pool.size()) {
    if constexpr (std::is_same_v<T, Process>) {
      pool.push_back(std::make_unique<Process>(world_, network_, pool_));
    } else {
      pool.push_back(std::make_unique<Node>(world_, network_, scripts_));
    }
  }
  return *pool[index];
}

HostId Simulation::host_of(const std::string& actor) {
  const std::vector<HostConfig>& hosts = world_.config().hosts;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    for (const std::string& name : hosts[i].actors) {
      if (name == actor) return configured_hosts_[i];
    }
  }
  return world_.add_host(Duration(), 0);
}

void Simulation::begin(const WorldConfig& config, std::uint32_t clients, ChoiceSource& source,
                       std::uint64_t scenario_hash) {
  finish();
  world_.begin(config, source, scenario_hash, faults_);
  network_.begin();
  configured_hosts_.clear();
  for (const HostConfig& host : config.hosts) {
    configured_hosts_.push_back(world_.add_host(host.wall_offset, host.rate_ppb));
  }
  stage_.processes.clear();
  stage_.nodes.clear();
  // Servers last, so that an idle client does not renumber the clients; and the idle ones after
  // all.
  for (std::uint32_t i = 0; i < clients; ++i) {
    Process& process = take(processes_, i);
    const std::string name = numbered("client", i + 1);
    world_.add_actor(process, name, ActorKind::process, host_of(name));
    process.begin();
    stage_.processes.push_back(&process);
  }
  add_nodes();
  world_.add_actor(resource_, "resource", ActorKind::resource, host_of("resource"));
  resource_.begin(config.resource);
  world_.add_actor(counter_, "counter", ActorKind::counter, host_of("counter"));
  counter_.begin();
  stage_.orchestrator = nullptr;
  if (config.topology.replicas > 0) {
    world_.add_actor(orchestrator_, "orchestrator", ActorKind::orchestrator,
                     host_of("orchestrator"));
    std::vector<Process*> listeners = stage_.processes;
    listeners.push_back(&take(processes_, stage_.processes.size()));  // The probe.
    orchestrator_.begin(stage_.nodes, std::move(listeners));
    stage_.orchestrator = &orchestrator_;
  }
  probe_ = &take(processes_, clients);
  world_.add_actor(*probe_, "probe", ActorKind::process, host_of("probe"));
  probe_->begin();
  for (std::uint32_t i = 0; i < config.topology.idle_clients; ++i) {
    Process& idle = take(processes_, clients + 1 + i);
    const std::string name = numbered("idle", i + 1);
    world_.add_actor(idle, name, ActorKind::process, host_of(name));
    idle.begin();
  }
  world_.seal();
  for (std::uint32_t i = 0; i <= clients; ++i)
    processes_[i]->primary = stage_.primary().id();
  world_.set_fault_hook(&faults_);
  faults_.begin();
}

void Simulation::add_nodes() {
  const TopologyConfig& topology = world_.config().topology;
  for (std::uint32_t i = 0; i < topology.nodes + topology.replicas; ++i) {
    Node& node = take(nodes_, i);
    const bool replica = i >= topology.nodes;
    const std::string name =
        replica ? numbered("replica", i - topology.nodes + 1) : numbered("redis", i + 1);
    world_.add_actor(node, name, ActorKind::node, host_of(name));
    node.begin(replica ? redis::Role::replica : redis::Role::primary);
    node.set_listener(nullptr);
    stage_.nodes.push_back(&node);
    if (replica) stage_.nodes.front()->attach(node, false);
  }
}

bool Simulation::step() {
  FiberPool::set_virtual_clock(world_.true_clock());
  const bool more = world_.step();
  FiberPool::set_virtual_clock(nullptr);
  for (const auto& process : processes_) {
    if (!process->needs_driver()) continue;
    if (std::exception_ptr failure = process->take_failure()) {
      finish();
      std::rethrow_exception(failure);
    }
    if (process->needs_burial()) process->bury();
    if (process->blocked_in_foreign_primitive()) foreign_ = true;
  }
  if (foreign_) poll_foreign();
  return more && !world_.stopped();
}

void Simulation::poll_foreign() {
  FiberPool::set_virtual_clock(world_.true_clock());
  const Instant next = pool_.poll_foreign_timers();
  FiberPool::set_virtual_clock(nullptr);
  for (const std::uint32_t id : pool_.take_awakened()) {
    for (const auto& process : processes_)
      process->resume_foreign(id);
  }
  if (next != Instant::never()) {
    Event event{.type = EventType::custom, .watch = true, .actor = kWorldActor};
    world_.schedule(std::max(next, world_.now()), event);
  }
  foreign_ = false;
}

void Simulation::finish() {
  for (const auto& process : processes_) {
    if (process->live_fibers() > 0) process->discard();
  }
}

std::uint64_t Simulation::state_hash() const {
  std::uint64_t hash = 0;
  for (const Process* process : stage_.processes)
    hash = mix(hash, process->state_hash());
  for (const Node* node : stage_.nodes)
    hash = mix(hash, node->state_hash());
  hash = mix(hash, resource_.highest_fence());
  const Instant now = world_.now();
  network_.for_each_in_flight([&](const Connection& connection, Direction direction,
                                  const Message& message) {
    if (message.background) return;
    const std::uint64_t wait =
        message.arrival > now ? static_cast<std::uint64_t>(record_bits(message.arrival - now)) : 0;
    hash = mix(hash, mix(link_actor(connection.from(direction), connection.to(direction)).value,
                         wait << 4 | static_cast<unsigned>(message.kind)));
  });
  return hash;
}

}  // namespace locklab
