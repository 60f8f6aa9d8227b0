// State machines: the client program, the probe, and the world around them.
// SPDX-License-Identifier: Apache-2.0
#include "bench/state_machines.h"

#include <algorithm>
#include <string>

#include "sim/mix.h"

namespace locklab::bench {

// --- The client program

void WorkerMachine::begin_worker(const WorkloadConfig& workload, const ClientConfig& config) {
  begin(workload, config);
  rounds_done_ = 0;
  attempts_ = 0;
}

bool WorkerMachine::on_start() {
  poll_ = workload_->poll + phase(ChoiceKind::poll_phase, workload_->poll);
  work_ = workload_->work + phase(ChoiceKind::work, workload_->work);
  return next_round();
}

bool WorkerMachine::next_round() {
  if (rounds_done_ >= workload_->rounds) return false;
  align_operations(kOperationsPerRound);
  return try_again();
}

bool WorkerMachine::try_again() {
  if (attempts_ >= workload_->attempts) return false;
  ++attempts_;
  acquire(false);
  return true;
}

bool WorkerMachine::on_acquired(bool granted) {
  if (!granted) {
    awaits_ = Awaits::poll;
    sleep_until(now() + poll_);
    return true;
  }
  align_operations(kOperationsPerHalf);
  enter();
  return use_resource(ResourceOp::read, Awaits::read);
}

bool WorkerMachine::use_resource(ResourceOp op, Awaits awaits) {
  if (!valid()) return leave_and_release(LeaveReason::lease_over);
  reach(Label::hold_check_ok);
  auto& body = world().arena().make_array<ResourceRequest>(1)[0];
  body.op = op;
  body.sequence = ++hold_.sequence;
  body.version_read = hold_.version_read[0];
  const Request request{stage_.resource->id(),
                        MessageKind::request,
                        world().intern(name_of(op)),
                        static_cast<std::int64_t>(op),
                        &body,
                        0};
  call({&request, 1}, workload_->resource_timeout, {Label::res_before_send, Label::res_sent});
  awaits_ = awaits;
  return true;
}

bool WorkerMachine::leave_and_release(LeaveReason reason) {
  leave(reason);
  release();
  return true;
}

bool WorkerMachine::on_other() {
  switch (awaits_) {
    case Awaits::poll:
      return try_again();
    case Awaits::think:
      return next_round();
    case Awaits::work:
      return use_resource(ResourceOp::append, Awaits::append);
    case Awaits::lease_end:
      return leave_and_release(LeaveReason::lease_over);
    case Awaits::read:
    case Awaits::append:
      break;
  }
  const CallResult answer = result(0);
  if (!answer.is_replied()) {
    awaits_ = Awaits::lease_end;
    sleep_until(std::min(hold_.lease.until, hold_.give_up));
    return true;
  }
  const auto& reply = *static_cast<const ResourceReply*>(answer.body);
  hold_.version_read[0] = reply.version;
  if (!reply.accepted) return leave_and_release(LeaveReason::told_lost);
  if (awaits_ == Awaits::append) return leave_and_release(LeaveReason::done);
  awaits_ = Awaits::work;
  sleep_until(now() + work_);
  return true;
}

bool WorkerMachine::on_released() {
  ++rounds_done_;
  awaits_ = Awaits::think;
  sleep_until(now() + workload_->think);
  return true;
}

// --- The probe

bool ProbeMachine::on_start() {
  const Duration bound = bound_();
  world().history().facts.probe_bound = bound;
  world().record({.actor = id().value,
                  .kind = EventKind::probe_begin,
                  .flags = event_flags::kProbe,
                  .result = record_bits(bound)});
  poll_ = workload_->poll + phase(ChoiceKind::poll_phase, workload_->poll);
  deadline_ = world().now() + bound;
  known_ = false;
  last_ = 0;
  acquire(true);
  return true;
}

bool ProbeMachine::on_acquired(bool granted) {
  if (granted) {
    world().record({.actor = id().value,
                    .kind = EventKind::probe_acquired,
                    .flags = event_flags::kProbe,
                    .hold = hold_.id.value});
    enter();
    leave(LeaveReason::done);
    release();
    return true;
  }
  if (repeats()) {
    world().record({.actor = id().value,
                    .kind = EventKind::probe_blocked,
                    .flags = event_flags::kProbe,
                    .arg = static_cast<std::int64_t>(BlockingFact::other)});
    world().stop(EndReason::repeats);
    return false;
  }
  sleep_until(now() + poll_);
  return true;
}

bool ProbeMachine::on_other() {
  if (world().now() > deadline_) {
    world().stop(EndReason::virtual_limit);
    return false;
  }
  acquire(true);
  return true;
}

bool ProbeMachine::on_released() {
  world().stop(EndReason::finished);
  return false;
}

bool ProbeMachine::repeats() {
  bool others = false;
  world().queue().for_each([&](Instant at, const Event& event) {
    if (!event.watch && event.actor != id() && at != Instant::never()) others = true;
  });
  std::uint64_t hash = 0;
  for (const Node* node : stage_.nodes)
    hash = mix(hash, node->state_hash());
  const Instant now = world().now();
  stage_.network->for_each_in_flight([&](const Connection& connection, Direction direction,
                                         const Message& message) {
    const std::uint64_t wait =
        message.arrival > now ? static_cast<std::uint64_t>(record_bits(message.arrival - now)) : 0;
    hash = mix(hash, mix(connection.from(direction).value << 8 | connection.to(direction).value,
                         wait << 4 | static_cast<unsigned>(message.kind)));
  });
  const bool same = !others && known_ && hash == last_;
  known_ = !others;
  last_ = hash;
  return same;
}

// --- The world around them

MachineRunner::MachineRunner(redis::ScriptMode scripts)
    : network_(world_),
      scripts_({.mode = scripts}),
      faults_(stage_),
      counter_(world_, network_),
      resource_(world_, network_) {
  stage_.world = &world_;
  stage_.network = &network_;
  stage_.counter = &counter_;
  stage_.resource = &resource_;
  probe_ = std::make_unique<ProbeMachine>(stage_);
}

void MachineRunner::build(const Scenario& scenario, ChoiceSource& source) {
  const ClientConfig& client = scenario.clients.front();
  config_ = scenario.world;
  config_.timing = {config_.topology.network.latency * 2, client.ttl, client.margin};
  world_.begin(config_, source, scenario.hash, faults_);
  network_.begin();
  const auto add = [this](Actor& actor, const std::string& name, ActorKind kind) {
    world_.add_actor(actor, name, kind, world_.add_host(Duration(), 0));
  };
  while (clients_.size() < client.count) {
    clients_.push_back(std::make_unique<WorkerMachine>(stage_));
  }
  for (std::uint32_t i = 0; i < client.count; ++i) {
    add(*clients_[i], "client-" + std::to_string(i + 1), ActorKind::process);
    clients_[i]->begin_worker(scenario.workload, client);
  }
  while (nodes_.size() < config_.topology.nodes) {
    nodes_.push_back(std::make_unique<Node>(world_, network_, scripts_));
  }
  stage_.nodes.clear();
  for (std::uint32_t i = 0; i < config_.topology.nodes; ++i) {
    add(*nodes_[i], "redis-" + std::to_string(i + 1), ActorKind::node);
    nodes_[i]->begin(redis::Role::primary);
    stage_.nodes.push_back(nodes_[i].get());
  }
  add(resource_, "resource", ActorKind::resource);
  resource_.begin(config_.resource);
  add(counter_, "counter", ActorKind::counter);
  counter_.begin();
  add(*probe_, "probe", ActorKind::process);
  probe_->begin(scenario.workload, client);
  world_.seal();
  world_.set_fault_hook(&faults_);
  faults_.begin();
}

void MachineRunner::start_clients(const Scenario& scenario) {
  for (std::uint32_t i = 0; i < scenario.client_count(); ++i) {
    world_.work() = {Span::of_actor(clients_[i]->id()), {}, 0};
    const Duration phase = world_.choose_delay(ChoiceKind::start_phase, clients_[i]->id(),
                                               scenario.workload.poll, witness_of(0, 0));
    clients_[i]->start(scenario.clients.front().start + phase);
  }
}

Duration MachineRunner::probe_bound(const Scenario& scenario) const {
  const ClientConfig& client = scenario.clients.front();
  Instant settled = std::max(world_.now(), faults_.last_end());
  network_.for_each_in_flight([&](const Connection&, Direction, const Message& message) {
    if (message.arrival != Instant::never()) settled = std::max(settled, message.arrival);
  });
  world_.queue().for_each([&](Instant at, const Event& event) {
    if (!event.watch && at != Instant::never()) settled = std::max(settled, at);
  });
  return client.ttl * 2 + scenario.workload.poll * 4 + client.timeout * 4 +
         world_.round_trip() * 20 + (settled - world_.now());
}

void MachineRunner::run_probe(const Scenario& scenario) {
  world_.work() = {};
  faults_.stop();
  probe_->start_within([this, &scenario] { return probe_bound(scenario); });
  while (world_.step()) {
  }
  world_.stop(EndReason::finished);
}

void MachineRunner::run(const Scenario& scenario, ChoiceSource& source) {
  build(scenario, source);
  const ClientConfig& client = scenario.clients.front();
  world_.history().facts = {.ttl_max = client.ttl,
                            .round_trip = config_.timing.round_trip,
                            .probe_bound = {},
                            .fence_enforced = false,
                            .fenced = false,
                            .quorum = config_.topology.nodes / 2 + 1};
  start_clients(scenario);
  const auto last = clients_.begin() + client.count;
  const auto busy = [&] {
    return std::any_of(clients_.begin(), last, [](const auto& c) { return c->busy(); });
  };
  while (busy() && world_.step()) {
  }
  if (!world_.stopped()) run_probe(scenario);
}

std::uint64_t MachineRunner::activations() const {
  std::uint64_t total = probe_->activations();
  for (const auto& client : clients_)
    total += client->activations();
  return total;
}

}  // namespace locklab::bench
