// Driver: the walk over the records, and the comparison of each.
// SPDX-License-Identifier: Apache-2.0
#include "tests/real/driver.h"

#include <algorithm>

#include "tests/real/records.h"

namespace locklab::real {
namespace {

/// The walk is over: something is not as simulated.
struct Differs {
  std::string what;
};

std::string fsync_of(Persistence persistence) {
  if (persistence == Persistence::none) return "";
  return persistence == Persistence::always ? "always" : "everysec";
}

}  // namespace

Driver::Driver(const Execution& execution, const DriverOptions& options)
    : execution_(execution),
      scenario_(*execution.scenario),
      simulated_(*execution.history),
      options_(options),
      clocks_(scenario_, simulated_, options.without_jumps),
      wires_([this](ActorId server) {
        const auto node = nodes_.find(server);
        return node == nodes_.end() ? connect_to_port(ports_.at(server))
                                    : connect_to_path(node->second.server->socket_path());
      }) {
  walk_.history.begin(scenario_.hash);
  walk_.history.actors = simulated_.actors;
  walk_.history.facts = simulated_.facts;
}

Driver::~Driver() = default;

Walk Driver::run() {
  try {
    check_topology();
    start_servers();
    seat_clients();
    for (const Record& record : simulated_.records()) {
      step(record);
      ++walk_.events;
    }
    check_end();
  } catch (const Differs& difference) {
    walk_.difference = difference.what;
  } catch (const Unmapped& why) {
    walk_.unmapped = why.what();
  } catch (const Trouble& trouble) {
    walk_.trouble = "behind event " + std::to_string(walk_.events) + ": " + trouble.what();
    if (walk_.events < simulated_.records().size()) {
      walk_.trouble += "; simulated next: " + line_of(simulated_, simulated_.at(walk_.events + 1));
    }
  }
  return std::move(walk_);
}

void Driver::check_topology() const {
  const ResourceMode mode = scenario_.world.resource;
  if (mode == ResourceMode::split || mode == ResourceMode::cached) {
    throw Unmapped("the resource's mode " + std::string(name_of(mode)));
  }
}

void Driver::start_servers() {
  const std::vector<ActorInfo>& actors = simulated_.actors;
  for (std::size_t i = 0; i < actors.size(); ++i) {
    const ActorId actor = actor_numbered(i);
    if (actors[i].kind == ActorKind::node) {
      Node& node = nodes_[actor];
      node.replica = nodes_.size() > scenario_.world.topology.nodes;
      node.server = std::make_unique<RedisServer>(folder_, actors[i].name,
                                                  fsync_of(scenario_.world.topology.persistence),
                                                  scenario_.world.topology.min_replicas);
      node.server->set_clock(unix_microseconds(clocks_.wall(actor, Instant::origin())));
      node.server->start();
    } else if (actors[i].kind == ActorKind::resource || actors[i].kind == ActorKind::counter) {
      const bool counts = actors[i].kind == ActorKind::counter;
      const Listener listener = listen_on_loopback();
      Command command;
      command.argv = {LOCKLAB_REAL_RESOURCE,
                      counts ? "counter" : std::string(name_of(scenario_.world.resource))};
      command.descriptor = listener.descriptor.get();
      helpers_.emplace_back(command);
      ports_[actor] = listener.port;
    }
  }
  walk_.processes += static_cast<std::uint32_t>(nodes_.size() + helpers_.size());
  for (auto& [actor, node] : nodes_)
    node.server->await_up();
  primary_ = nodes_.begin()->first;
  for (auto& [actor, node] : nodes_) {
    if (!node.replica) continue;
    node.follows = primary_;
    node.link = std::make_unique<ReplicationLink>(*nodes_.at(primary_).server, *node.server);
  }
  for (auto& [actor, node] : nodes_) {
    if (node.link) node.link->synchronise();
  }
}

void Driver::step(const Record& record) {
  const ActorKind kind = simulated_.actors[record.actor].kind;
  let_clients_run(record.at());
  check_patience(record);
  clocks_.take(record);
  switch (record.kind) {
    case EventKind::fault_begin:
    case EventKind::fault_end:
    case EventKind::paused:
    case EventKind::resumed:
    case EventKind::stalled:
    case EventKind::killed:
    case EventKind::probe_begin:
    case EventKind::probe_blocked:
    case EventKind::run_end:
      return step_of_world(record);
    default:
      return kind == ActorKind::process ? step_of_client(record) : step_of_server(record);
  }
}

/// What a program does before then without leaving a record: it wakes, looks, computes, sleeps on.
void Driver::let_clients_run(Instant until) {
  for (auto& [actor, seat] : seats_) {
    if (!seat.client || seat.client->is_paused()) continue;
    for (;;) {
      const std::optional<RealClient::Next> next = seat.client->next(clocks_.monotonic_of(actor));
      if (!next || next->at >= until) break;
      seat.client->set_time(next->at);
      for (const std::uint32_t fiber : seat.client->ready(clocks_.monotonic_of(actor), next->at)) {
        seat.client->advance(fiber, readings(actor, next->at));
      }
    }
    seat.client->set_time(until);
  }
}

/// Nobody waits for a reply beyond its own deadline.
void Driver::check_patience(const Record& record) const {
  for (const auto& [actor, seat] : seats_) {
    if (!seat.client || seat.client->is_paused()) continue;
    if (seat.client->is_overdue(clocks_.monotonic_of(actor), record.at())) {
      differ(record, simulated_.actors[actor.value].name + " has given up waiting for a reply");
    }
  }
}

/// What the last commands have changed is looked at anew.
void Driver::check_end() {
  const Record& last = simulated_.records().back();
  for (const auto& [actor, node] : nodes_)
    check_keys_anew(last, node_at(actor, last.at()));
}

void Driver::step_of_client(const Record& record) {
  switch (record.kind) {
    case EventKind::fiber_began:
      return begin_fiber(record);
    case EventKind::fiber_ended:
      return end_fiber(record);
    case EventKind::op_begin:
    case EventKind::op_return:
    case EventKind::section_enter:
    case EventKind::section_leave:
    case EventKind::told_lost:
    case EventKind::probe_acquired:
    case EventKind::sent:
    case EventKind::panicked:
      return act(record);
    case EventKind::cancelled:
      if (record.result != 0) return act(record);  // Its fiber is gone.
      strike(record, static_cast<std::uint32_t>(record.arg), "cancel", false);
      return note_as_done(record);
    case EventKind::replied:
    case EventKind::timed_out:
    case EventKind::broken:
    case EventKind::refused:
      return on_outcome(record);
    case EventKind::claim_end:
      return on_claim_end(record);
    case EventKind::rediscovered: {
      Seat& seat = seats_.at(record.who());
      seat.setup.primary = record.arg;
      if (seat.client) seat.client->set_primary(ActorId{static_cast<std::uint16_t>(record.arg)});
      return note_as_done(record);
    }
    default:
      throw Unmapped(std::string(name_of(record.kind)) + " of a client");
  }
}

void Driver::step_of_server(const Record& record) {
  switch (record.kind) {
    case EventKind::applied:
      return on_applied(record);
    case EventKind::fence_issued:
      return on_fence(record);
    case EventKind::resource_op:
      return on_resource(record);
    case EventKind::key_set:
    case EventKind::key_deleted:
    case EventKind::key_ttl:
    case EventKind::key_value:
      return on_key(record);
    case EventKind::key_lost:
      return on_key_lost(record);
    case EventKind::effect_sent:
      return on_effect_sent(record);
    case EventKind::effect_applied:
      return on_effect_applied(record);
    case EventKind::promoted:
      return on_promoted(record);
    case EventKind::demoted:
      return on_demoted(record);
    case EventKind::resynced:
      return on_resynced(record);
    case EventKind::restarted:
      return on_restarted(record);
    case EventKind::suspected:
      return note_as_done(record);  // By the orchestrator, which is the driver's part.
    default:
      throw Unmapped(std::string(name_of(record.kind)) + " of a server");
  }
}

void Driver::step_of_world(const Record& record) {
  switch (record.kind) {
    case EventKind::fault_begin:
      return on_fault(record);
    case EventKind::paused:
      return on_paused(record);
    case EventKind::resumed:
      return on_resumed(record);
    case EventKind::stalled:
      return on_stalled(record);
    case EventKind::killed:
      return on_killed(record);
    case EventKind::probe_blocked:
      return on_blocked(record);
    default:
      return note_as_done(record);
  }
}

void Driver::note(Record real, const Record& simulated) {
  real.t = simulated.t;
  real.cause = simulated.cause;
  const std::uint32_t seq = walk_.history.append(real);
  const std::string ours = line_of(simulated_, simulated);
  const std::string theirs = line_of(walk_.history, walk_.history.at(seq));
  if (ours != theirs) differ(simulated, theirs);
}

bool Driver::is_same(const Record& real, const Record& simulated) const {
  return line_of(walk_.history, real) == line_of(simulated_, simulated);
}

void Driver::note_as_done(const Record& simulated) {
  Record real = simulated;
  real.lock = static_cast<std::uint16_t>(walk_.history.intern(text(simulated.lock)).value);
  real.nonce = walk_.history.intern(text(simulated.nonce)).value;
  walk_.history.append(real);
  ++walk_.copied;
}

void Driver::differ(const Record& simulated, const std::string& what) const {
  throw Differs{"event " + std::to_string(simulated.seq) + " at " + to_string(simulated.at()) +
                ": simulated " + line_of(simulated_, simulated) + "; real " + what};
}

}  // namespace locklab::real
