// Calls of a process: requests over pooled connections, replies, deadlines.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sim/contract.h"
#include "sim/process.h"

namespace locklab {
namespace {

// An event of this kind lets replies that are due at the deadline's instant come first.
constexpr std::uint64_t kCallDeadline = 1ULL << 40;

std::int64_t endpoint_arg(ConnectionId connection, ActorId server) {
  return static_cast<std::int64_t>(connection) | static_cast<std::int64_t>(server.value) << 32;
}

bool is_resource(const World& world, ActorId server) {
  return world.history().actors[server.value].kind == ActorKind::resource;
}

}  // namespace

ConnectionId Process::connection_to(ActorId server) {
  for (std::size_t i = idle_connections_.size(); i-- > 0;) {
    const ConnectionId id = idle_connections_[i];
    if (network_.at(id).server != server) continue;
    idle_connections_.erase(idle_connections_.begin() + static_cast<std::ptrdiff_t>(i));
    return id;
  }
  return network_.open(id(), server);
}

std::uint32_t Process::send(const Request& request, const CallLabels& labels,
                            LocalInstant deadline) {
  std::uint32_t slot = 0;
  while (slot < calls_.size() && calls_[slot].in_use)
    ++slot;
  if (slot == calls_.size()) calls_.emplace_back();
  const std::uint32_t fiber = running_;
  const ConnectionId connection = connection_to(request.server);
  Call& call = calls_[slot];
  call.fiber = fiber;
  call.connection = connection;
  call.state = CallState::pending;
  call.body = nullptr;
  call.deadline = deadline;
  call.in_use = true;
  ++fibers_[fiber]->outstanding;

  const bool to_resource = is_resource(world_, request.server);
  world_.record({.actor = id().value,
                 .kind = EventKind::sent,
                 .label = labels.sent,
                 .flags = to_resource ? event_flags::kResource : std::uint16_t{0},
                 .arg = endpoint_arg(connection, request.server),
                 .result = request.code});
  Message message;
  message.kind = request.kind;
  message.work = world_.work();
  message.command = request.command;
  message.code = request.code;
  message.body = request.body;
  message.count = request.count;
  network_.send(connection, Direction::to_server, message);
  network_.read_on(connection, Direction::to_client);
  return slot;
}

void Process::abandon_calls(std::uint32_t fiber) {
  for (std::uint32_t slot = 0; slot < calls_.size(); ++slot) {
    if (!calls_[slot].in_use || calls_[slot].fiber != fiber) continue;
    // An interrupted wait: the outcome stays unknown, the connection is given up.
    if (calls_[slot].state == CallState::pending) finish(slot, CallState::cancelled, nullptr);
    calls_[slot].in_use = false;
  }
}

void Process::await_calls(Fiber& fiber, LocalInstant deadline) {
  while (alive_ && fiber.outstanding > 0 && fiber.interruption == Interruption::none) {
    ++fiber.generation;
    fiber.woken = false;
    fiber.wait_deadline = deadline;
    fiber.phase = FiberPhase::waiting;
    pool_.park();
  }
  fiber.wait_deadline = LocalInstant::never();
}

void Process::call(std::span<const Request> requests, Duration timeout, const CallLabels& labels,
                   std::span<CallResult> results) {
  SIM_ASSERT(requests.size() == results.size() && requests.size() <= kRequestsMax);
  for (CallResult& result : results)
    result = {CallState::cancelled, nullptr};
  if (!alive_) {
    if (++dead_calls_ > kDeadCallsMax && !is_unwinding()) throw Killed{};
    return;
  }
  SIM_ASSERT(running_ != FiberPool::kNone);
  Fiber& fiber = *fibers_[running_];
  std::uint32_t slots[kRequestsMax];
  std::size_t sent = 0;
  // The deadline runs from before sending: a reply later than that is not waited for.
  const LocalInstant deadline = now() + timeout;
  TimerHandle timer;
  const auto survives = [&](Label label, const Request& request, ConnectionId connection) {
    if (label != Label::none) pass(label, request.server, connection, request.command);
    return label == Label::none || live_on(fiber);
  };
  try {
    for (const Request& request : requests) {
      if (!survives(labels.before_send, request, kNoConnection)) return;
      slots[sent++] = send(request, labels, deadline);
    }
    Event event{.type = EventType::timer, .actor = id()};
    event.a = running_;
    event.b = kCallDeadline;
    timer =
        world_.arm({host(), ClockId::monotonic, deadline, DeadlineKind::rpc_timeout, id(), event});
    fiber.timer = timer;  // Dies with the process.
    for (std::size_t i = 0; i < sent; ++i) {
      if (!survives(labels.sent, requests[i], calls_[slots[i]].connection)) return;
    }
    await_calls(fiber, deadline);
    if (!live_on(fiber)) return;
  } catch (...) {  // A panic or a cancel: rethrown at once.
    world_.disarm(timer);
    abandon_calls(fiber.index);
    throw;
  }
  world_.disarm(timer);
  fiber.timer = {};
  for (std::size_t i = 0; i < sent; ++i) {
    const Call& call = calls_[slots[i]];
    if (call.state != CallState::pending) results[i] = {call.state, call.body};
  }
  abandon_calls(fiber.index);
}

void Process::finish(std::uint32_t slot, CallState state, const void* body) {
  Call& call = calls_[slot];
  call.state = state;
  call.body = body;
  Fiber& fiber = *fibers_[call.fiber];
  SIM_ASSERT(fiber.outstanding > 0);
  --fiber.outstanding;
  const bool unread = state == CallState::timed_out || state == CallState::cancelled;
  const Connection& connection = network_.at(call.connection);
  const bool keeps_unread = timeout_policy == TimeoutPolicy::return_unread &&
                            connection.established && !is_resource(world_, connection.server);
  const bool reusable = state == CallState::replied || (unread && keeps_unread);
  if (reusable) {
    idle_connections_.push_back(call.connection);
  } else {
    network_.close_by_client(call.connection);
  }
  if (fiber.outstanding == 0 && call.fiber != running_) wake({call.fiber, fiber.generation});
}

void Process::on_data(ConnectionId connection) {
  const Message* head = network_.arrived(connection, Direction::to_client);
  if (head == nullptr) return;
  const auto call = std::find_if(calls_.begin(), calls_.end(), [connection](const Call& c) {
    return c.in_use && c.connection == connection && c.state == CallState::pending;
  });
  if (call == calls_.end()) {
    // Nobody waits. A reply stays unread in its buffer: whoever uses the connection next gets it.
    if (head->kind != MessageKind::end) return;
    std::erase(idle_connections_, connection);
    network_.take(connection, Direction::to_client);
    return;
  }
  const auto slot = static_cast<std::uint32_t>(call - calls_.begin());
  const ActorId server = network_.at(connection).server;
  const bool to_resource = is_resource(world_, server);
  Record record{.actor = id().value,
                .flags = to_resource ? event_flags::kResource : std::uint16_t{0},
                .arg = endpoint_arg(connection, server)};
  if (head->kind == MessageKind::end) {
    const bool refused = network_.at(connection).refused;
    network_.take(connection, Direction::to_client);
    record.kind = refused ? EventKind::refused : EventKind::broken;
    world_.record(record);
    return finish(slot, refused ? CallState::refused : CallState::broken, nullptr);
  }
  const bool late = now() >= call->deadline;
  const Witness witness = witness_of(server.value, static_cast<std::uint64_t>(head->kind));
  if (late && world_.choose(ChoiceKind::reply_vs_deadline, id(), Label::none, 2, witness) != 0) {
    record.kind = EventKind::timed_out;
    world_.record(record);
    return finish(slot, CallState::timed_out, nullptr);
  }
  const std::optional<Message> reply = network_.take(connection, Direction::to_client);
  record.kind = EventKind::replied;
  record.result = reply->code;
  world_.record(record);
  finish(slot, CallState::replied, reply->body);
}

void Process::on_timer(const Event& event) {
  Fiber& fiber = *fibers_[event.a];
  if (event.b != kCallDeadline) {
    if (fiber.phase == FiberPhase::waiting && fiber.generation == event.b) schedule_resume(fiber);
    return;
  }
  // A reply beats a deadline when both are due: what else is due at this instant goes first.
  if (!deadlines_first_ && world_.anything_else_due()) {
    Event again{.type = EventType::custom, .actor = id()};
    again.a = event.a;
    world_.schedule(world_.now(), again);
    return;
  }
  give_up(fiber);
}

void Process::give_up(Fiber& fiber) {
  for (std::uint32_t slot = 0; slot < calls_.size(); ++slot) {
    Call& call = calls_[slot];
    if (!call.in_use || call.fiber != fiber.index || call.state != CallState::pending) continue;
    if (now() < call.deadline) continue;
    const ActorId server = network_.at(call.connection).server;
    const bool to_resource = is_resource(world_, server);
    world_.record({.actor = id().value,
                   .kind = EventKind::timed_out,
                   .flags = to_resource ? event_flags::kResource : std::uint16_t{0},
                   .arg = endpoint_arg(call.connection, server)});
    finish(slot, CallState::timed_out, nullptr);
  }
}

}  // namespace locklab
