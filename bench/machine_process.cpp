// MachineProcess: what sim/process.cpp and sim/process_calls.cpp do for one fiber, by events alone.
// SPDX-License-Identifier: Apache-2.0
#include "bench/machine_process.h"

#include <algorithm>

#include "sim/contract.h"

namespace locklab::bench {
namespace {

constexpr std::uint64_t kCallDeadline = 1ULL << 40;
constexpr std::uint64_t kHoldSteps = 32;

std::int64_t endpoint_arg(ConnectionId connection, ActorId server) {
  return static_cast<std::int64_t>(connection) | static_cast<std::int64_t>(server.value) << 32;
}

std::uint16_t flags_of(const World& world, ActorId server) {
  const bool resource = world.history().actors[server.value].kind == ActorKind::resource;
  return resource ? event_flags::kResource : std::uint16_t{0};
}

}  // namespace

void MachineProcess::begin_process() {
  operation_ = Operation::none;
  at_ = Label::none;
  busy_ = waiting_ = false;
  operations_ = 0;
  activations_ = 0;
  timer_ = claim_watch_ = {};
  call_count_ = outstanding_ = 0;
  idle_connections_.clear();
}

void MachineProcess::start(Duration after) {
  world_.work() = {Span::of_actor(id()), {}, 0};
  world_.schedule(world_.now() + after, {.type = EventType::restart, .actor = id()});
  busy_ = true;
}

void MachineProcess::handle(const Event& event) {
  if (event.watch) {
    claim_watch_ = {};
    world_.record({.actor = id().value,
                   .kind = EventKind::claim_end,
                   .lock = static_cast<std::uint16_t>(event.b),
                   .hold = event.hold.value,
                   .local = record_bits(now())});
    return;
  }
  switch (event.type) {
    case EventType::fiber_ready:
      resume(event);
      break;
    case EventType::deliver:
      on_data(event.a);
      break;
    case EventType::timer:
      on_timer(event);
      break;
    case EventType::custom:
      give_up();
      break;
    case EventType::restart:
      kept_ = world_.work();
      kept_.span = Span::of_operation(id(), 0, kept_.span.operation(), kept_.span.attempt());
      world_.record({.actor = id().value, .kind = EventKind::fiber_began});
      schedule_resume();
      break;
    default:
      SIM_UNREACHABLE("a machine got an event that is not its own");
  }
}

void MachineProcess::schedule_resume() {
  waiting_ = false;
  const std::uint64_t step =
      world_.choices().choose(ChoiceKind::hold_at_fiber, kept_.span, id(), Label::none, kHoldSteps,
                              witness_of(0, static_cast<std::uint64_t>(at_)));
  const Duration held = scale(world_.delay_max(), static_cast<std::int64_t>(step), kHoldSteps);
  world_.schedule_as({kept_.span, kept_.hold, world_.work().cause}, world_.now() + held,
                     {.type = EventType::fiber_ready, .actor = id()});
}

void MachineProcess::resume(const Event& event) {
  ++activations_;
  world_.work() = kept_;
  world_.work().cause = event.cause;
  world_.disarm(timer_);
  timer_ = {};
  busy_ = activate();
  kept_ = world_.work();
  if (!busy_) world_.record({.actor = id().value, .kind = EventKind::fiber_ended});
}

void MachineProcess::reach(Label label, ActorId server, ConnectionId connection, TextId command) {
  at_ = label;
  world_.pass({label, id(), id(), 0, server, connection, command});
}

void MachineProcess::sleep_until(LocalInstant deadline) {
  ++generation_;
  waiting_ = true;
  Event event{.type = EventType::timer, .actor = id()};
  event.b = generation_;
  timer_ = world_.arm({host(), ClockId::monotonic, deadline, DeadlineKind::sleep, id(), event});
}

std::uint16_t MachineProcess::begin_operation(Operation operation, HoldId hold) {
  ++operations_;
  operation_ = operation;
  Work& work = world_.work();
  work.span = Span::of_operation(id(), 0, operations_, 0);
  work.hold = operation == Operation::acquire ? HoldId::of(id(), operations_) : hold;
  return operations_;
}

void MachineProcess::align_operations(std::uint32_t block) {
  operations_ = static_cast<std::uint16_t>((operations_ + block - 1) / block * block);
}

std::uint16_t MachineProcess::begin_attempt() {
  Span& span = world_.work().span;
  const auto attempt = static_cast<std::uint16_t>(span.attempt() + 1);
  span = Span::of_operation(id(), 0, span.operation(), attempt);
  return attempt;
}

void MachineProcess::watch_claim(HoldId hold, TextId lock, LocalInstant until) {
  world_.disarm(claim_watch_);
  Event event{.type = EventType::timer, .watch = true, .actor = id(), .hold = hold};
  event.b = lock.value;
  claim_watch_ =
      world_.arm({host(), ClockId::monotonic, until, DeadlineKind::claim_end, id(), event});
}

// --- Calls

ConnectionId MachineProcess::connection_to(ActorId server) {
  for (std::size_t i = idle_connections_.size(); i-- > 0;) {
    const ConnectionId id = idle_connections_[i];
    if (network_.at(id).server != server) continue;
    idle_connections_.erase(idle_connections_.begin() + static_cast<std::ptrdiff_t>(i));
    return id;
  }
  return network_.open(id(), server);
}

void MachineProcess::send(Call& call, const Request& request, const CallLabels& labels) {
  call = {connection_to(request.server), CallState::pending, nullptr};
  ++outstanding_;
  world_.record({.actor = id().value,
                 .kind = EventKind::sent,
                 .label = labels.sent,
                 .flags = flags_of(world_, request.server),
                 .arg = endpoint_arg(call.connection, request.server),
                 .result = request.code});
  Message message;
  message.kind = request.kind;
  message.work = world_.work();
  message.command = request.command;
  message.code = request.code;
  message.body = request.body;
  message.count = request.count;
  network_.send(call.connection, Direction::to_server, message);
  network_.read_on(call.connection, Direction::to_client);
}

void MachineProcess::call(std::span<const Request> requests, Duration timeout,
                          const CallLabels& labels) {
  SIM_ASSERT(requests.size() <= kCallsMax);
  call_count_ = 0;
  deadline_ = now() + timeout;
  for (const Request& request : requests) {
    reach(labels.before_send, request.server, kNoConnection, request.command);
    send(calls_[call_count_++], request, labels);
  }
  Event event{.type = EventType::timer, .actor = id()};
  event.b = kCallDeadline;
  timer_ =
      world_.arm({host(), ClockId::monotonic, deadline_, DeadlineKind::rpc_timeout, id(), event});
  for (std::size_t i = 0; i < requests.size(); ++i) {
    reach(labels.sent, requests[i].server, calls_[i].connection, requests[i].command);
  }
  ++generation_;
  waiting_ = true;
}

CallResult MachineProcess::result(std::size_t request) const {
  return {calls_[request].state, calls_[request].body};
}

void MachineProcess::finish(Call& call, CallState state, const void* body) {
  call.state = state;
  call.body = body;
  --outstanding_;
  if (state == CallState::replied) {
    idle_connections_.push_back(call.connection);
  } else {
    network_.close_by_client(call.connection);
  }
  if (outstanding_ > 0 || !waiting_) return;
  world_.disarm(timer_);
  schedule_resume();
}

void MachineProcess::on_data(ConnectionId connection) {
  const Message* head = network_.arrived(connection, Direction::to_client);
  if (head == nullptr) return;
  const bool ended = head->kind == MessageKind::end;
  auto* const last = calls_.begin() + call_count_;
  auto* const call = std::find_if(calls_.begin(), last, [connection](const Call& c) {
    return c.connection == connection && c.state == CallState::pending;
  });
  if (call == last) {
    if (!ended) return;
    std::erase(idle_connections_, connection);
    network_.take(connection, Direction::to_client);
    return;
  }
  const ActorId server = network_.at(connection).server;
  Record record{.actor = id().value,
                .flags = flags_of(world_, server),
                .arg = endpoint_arg(connection, server)};
  if (ended) {
    const bool refused = network_.at(connection).refused;
    network_.take(connection, Direction::to_client);
    record.kind = refused ? EventKind::refused : EventKind::broken;
    world_.record(record);
    return finish(*call, refused ? CallState::refused : CallState::broken, nullptr);
  }
  const bool late = now() >= deadline_;
  const Witness witness = witness_of(server.value, static_cast<std::uint64_t>(head->kind));
  if (late && world_.choose(ChoiceKind::reply_vs_deadline, id(), Label::none, 2, witness) != 0) {
    record.kind = EventKind::timed_out;
    world_.record(record);
    return finish(*call, CallState::timed_out, nullptr);
  }
  const std::optional<Message> reply = network_.take(connection, Direction::to_client);
  record.kind = EventKind::replied;
  record.result = reply->code;
  world_.record(record);
  finish(*call, CallState::replied, reply->body);
}

void MachineProcess::on_timer(const Event& event) {
  if (event.b != kCallDeadline) {
    if (waiting_ && generation_ == event.b) schedule_resume();
  } else if (world_.anything_else_due()) {
    world_.schedule(world_.now(), {.type = EventType::custom, .actor = id()});
  } else {
    give_up();
  }
}

void MachineProcess::give_up() {
  for (std::size_t i = 0; i < call_count_; ++i) {
    Call& call = calls_[i];
    if (call.state != CallState::pending || now() < deadline_) continue;
    const ActorId server = network_.at(call.connection).server;
    world_.record({.actor = id().value,
                   .kind = EventKind::timed_out,
                   .flags = flags_of(world_, server),
                   .arg = endpoint_arg(call.connection, server)});
    finish(call, CallState::timed_out, nullptr);
  }
}

}  // namespace locklab::bench
