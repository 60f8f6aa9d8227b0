// Process of a real client: gates, requests over sockets, operations.
// SPDX-License-Identifier: Apache-2.0
#include "sim/process.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "sim/contract.h"
#include "sim/stage.h"

namespace locklab {

using real::number_of;
using real::Value;
using real::word_of;
using real::Words;

namespace {

/// The reply with its texts in the arena.
redis::Reply reply_of(const Value& value, Arena& arena) {
  switch (value.kind) {
    case redis::ReplyKind::nil:
      return redis::Reply::nil();
    case redis::ReplyKind::null_array:
      return redis::Reply::null_array();
    case redis::ReplyKind::status:
      return redis::Reply::status(arena.copy(value.text));
    case redis::ReplyKind::error:
      return redis::Reply::error(arena.copy(value.text));
    case redis::ReplyKind::integer:
      return redis::Reply::integer(value.integer);
    case redis::ReplyKind::bulk:
      return redis::Reply::bulk(arena.copy(value.text));
    case redis::ReplyKind::array:
      break;
  }
  const std::span<redis::Reply> children = arena.make_array<redis::Reply>(value.children.size());
  for (std::size_t i = 0; i < children.size(); ++i)
    children[i] = reply_of(value.children[i], arena);
  return redis::Reply::array(children);
}

CallState state_named(const std::string& name) {
  if (name == "replied") return CallState::replied;
  if (name == "broken") return CallState::broken;
  return name == "refused" ? CallState::refused : CallState::timed_out;
}

}  // namespace

Process::Process(real::Conversation& driver, World& world, const real::ClientSetup& setup)
    : primary(ActorId{static_cast<std::uint16_t>(setup.primary)}),
      driver_(driver),
      world_(world),
      pool_(FiberPool::of_thread()),
      id_(ActorId{static_cast<std::uint16_t>(setup.actor)}),
      resource_(ActorId{static_cast<std::uint16_t>(setup.resource)}),
      operations_(static_cast<std::uint16_t>(setup.operations)),
      probes_(setup.probes != 0),
      first_fiber_(static_cast<std::uint32_t>(setup.fiber)),
      ports_(setup.ports) {}

// --- Fibers and gates ---------------------------------------------------------------------------

Process::Fiber& Process::make_fiber(Task body) {
  fibers_.push_back(std::make_unique<Fiber>());
  Fiber& fiber = *fibers_.back();
  fiber.process = this;
  fiber.index = first_fiber_ + static_cast<std::uint32_t>(fibers_.size()) - 1;
  fiber.body = std::move(body);
  const Span parent = world_.work().span;
  fiber.work = {Span::of_operation(id_, static_cast<std::uint8_t>(fiber.index), parent.operation(),
                                   parent.attempt()),
                world_.work().hold};
  fiber.operation = running_ == nullptr ? Operation::none : running_->operation;
  fiber.pool_id = pool_.spawn(
      [](void* self) {
        Fiber& spawned = *static_cast<Fiber*>(self);
        spawned.process->run(spawned);
      },
      &fiber);
  ++live_fibers_;
  return fiber;
}

std::uint32_t Process::go(Task body) {
  const std::uint32_t index = make_fiber(std::move(body)).index;
  world_.record({.actor = id_.value,
                 .kind = EventKind::fiber_began,
                 .arg = static_cast<std::int64_t>(index)});
  tell_begun(*fibers_.at(index - first_fiber_));
  return index;
}

/// It runs when the driver says so.
void Process::tell_begun(const Fiber& fiber) {
  driver_.tell({"at", word_of(fiber.index),
                word_of(static_cast<std::int64_t>(fiber.work.span.bits)), "begun"});
}

void Process::run(Fiber& fiber) {
  const auto record = [&](EventKind kind, bool result) {
    world_.record({.actor = id_.value,
                   .kind = kind,
                   .arg = static_cast<std::int64_t>(fiber.index),
                   .result = result ? 1 : 0});
  };
  try {
    fiber.body();
  } catch (const Cancelled&) {
    record(EventKind::cancelled, true);
  } catch (const Panic& panic) {
    record(EventKind::panicked, panic.recovered);
    if (!panic.recovered) std::_Exit(real::kPanicked);
  } catch (...) {
    failure_ = std::current_exception();
  }
  fiber.body.reset();
  if (!failure_) gate({"ended"});
}

void Process::serve(Task program) {
  tell_begun(make_fiber(std::move(program)));
  while (live_fibers_ > 0) {
    const Words message = driver_.listen();
    if (message[0] == "primary") {
      primary = ActorId{static_cast<std::uint16_t>(number_of(message[1]))};
    } else if (message[0] == "outcome") {
      take_outcome(message);
    } else if (message[0] == "strike") {
      strike(message);
    } else {
      resume(message);
    }
  }
}

void Process::resume(const Words& message) {
  monotonic_ = local_from_bits(number_of(message[message.size() - 2]));
  wall_ = local_from_bits(number_of(message[message.size() - 1]));
  Fiber& fiber = *fibers_.at(static_cast<std::size_t>(number_of(message[1])) - first_fiber_);
  fiber.answer = message;
  running_ = &fiber;
  world_.work() = fiber.work;
  const FiberState state = pool_.resume(fiber.pool_id);
  fiber.work = world_.work();
  running_ = nullptr;
  if (failure_) std::rethrow_exception(failure_);
  if (state == FiberState::idle) --live_fibers_;
}

Words Process::gate(const Words& words) {
  tell_progress();
  Words message = {"at", word_of(running_->index),
                   word_of(static_cast<std::int64_t>(world_.work().span.bits))};
  message.insert(message.end(), words.begin(), words.end());
  driver_.tell(message);
  Fiber& fiber = *running_;
  pool_.park();
  return fiber.answer;
}

void Process::tell_progress() {
  Words now = progress ? progress() : Words();
  if (now == told_progress_) return;
  told_progress_ = now;
  now.insert(now.begin(), "progress");
  driver_.tell(now);
}

/// What has struck the running fiber ends it here, unless it is being ended already.
void Process::obey() {
  if (std::uncaught_exceptions() > 0) return;
  switch (std::exchange(running_->interruption, Interruption::none)) {
    case Interruption::none:
      return;
    case Interruption::cancel:
      throw Cancelled{};
    case Interruption::panic:
      throw Panic{running_->recovered};
  }
}

void Process::strike(const Words& message) {
  Fiber& fiber = *fibers_.at(static_cast<std::size_t>(number_of(message[1])) - first_fiber_);
  fiber.interruption = message[2] == "cancel" ? Interruption::cancel : Interruption::panic;
  fiber.recovered = message[3] == "recovered";
  if (fiber.waits) ready(fiber);
  driver_.tell({"struck"});
}

void Process::ready(Fiber& fiber) {
  if (std::exchange(fiber.woken, true)) return;
  driver_.tell({"ready", word_of(fiber.index)});
}

void Process::wake(WaitId wait) {
  Fiber& fiber = *fibers_.at(wait.fiber - first_fiber_);
  if (fiber.waits && fiber.generation == wait.generation) ready(fiber);
}

void Process::reach(Label label) {
  if (label == Label::none) return;
  gate({"label", word_of(static_cast<std::int64_t>(label))});
  obey();
}

bool Process::wait(LocalInstant deadline, DeadlineKind) {
  obey();
  Fiber& fiber = *running_;
  ++fiber.generation;
  fiber.woken = false;
  fiber.waits = true;
  gate({"sleep", word_of(record_bits(deadline))});
  fiber.waits = false;
  if (!fiber.woken && monotonic_ < deadline && !(probes_ && fiber.index == first_fiber_)) {
    throw real::Trouble("a fiber goes on that nothing in its program has woken");
  }
  obey();
  return fiber.woken;
}

// --- Requests -----------------------------------------------------------------------------------

std::string Process::bytes_of(const Request& request) const {
  if (request.kind == MessageKind::fence_request) return real::encode({"NEXT"});
  if (request.server != resource_) {
    const auto* const argv = static_cast<const std::string_view*>(request.body);
    return real::encode(Words(argv, argv + request.count));
  }
  const auto& body = *static_cast<const ResourceRequest*>(request.body);
  Words words = {std::string(name_of(body.op))};
  for (const std::uint64_t number :
       {std::uint64_t{body.object}, std::uint64_t{body.fence}, std::uint64_t{body.sequence},
        body.version_read, std::uint64_t{world_.work().hold.value}}) {
    words.push_back(std::to_string(number));
  }
  return real::encode(words);
}

ConnectionId Process::send(const Request& request, Label label, LocalInstant deadline) {
  const Words answer =
      gate({"sent", word_of(static_cast<std::int64_t>(label)), word_of(request.server.value),
            word_of(request.code), std::string(world_.text(request.command)),
            word_of(world_.work().hold.value), word_of(record_bits(deadline))});
  const auto connection = static_cast<ConnectionId>(number_of(answer[2]));
  if (connections_.find(connection) == connections_.end()) {
    const auto port = static_cast<std::uint16_t>(ports_[request.server.value]);
    std::optional<real::Stream> stream = real::connect_to_port(port);
    if (!stream) throw real::Trouble("the proxy refuses a connection");
    connections_.emplace(connection, *std::move(stream));
  }
  connections_.at(connection).write(bytes_of(request));
  return connection;
}

const void* Process::body_of(const Call& call, const Value& reply) {
  Arena& arena = world_.arena();
  if (call.kind == MessageKind::fence_request) {
    return &(arena.make_array<std::uint32_t>(1)[0] = static_cast<std::uint32_t>(reply.integer));
  }
  if (!call.to_resource) return &(arena.make_array<redis::Reply>(1)[0] = reply_of(reply, arena));
  ResourceReply& body = arena.make_array<ResourceReply>(1)[0];
  body.accepted = reply.children.at(0).integer != 0;
  body.version = static_cast<std::uint64_t>(reply.children.at(1).integer);
  return &body;
}

/// The driver says what happened to a connection; what it says of a reply, the socket must show.
void Process::take_outcome(const Words& message) {
  const auto connection = static_cast<ConnectionId>(number_of(message[1]));
  const auto is_awaited = [connection](const Call& call) {
    return call.connection == connection && call.state == CallState::pending;
  };
  const auto owner = std::find_if(fibers_.begin(), fibers_.end(), [&](const auto& fiber) {
    return std::any_of(fiber->calls.begin(), fiber->calls.end(), is_awaited);
  });
  if (owner == fibers_.end()) throw real::Trouble("an outcome that nobody awaits");
  Fiber& fiber = **owner;
  Call& call = *std::find_if(fiber.calls.begin(), fiber.calls.end(), is_awaited);
  call.state = state_named(message[2]);
  real::Stream& stream = connections_.at(connection);
  std::string bytes;
  if (call.state == CallState::replied) {
    bytes = stream.read_value();
    call.body = body_of(call, real::decode(bytes));
  } else {
    // Broken: the end of the stream must have come; a timeout: nothing.
    const bool broken = call.state != CallState::timed_out;
    if (broken) stream.wait(real::kPatienceMs);
    if (stream.pump() == broken || !stream.buffer().empty()) bytes = "unexpected";
    give_up(call);
  }
  if (fiber.waits && pending_calls(fiber) == 0) ready(fiber);
  driver_.tell({"outcome", message[1], bytes});
}

std::size_t Process::pending_calls(const Fiber& fiber) const {
  return static_cast<std::size_t>(
      std::count_if(fiber.calls.begin(), fiber.calls.end(),
                    [](const Call& call) { return call.state == CallState::pending; }));
}

void Process::await_calls() {
  Fiber& fiber = *running_;
  if (pending_calls(fiber) == 0) return;
  fiber.woken = false;
  fiber.waits = true;
  gate({"await"});
  fiber.waits = false;
}

/// A connection whose reply nobody waits for any more: closed, or kept for the next command, which
/// then reads what it finds there.
void Process::give_up(const Call& call) {
  const bool unread = call.state == CallState::timed_out || call.state == CallState::pending;
  const bool keeps = timeout_policy == TimeoutPolicy::return_unread && !call.to_resource;
  if (!unread || !keeps) connections_.erase(call.connection);
}

/// An interrupted wait: outcomes stay unknown.
void Process::abandon_calls() {
  for (const Call& call : running_->calls) {
    if (call.state == CallState::pending) give_up(call);
  }
  running_->calls.clear();
}

/// When a call is over for want of a reply, the driver says; that it may be, by the client's own
/// deadline, is checked there.
void Process::call(std::span<const Request> requests, Duration timeout, const CallLabels& labels,
                   std::span<CallResult> results) {
  const LocalInstant deadline = now() + timeout;  // From before the first is sent.
  Fiber& fiber = *running_;
  fiber.calls.clear();
  try {
    for (const Request& request : requests) {
      reach(labels.before_send);
      const ConnectionId connection = send(request, labels.sent, deadline);
      fiber.calls.push_back(
          {connection, request.kind, request.server == resource_, CallState::pending, nullptr});
    }
    for (std::size_t i = 0; i < requests.size(); ++i)
      reach(labels.sent);
    await_calls();
    obey();
  } catch (...) {
    abandon_calls();
    throw;
  }
  for (std::size_t i = 0; i < requests.size(); ++i)
    results[i] = {fiber.calls[i].state, fiber.calls[i].body};
  fiber.calls.clear();
}

// --- Operations, numbered as sim/process.cpp does -----------------------------------------------

std::uint16_t Process::begin_operation(Operation operation, HoldId hold) {
  ++operations_;
  running_->operation = operation;
  Work& work = world_.work();
  work.span = Span::of_operation(id_, static_cast<std::uint8_t>(running_->index), operations_, 0);
  work.hold = operation == Operation::acquire ? HoldId::of(id_, operations_) : hold;
  return operations_;
}

void Process::resume_operation(Operation operation, HoldId hold) {
  running_->operation = operation;
  Work& work = world_.work();
  // Its first attempt was the acquire's; the next one gets a nonce of its own.
  work.span = Span::of_operation(id_, static_cast<std::uint8_t>(running_->index),
                                 static_cast<std::uint16_t>(hold.value & 0xffff), 1);
  work.hold = hold;
}

void Process::align_operations(std::uint32_t block) {
  operations_ = static_cast<std::uint16_t>((operations_ + block - 1) / block * block);
}

std::uint16_t Process::begin_attempt() {
  Span& span = world_.work().span;
  const auto attempt = static_cast<std::uint16_t>(span.attempt() + 1);
  span = Span::of_operation(id_, span.fiber(), span.operation(), attempt);
  return attempt;
}

void Process::watch_claim(HoldId hold, TextId lock, LocalInstant until) {
  unwatch_claim();
  if (until == LocalInstant::never()) return;
  driver_.tell(
      {"watch", word_of(hold.value), std::string(world_.text(lock)), word_of(record_bits(until))});
}

void Process::unwatch_claim() {
  driver_.tell({"unwatch"});
}

}  // namespace locklab
