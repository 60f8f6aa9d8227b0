// Driver: the clients' processes, what they do, and what strikes them.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "tests/real/driver.h"
#include "tests/real/records.h"

namespace locklab::real {
namespace {

SeatSetup seat_of(const ClientConfig& config) {
  return {config.algorithm,
          config.key,
          record_bits(config.ttl),
          record_bits(config.margin),
          record_bits(config.timeout),
          static_cast<std::int64_t>(config.retries),
          static_cast<std::int64_t>(config.pool)};
}

/// Labels that the program of a client passes itself; at others it is struck wherever it stands.
bool is_passed_by_client(Label label) {
  switch (label) {
    case Label::acq_before_send:
    case Label::acq_sent:
    case Label::acq_between:
    case Label::acq_after_quorum:
    case Label::acq_return:
    case Label::hold_check_ok:
    case Label::res_before_send:
    case Label::res_sent:
    case Label::wd_before_tick:
    case Label::wd_sent:
    case Label::wd_result:
    case Label::rel_between_get_del:
    case Label::rel_before_send:
    case Label::rel_sent:
    case Label::rel_return:
      return true;
    case Label::none:
    case Label::srv_applied:
    case Label::srv_replied:
    case Label::repl_before_send:
    case Label::res_applied:
    case Label::failover_before_promote:
    case Label::failover_promoted:
    case Label::node_before_restart:
    case Label::count:
      return false;
  }
  return false;
}

}  // namespace

// --- Processes ----------------------------------------------------------------------------------

void Driver::seat_clients() {
  std::vector<SeatSetup> seats;
  std::vector<SeatSetup> probes;  // One for each lock, as scenarios/run.cpp has them.
  for (const ClientConfig& client : scenario_.clients) {
    for (std::uint32_t i = 0; i < client.count; ++i)
      seats.push_back(seat_of(client));
    const bool known = std::any_of(probes.begin(), probes.end(), [&client](const SeatSetup& seat) {
      return seat.algorithm == client.algorithm && seat.key == client.key;
    });
    if (!known) probes.push_back(seat_of(client));
  }
  std::size_t next = 0;
  for (std::size_t i = 0; i < simulated_.actors.size(); ++i) {
    const ActorInfo& actor = simulated_.actors[i];
    const bool probe = actor.name == "probe";
    if (actor.kind != ActorKind::process || (!probe && next == seats.size())) continue;
    Seat& seat = seats_[actor_numbered(i)];
    seat.setup = setup_for(actor_numbered(i));
    seat.setup.probes = probe ? 1 : 0;
    if (probe) let_in(seat.setup);
    seat.setup.seats = probe ? probes : std::vector<SeatSetup>{seats[next++]};
    if (options_.discarding_pools) seat.setup.seats.front().pool = 0;
    for (SeatSetup& one : seat.setup.seats)
      one.timeout += options_.added_to_timeouts;
    for (std::size_t j = 0; j < simulated_.actors.size(); ++j) {
      const ActorId server = actor_numbered(j);
      const bool serves = nodes_.count(server) + ports_.count(server) != 0;
      seat.setup.ports.push_back(serves ? wires_.listen_for(server) : 0);
    }
  }
}

/// By the rule of the resource's mode and the greatest fence that it has accepted in the
/// simulation; what it really accepts is compared operation by operation.
void Driver::let_in(ClientSetup& setup) const {
  const ResourceMode mode = scenario_.world.resource;
  std::int64_t highest = 0;
  for (const Record& record : simulated_.records()) {
    const bool append = (record.arg & 0xff) == static_cast<std::int64_t>(ResourceOp::append);
    const bool raises = append || (mode != ResourceMode::ge_w && mode != ResourceMode::gt_w);
    if (record.kind != EventKind::resource_op || record.has(event_flags::kRejected)) continue;
    if (raises) highest = std::max<std::int64_t>(highest, record.fence);
  }
  setup.fence_most = INT64_MAX;
  if (!enforces_fence(mode) || highest == 0) return;
  setup.fence_least = mode == ResourceMode::gt_w ? highest + 1 : highest;
  if (mode == ResourceMode::eq) setup.fence_most = highest;
}

ClientSetup Driver::setup_for(ActorId actor) const {
  const WorkloadConfig& workload = scenario_.workload;
  ClientSetup setup;
  setup.actor = actor.value;
  setup.rounds = workload.rounds;
  setup.attempts = workload.attempts;
  setup.work = record_bits(workload.work);
  setup.think = record_bits(workload.think);
  setup.poll = record_bits(workload.poll);
  setup.effects = workload.effects;
  setup.resource_timeout = record_bits(workload.resource_timeout) + options_.added_to_timeouts;
  setup.read_only = workload.read_only ? 1 : 0;
  setup.unlock = static_cast<std::int64_t>(workload.unlock);
  setup.nested = workload.nested ? 1 : 0;
  setup.nested_ttl = record_bits(workload.nested_ttl);
  setup.nested_effects = workload.nested_effects ? 1 : 0;
  setup.chains = workload.chains;
  setup.objects = std::max(scenario_.world.objects, 1U);
  setup.orchestrated = scenario_.world.topology.replicas > 0 ? 1 : 0;
  setup.primary = primary_.value;
  for (const auto& [node, state] : nodes_)
    setup.nodes.push_back(node.value);
  for (std::size_t i = 0; i < simulated_.actors.size(); ++i) {
    if (simulated_.actors[i].kind == ActorKind::resource) setup.resource = actor_numbered(i).value;
    if (simulated_.actors[i].kind == ActorKind::counter) setup.counter = actor_numbered(i).value;
  }
  return setup;
}

void Driver::begin_fiber(const Record& record) {
  Seat& seat = seats_.at(record.who());
  if (seat.client) return act(record);  // Started by another one.
  if (seat.setup.probes != 0) seat.setup.primary = primary_.value;
  if (std::exchange(seat.promoted_since_death, false)) {
    seat.setup.primary = primary_known_to(record).value;
  }
  seat.setup.fiber = record.arg;
  const NetworkConfig& network = scenario_.world.topology.network;
  seat.client = std::make_unique<RealClient>(
      seat.setup, record.at(), network.delay_max.value_or(network.latency * 2),
      [this, self = record.who()](Span span, ActorId actor, std::int64_t kind) {
        return choose(span, actor == kWorldActor ? self : actor, kind);
      });
  ++walk_.processes;
  note_as_done(record);
}

/// Whether the announcement has reached a client that starts anew is the simulation's to say.
ActorId Driver::primary_known_to(const Record& start) const {
  for (std::uint32_t seq = start.seq; seq <= simulated_.records().size(); ++seq) {
    const Record& record = simulated_.at(seq);
    if (record.actor != start.actor || record.kind != EventKind::sent) continue;
    const ActorId server{server_of(record)};
    if (nodes_.count(server) != 0) return server;
  }
  return primary_;
}

void Driver::end_fiber(const Record& record) {
  RealClient& client = client_of(record);
  const auto fiber = static_cast<std::uint32_t>(record.arg);
  if (!client.lives(fiber)) differ(record, "there is no such fiber");
  while (!client.stands_at(fiber, "ended")) {
    const std::vector<std::uint32_t> ready =
        client.ready(clocks_.monotonic_of(record.who()), record.at());
    if (std::find(ready.begin(), ready.end(), fiber) == ready.end()) break;
    if (client.advance(fiber, readings(record))) break;
  }
  if (!client.stands_at(fiber, "ended")) differ(record, "it goes on");
  client.finish(fiber, readings(record));
  if (client.fiber_count() == 0) {
    const int code = client.wait_for_end();
    if (code != 0) differ(record, "its process ends with code " + std::to_string(code));
    leave_seat(seats_.at(record.who()));
  }
  note_as_done(record);
}

/// What its program remembers over a restart is kept for its next life.
void Driver::leave_seat(Seat& seat) {
  seat.setup.operations = seat.client->operations;
  seat.setup.progress = seat.client->progress;
  seat.watch = seat.client->watch;
  seat.client.reset();
}

RealClient& Driver::client_of(const Record& record) {
  const auto seat = seats_.find(record.who());
  if (seat == seats_.end() || !seat->second.client) differ(record, "there is no such process");
  return *seat->second.client;
}

Readings Driver::readings(ActorId actor, Instant at) const {
  return {clocks_.monotonic(actor, at), clocks_.wall(actor, at)};
}

std::uint64_t Driver::choose(Span span, ActorId actor, std::int64_t kind) {
  const auto choice = static_cast<ChoiceKind>(kind);
  const std::uint64_t place = Address::of(span, actor, choice, Label::none, 0).place;
  const Address address =
      Address::of(span, actor, choice, Label::none, ++visits_[{span.bits, place}]);
  for (const Deviation& deviation : execution_.choices) {
    if (deviation.address == address) return deviation.value;
  }
  return 0;
}

// --- Acts ---------------------------------------------------------------------------------------

/// The fibers that can go on do, in turn, until one of them does just that.
void Driver::act(const Record& record) {
  RealClient& client = client_of(record);
  std::optional<Record> first;
  std::set<std::uint32_t> at_act;
  for (bool moved = true; moved;) {
    moved = false;
    for (const std::uint32_t fiber :
         client.ready(clocks_.monotonic_of(record.who()), record.at())) {
      if (at_act.count(fiber) != 0) continue;
      moved = true;  // To an act, or to its next sleep, which may be over already.
      if (!client.advance(fiber, readings(record))) continue;
      at_act.insert(fiber);
      if (client.stands_at(fiber, "ended")) continue;
      const Record real = act_of(client.gate(fiber), record);
      if (is_same(real, record)) return perform(record, real, client, fiber);
      if (!first) first = real;
    }
  }
  if (!first) differ(record, "its program does nothing more: " + client.whereabouts());
  note(*first, record);
}

Record Driver::act_of(const Words& gate, const Record& simulated) {
  return gate.front() == "sent" ? sending_of(gate, simulated) : record_in(gate, simulated);
}

void Driver::perform(const Record& record, const Record& real, RealClient& client,
                     std::uint32_t fiber) {
  if (client.stands_at(fiber, "sent")) return send(record, real, client, fiber);
  note(real, record);
  const bool ends = record.kind == EventKind::panicked && record.result == 0;
  return ends ? client.finish(fiber, readings(record)) : client.go(fiber, readings(record));
}

Record Driver::record_in(const Words& words, const Record& simulated) {
  Record real;
  real.actor = simulated.actor;
  real.kind = static_cast<EventKind>(number_of(words[1]));
  real.flags = static_cast<std::uint16_t>(number_of(words[2]));
  real.hold = static_cast<std::uint32_t>(number_of(words[3]));
  real.fence = static_cast<std::uint32_t>(number_of(words[4]));
  real.arg = number_of(words[5]);
  real.result = number_of(words[6]);
  real.local = number_of(words[7]);
  real.lock = static_cast<std::uint16_t>(walk_.history.intern(words[8]).value);
  real.nonce = walk_.history.intern(words[9]).value;
  return real;
}

Record Driver::sending_of(const Words& words, const Record& simulated) {
  const ActorId server{static_cast<std::uint16_t>(number_of(words[2]))};
  const bool to_resource = simulated_.actors[server.value].kind == ActorKind::resource;
  // Which connection carries it is the pool's business, and the simulation's to say.
  const bool expected = simulated.kind == EventKind::sent;
  const std::uint32_t connection = expected ? connection_of(simulated) : 0;
  Record real;
  real.actor = simulated.actor;
  real.kind = EventKind::sent;
  real.label = static_cast<Label>(number_of(words[1]));
  real.flags = to_resource ? event_flags::kResource : std::uint16_t{0};
  real.hold = static_cast<std::uint32_t>(number_of(words[5]));
  real.arg = static_cast<std::int64_t>(connection) | static_cast<std::int64_t>(server.value) << 32;
  real.result = to_resource ? number_of(words[3])
                            : static_cast<std::int64_t>(walk_.history.intern(words[4]).value);
  return real;
}

void Driver::send(const Record& record, const Record& real, RealClient& client,
                  std::uint32_t fiber) {
  const Words& words = client.gate(fiber);
  const std::uint32_t connection = connection_of(record);
  HeldRequest request;
  request.sent = record.seq;
  request.title = words[4];
  request.hold = HoldId{real.hold};
  request.span = client.span(fiber);
  note(real, record);
  if (wires_.knows(connection)) {
    Wire& wire = wires_.at(connection);
    if (!wire.is_open_to_client()) differ(record, "that connection has been closed");
    leave_unread(record, wire);
  }
  client.send_over(fiber, connection, readings(record));
  if (!wires_.knows(connection)) {
    wires_.accept(connection, record.who(), ActorId{server_of(record)});
  }
  wires_.take(connection, std::move(request));
  client.await_gate(fiber);
}

// --- Strikes ------------------------------------------------------------------------------------

/// Brings the fiber that passed the label of the latest fault to it, if one of its own did.
void Driver::hold_at_label(const Record& record) {
  const auto seat = seats_.find(record.who());
  if (seat == seats_.end() || !seat->second.client || latest_fault_ == nullptr) return;
  const Record& fault = *latest_fault_;
  // Whoever passed the label did the latest act that led to the fault.
  const bool own = fault.cause != 0 && simulated_.at(fault.cause).actor == record.actor;
  const bool here = fault.actor == record.actor && fault.t == record.t && own;
  if (!here || !is_passed_by_client(fault.label)) return;
  RealClient& client = *seat->second.client;
  for (const std::uint32_t fiber : client.ready(clocks_.monotonic_of(record.who()), record.at())) {
    client.advance(fiber, readings(record), fault.label);
    if (client.stands_at(fiber, "label")) return;
  }
}

void Driver::strike(const Record& record, std::uint32_t fiber, const std::string& what,
                    bool recovered) {
  hold_at_label(record);
  RealClient& client = client_of(record);
  if (!client.lives(fiber)) differ(record, "there is no such fiber");
  client.strike(fiber, what, recovered);
}

}  // namespace locklab::real
