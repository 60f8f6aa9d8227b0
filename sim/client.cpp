// Client: from calls of lock code to requests of its process.
// SPDX-License-Identifier: Apache-2.0
#include "sim/client.h"

#include <algorithm>
#include <charconv>

#include "sim/contract.h"
#include "sim/process.h"
#include "sim/redis/sha1.h"
#include "sim/stage.h"

namespace locklab {
namespace {

CallLabels labels_of(Operation operation) {
  switch (operation) {
    case Operation::acquire:
    case Operation::nested_acquire:
      return {Label::acq_before_send, Label::acq_sent};
    case Operation::renew:
      return {Label::none, Label::wd_sent};
    case Operation::release:
    case Operation::nested_release:
      return {Label::rel_before_send, Label::rel_sent};
    default:
      return {};
  }
}

std::string_view format(std::int64_t value, Arena& arena) {
  return redis::format_integer(value, arena);
}

// As go-redis' MinRetryBackoff and MaxRetryBackoff; internal/internal.go, RetryBackoff.
constexpr Duration kBackoffLeast = milliseconds(8);
constexpr Duration kBackoffMost = milliseconds(512);

/// Of what is added at random to the least wait before this try, from 1.
Duration jitter_before(std::uint32_t retry) {
  Duration bound = kBackoffLeast;
  for (std::uint32_t i = 0; i < retry && bound < kBackoffMost; ++i)
    bound = bound * 2;
  return bound;
}

bool is_answered(const Answer& answer) {
  return !answer.is_unknown() && !answer.is_unreachable();
}

}  // namespace

Duration longest_command(Duration timeout, std::uint32_t retries) {
  Duration longest = timeout * (retries + 1);
  for (std::uint32_t retry = 1; retry <= retries; ++retry)
    longest = longest + std::min(kBackoffLeast + jitter_before(retry), kBackoffMost);
  return longest;
}

Client::Client(Process& process, Stage& stage, Duration command_timeout, std::uint32_t retries)
    : process_(&process), stage_(&stage), command_timeout_(command_timeout), retries_(retries) {}

LocalInstant Client::now() const {
  return process_->now(ClockId::monotonic);
}
LocalInstant Client::wall_now() const {
  return process_->wall_now();
}

void Client::sleep_for(Duration length) {
  sleep_until(now() + length);
}

void Client::sleep_until(LocalInstant deadline) {
  process_->wait(deadline, DeadlineKind::sleep);
}

std::string_view Client::in_milliseconds(Duration length) {
  return format(whole_milliseconds(length), stage_->world->arena());
}

Duration Client::jitter(Duration bound) {
  if (!process_->alive()) return {};
  return stage_->world->choose_delay(ChoiceKind::retry_jitter, process_->id(), bound,
                                     witness_of(0, 0));
}

Redis Client::redis() {
  return {*this, Redis::kPrimary, 1};
}
Redis Client::redis(std::size_t node) {
  return {*this, node, 1};
}
Redis Client::all_nodes() {
  return {*this, 0, node_count()};
}
std::size_t Client::node_count() const {
  return stage_->orchestrator != nullptr ? 1 : stage_->nodes.size();
}

std::optional<std::uint32_t> Client::next_fence() {
  if (!process_->alive()) {
    process_->call({}, command_timeout_, {}, {});
    return std::nullopt;
  }
  Request request;
  request.server = stage_->counter->id();
  request.kind = MessageKind::fence_request;
  request.command = stage_->world->intern("FENCE");
  request.code = request.command.value;
  CallResult result;
  process_->call({&request, 1}, command_timeout_, labels_of(process_->phase()), {&result, 1});
  if (!result.is_replied()) return std::nullopt;
  return *static_cast<const std::uint32_t*>(result.body);
}

std::string_view Client::new_nonce() {
  Arena& arena = stage_->world->arena();
  const std::uint16_t attempt = process_->begin_attempt();
  const Span span = stage_->world->work().span;
  // "c<process>.<operation>.<attempt>": short enough to stay inside a std::string.
  return arena.concat("c", format(process_->id().value, arena), ".",
                      format(span.operation(), arena), ".", format(attempt, arena));
}

bool Client::process_lives() const {
  return process_->alive();
}
void Client::reach(Label label) {
  process_->reach(label);
}
void Client::go(Task body) {
  process_->go(std::move(body));
}
void Client::panic(bool recovered) {
  throw Panic{recovered};
}

// --- Redis

Redis::Redis(Client& client, std::size_t first, std::size_t count)
    : client_(&client),
      first_(first),
      count_(count),
      timeout_(client.command_timeout_),
      retries_(client.retries_) {}

Redis Redis::with_timeout(Duration timeout) const {
  Redis copy = *this;
  copy.timeout_ = timeout;
  return copy;
}

Redis Redis::without_retries() const {
  Redis copy = *this;
  copy.retries_ = 0;
  return copy;
}

bool Redis::ask(const Request& request, Answers& answers) {
  Process& process = client_->process();
  const Stage& stage = client_->stage();
  SIM_ASSERT(count_ <= Answers::kMax);
  std::array<Request, Answers::kMax> requests;
  std::array<CallResult, Answers::kMax> results;
  std::array<std::size_t, Answers::kMax> asked{};
  std::size_t size = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    if (is_answered(answers[i])) continue;
    asked[size] = i;
    requests[size] = request;
    requests[size++].server = first_ == kPrimary
                                  ? process.primary
                                  : stage.nodes[std::min(first_ + i, stage.nodes.size() - 1)]->id();
  }
  process.call({requests.data(), size}, timeout_, labels_of(process.phase()),
               {results.data(), size});
  bool may_ask_again = true;
  for (std::size_t i = 0; i < size; ++i) {
    Answer& answer = answers.answers_[asked[i]];
    if (results[i].state == CallState::cancelled) may_ask_again = false;
    switch (results[i].state) {
      case CallState::replied:
        answer = Answer::replied(*static_cast<const redis::Reply*>(results[i].body));
        break;
      case CallState::refused:
        answer = Answer::unreachable();
        break;
      default:
        answer = Answer::unknown();
    }
  }
  return may_ask_again;
}

