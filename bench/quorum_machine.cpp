// QuorumMachine: the steps of Redlock between its waits.
// SPDX-License-Identifier: Apache-2.0
#include "bench/quorum_machine.h"

#include "models/scripts.h"

namespace locklab::bench {
namespace {

const redis::Reply* reply_of(const CallResult& result) {
  return result.is_replied() ? static_cast<const redis::Reply*>(result.body) : nullptr;
}

bool is_integer(const CallResult& result, std::int64_t value) {
  const redis::Reply* reply = reply_of(result);
  return reply != nullptr && reply->is_integer(value);
}

CallLabels labels_of(Operation operation) {
  if (operation == Operation::acquire) return {Label::acq_before_send, Label::acq_sent};
  return {Label::rel_before_send, Label::rel_sent};
}

}  // namespace

void QuorumMachine::begin(const WorkloadConfig& workload, const ClientConfig& config) {
  begin_process();
  workload_ = &workload;
  config_ = &config;
  step_ = Step::start;
  hold_ = {};
}

Duration QuorumMachine::phase(ChoiceKind kind, Duration bound) {
  return world().choose_delay(kind, id(), bound, witness_of(0, 0));
}

bool QuorumMachine::activate() {
  switch (step_) {
    case Step::start:
      key_ = world().intern(config_->key);
      step_ = Step::other;
      return on_start();
    case Step::votes:
      return count_votes();
    case Step::scripts:
      keep_answers();
      next_retry_ = 0;
      return retry_or_settle();
    case Step::retries:
      answers_[retried_] = result(0);
      return retry_or_settle();
    case Step::other:
      break;
  }
  return on_other();
}

Record QuorumMachine::about_hold(EventKind kind) const {
  Record record;
  record.actor = id().value;
  record.kind = kind;
  record.lock = static_cast<std::uint16_t>(key_.value);
  record.flags = flags_;
  record.hold = hold_.id.value;
  return record;
}

void QuorumMachine::ask_all(std::span<const std::string_view> argv, std::string_view title) {
  std::array<Request, kCallsMax> requests;
  const TextId command = world().intern(title);
  const std::size_t count = stage_.nodes.size();
  for (std::size_t i = 0; i < count; ++i) {
    requests[i] = {
        stage_.nodes[i]->id(), MessageKind::request, command,
        command.value,         argv.data(),          static_cast<std::uint32_t>(argv.size())};
  }
  call({requests.data(), count}, config_->timeout, labels_of(operation()));
}

void QuorumMachine::keep_answers() {
  for (std::size_t i = 0; i < stage_.nodes.size(); ++i)
    answers_[i] = result(i);
}

// --- Acquire

void QuorumMachine::acquire(bool by_probe) {
  flags_ = by_probe ? event_flags::kProbe : std::uint16_t{0};
  hold_ = {};
  hold_.id = HoldId::of(id(), begin_operation(Operation::acquire, {}));
  hold_.give_up = now() + config_->ttl;
  Record begin = about_hold(EventKind::op_begin);
  begin.arg = static_cast<std::int64_t>(Operation::acquire);
  world().record(begin);

  Arena& arena = world().arena();
  const std::uint16_t attempt = begin_attempt();
  const Span span = world().work().span;
  const auto number = [&arena](std::int64_t n) { return redis::format_integer(n, arena); };
  hold_.lease.key = config_->key;
  hold_.lease.nonce =
      arena.concat("c", number(id().value), ".", number(span.operation()), ".", number(attempt));
  hold_.lease.until = now() + config_->ttl - config_->margin;
  std::span<std::string_view> argv = arena.make_array<std::string_view>(6);
  argv[0] = "SET";
  argv[1] = hold_.lease.key;
  argv[2] = hold_.lease.nonce;
  argv[3] = "NX";
  argv[4] = "PX";
  argv[5] = number(whole_milliseconds(config_->ttl));
  ask_all(argv, "SET");
  step_ = Step::votes;
}

bool QuorumMachine::count_votes() {
  const std::size_t nodes = stage_.nodes.size();
  std::size_t granted = 0;
  unknown_vote_ = false;
  for (std::size_t i = 0; i < nodes; ++i) {
    const CallResult vote = result(i);
    const redis::Reply* reply = reply_of(vote);
    granted += reply != nullptr && reply->is_ok() ? 1 : 0;
    unknown_vote_ = unknown_vote_ || (reply == nullptr && vote.state != CallState::refused);
  }
  reach(Label::acq_after_quorum);
  if (granted >= nodes / 2 + 1 && valid()) return end_acquire(Outcome::acquired);
  remove_everywhere();
  return true;
}

bool QuorumMachine::end_acquire(Outcome outcome) {
  reach(Label::acq_return);
  const bool granted = outcome == Outcome::acquired;
  Record end = about_hold(EventKind::op_return);
  end.arg = static_cast<std::int64_t>(Operation::acquire);
  end.result = static_cast<std::int64_t>(outcome);
  if (granted) {
    end.nonce = world().intern(hold_.lease.nonce).value;
    end.local = record_bits(hold_.lease.until);
    end.flags |= event_flags::kChecked;
  }
  world().record(end);
  end_operation();
  if (granted) watch_claim(hold_.id, key_, hold_.lease.until);
  step_ = Step::other;
  return on_acquired(granted);
}

// --- Release, and the undo of a failed acquire

void QuorumMachine::release() {
  begin_operation(Operation::release, hold_.id);
  unwatch_claim();
  Record begin = about_hold(EventKind::op_begin);
  begin.arg = static_cast<std::int64_t>(Operation::release);
  world().record(begin);
  remove_everywhere();
}

void QuorumMachine::remove_everywhere() {
  script_argv_ = world().arena().make_array<std::string_view>(5);
  script_argv_[0] = "EVALSHA";
  script_argv_[1] = stage_.sha_of(scripts::kCompareAndDelete.body);
  script_argv_[2] = "1";
  script_argv_[3] = hold_.lease.key;
  script_argv_[4] = hold_.lease.nonce;
  ask_all(script_argv_, scripts::kCompareAndDelete.name);
  step_ = Step::scripts;
}

bool QuorumMachine::retry_or_settle() {
  while (next_retry_ < stage_.nodes.size()) {
    const std::uint32_t node = next_retry_++;
    const redis::Reply* reply = reply_of(answers_[node]);
    if (reply == nullptr || !reply->is_error("NOSCRIPT")) continue;
    if (script_argv_[0] != "EVAL") {
      script_argv_ = world().arena().make_array<std::string_view>(5);
      script_argv_[0] = "EVAL";
      script_argv_[1] = scripts::kCompareAndDelete.body;
      script_argv_[2] = "1";
      script_argv_[3] = hold_.lease.key;
      script_argv_[4] = hold_.lease.nonce;
    }
    const TextId command = world().intern(scripts::kCompareAndDelete.name);
    const Request request{stage_.nodes[node]->id(),
                          MessageKind::request,
                          command,
                          command.value,
                          script_argv_.data(),
                          static_cast<std::uint32_t>(script_argv_.size())};
    retried_ = node;
    call({&request, 1}, config_->timeout, labels_of(operation()));
    step_ = Step::retries;
    return true;
  }
  return settle_removal();
}

bool QuorumMachine::settle_removal() {
  if (operation() == Operation::acquire) {
    return end_acquire(unknown_vote_ ? Outcome::unknown : Outcome::refused);
  }
  const std::size_t nodes = stage_.nodes.size();
  const std::size_t quorum = nodes / 2 + 1;
  std::size_t deleted = 0;
  std::size_t absent = 0;
  for (std::size_t i = 0; i < nodes; ++i) {
    deleted += is_integer(answers_[i], 1) ? 1 : 0;
    absent += is_integer(answers_[i], 0) ? 1 : 0;
  }
  Outcome outcome = Outcome::released;
  if (deleted < quorum) outcome = absent > nodes - quorum ? Outcome::not_held : Outcome::unknown;
  reach(Label::rel_return);
  Record end = about_hold(EventKind::op_return);
  end.arg = static_cast<std::int64_t>(Operation::release);
  end.result = static_cast<std::int64_t>(outcome);
  world().record(end);
  end_operation();
  step_ = Step::other;
  return on_released();
}

// --- Section

void QuorumMachine::enter() {
  begin_operation(Operation::section, hold_.id);
  world().record(about_hold(EventKind::section_enter));
}

void QuorumMachine::leave(LeaveReason reason) {
  Record record = about_hold(EventKind::section_leave);
  record.arg = static_cast<std::int64_t>(reason);
  world().record(record);
  end_operation();
}

}  // namespace locklab::bench