Answers Redis::send(std::span<const std::string_view> argv, std::string_view title) {
  Process& process = client_->process();
  Answers answers;
  answers.size_ = count_;
  if (!process.alive()) {  // No event, no message, no choice: the call only counts itself.
    process.call({}, timeout_, {}, {});
    return answers;
  }
  World& world = *client_->stage().world;
  std::span<std::string_view> body = world.arena().make_array<std::string_view>(argv.size());
  for (std::size_t i = 0; i < argv.size(); ++i)
    body[i] = world.arena().copy(argv[i]);

  Request request;
  request.command = world.intern(title);
  request.code = request.command.value;
  request.body = body.data();
  request.count = static_cast<std::uint32_t>(body.size());
  bool may_ask_again = ask(request, answers);
  // Nobody sends again what its caller has given up (go-redis, error.go, shouldRetry).
  for (std::uint32_t retry = 1; retry <= retries_ && may_ask_again; ++retry) {
    if (std::all_of(answers.begin(), answers.end(), is_answered)) break;
    const Duration wait = kBackoffLeast + client_->jitter(jitter_before(retry));
    client_->sleep_for(std::min(wait, kBackoffMost));
    if (!process.alive()) break;
    may_ask_again = ask(request, answers);
  }
  return answers;
}

Answer Redis::command(std::initializer_list<std::string_view> argv) {
  return send({argv.begin(), argv.size()}, *argv.begin())[0];
}

Answers Redis::set_all(std::string_view key, std::string_view value, const SetOptions& options) {
  std::array<std::string_view, 6> argv = {"SET", key, value};
  std::size_t count = 3;
  char digits[24];
  if (options.nx) argv[count++] = "NX";
  if (options.px) {
    const auto end =
        std::to_chars(digits, digits + sizeof(digits), whole_milliseconds(*options.px)).ptr;
    argv[count++] = "PX";
    argv[count++] = std::string_view(digits, static_cast<std::size_t>(end - digits));
  }
  return send({argv.data(), count}, "SET");
}

Answer Redis::set(std::string_view key, std::string_view value, const SetOptions& options) {
  return set_all(key, value, options)[0];
}
Answer Redis::setnx(std::string_view key, std::string_view value) {
  return command({"SETNX", key, value});
}
Answer Redis::get(std::string_view key) {
  return command({"GET", key});
}
Answer Redis::del(std::string_view key) {
  return command({"DEL", key});
}
Answer Redis::incr(std::string_view key) {
  return command({"INCR", key});
}
Answer Redis::pexpire(std::string_view key, Duration ttl) {
  return command({"PEXPIRE", key, client_->in_milliseconds(ttl)});
}

Answer Redis::wait(std::uint32_t replicas, Duration timeout) {
  Arena& arena = client_->stage().world->arena();
  return with_timeout(timeout_ + timeout)
      .without_retries()
      .command({"WAIT", format(replicas, arena), format(whole_milliseconds(timeout), arena)});
}

Answers Redis::send_script(const Script& script, std::initializer_list<std::string_view> keys,
                           std::initializer_list<std::string_view> arguments) {
  std::array<std::string_view, 16> argv;
  SIM_ASSERT(3 + keys.size() + arguments.size() <= argv.size());
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof(digits), keys.size()).ptr;
  std::size_t count = 0;
  argv[count++] = "EVALSHA";
  argv[count++] = client_->stage().sha_of(script.body);
  argv[count++] = std::string_view(digits, static_cast<std::size_t>(end - digits));
  for (const std::string_view key : keys)
    argv[count++] = key;
  for (const std::string_view argument : arguments)
    argv[count++] = argument;

  Answers answers = send({argv.data(), count}, script.name);
  argv[0] = "EVAL";
  argv[1] = script.body;
  for (std::size_t i = 0; i < count_; ++i) {
    if (!answers[i].is_error("NOSCRIPT")) continue;
    const std::size_t node = first_ == kPrimary ? kPrimary : first_ + i;
    Redis one = *this;
    one.first_ = node;
    one.count_ = 1;
    answers.answers_[i] = one.send({argv.data(), count}, script.name)[0];
  }
  return answers;
}

Answer Redis::eval(const Script& script, std::initializer_list<std::string_view> keys,
                   std::initializer_list<std::string_view> arguments) {
  return send_script(script, keys, arguments)[0];
}
Answers Redis::eval_all(const Script& script, std::initializer_list<std::string_view> keys,
                        std::initializer_list<std::string_view> arguments) {
  return send_script(script, keys, arguments);
}

}  // namespace locklab
