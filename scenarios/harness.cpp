// Harness: the records around acquire, section, effect and release.
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/harness.h"

#include <utility>

namespace locklab {

void Keeper::watching() {
  // Under the number of the acquire: what it stores or renews is this hold's.
  if (process_->alive()) process_->continue_as(Operation::renew);
}

void Keeper::renewing() {
  if (!process_->alive()) return;
  process_->begin_attempt();
  record(EventKind::op_begin, Operation::renew, Outcome::none, LocalInstant::never());
}

void Keeper::renewed(Outcome outcome, LocalInstant until) {
  if (!process_->alive()) return;
  record(EventKind::op_return, Operation::renew, outcome, until);
  // Only while the program claims it: a leaked watchdog extends nothing.
  if (outcome == Outcome::renewed && work_ != nullptr) process_->watch_claim(hold_, key_, until);
}

void Keeper::lost() {
  if (!process_->alive() || work_ == nullptr) return;
  lost_ = true;
  process_->unwatch_claim();
  record(EventKind::told_lost, Operation::none, Outcome::none, LocalInstant::never());
  std::exchange(work_, nullptr)->cancel();
}

void Keeper::record(EventKind kind, Operation operation, Outcome outcome,
                    LocalInstant until) const {
  Record record;
  record.actor = process_->id().value;
  record.kind = kind;
  record.lock = static_cast<std::uint16_t>(key_.value);
  record.flags = flags_;
  record.hold = hold_.value;
  record.arg = static_cast<std::int64_t>(operation);
  record.result = static_cast<std::int64_t>(outcome);
  if (until != LocalInstant::never()) {
    record.local = record_bits(until);
    record.flags |= event_flags::kChecked;
  }
  world_->record(record);
}

WorkContext::~WorkContext() {
  if (keeper_ != nullptr) keeper_->work_ = nullptr;
  context_.cancel();
}

Harness::Harness(Client& client, Lock& lock, const LockRequest& request, Stage& stage)
    : client_(client),
      lock_(lock),
      request_(request),
      stage_(stage),
      key_(stage.world->intern(request.key)) {}

bool Harness::alive() const {
  return client_.process().alive();
}

void Harness::record(const Record& record) const {
  if (alive()) stage_.world->record(record);  // The dead leave no trace.
}

Record Harness::about(const Hold& hold, EventKind kind) const {
  Record record;
  record.actor = client_.process().id().value;
  record.kind = kind;
  record.lock = static_cast<std::uint16_t>(key_.value);
  record.flags = flags_;
  record.hold = hold.id.value;
  return record;
}

Keeper& Harness::keeper_of(const Hold& hold, WorkContext& work) const {
  Keeper& keeper = stage_.world->arena().make_array<Keeper>(1)[0];
  keeper.process_ = &client_.process();
  keeper.world_ = stage_.world;
  keeper.work_ = &work.context();
  keeper.hold_ = hold.id;
  keeper.key_ = key_;
  keeper.flags_ = flags_;
  work.keeper_ = &keeper;
  return keeper;
}

std::optional<Hold> Harness::acquire(WorkContext* work, bool by_probe) {
  Process& process = client_.process();
  process.reach(Label::none);
  flags_ = by_probe ? event_flags::kProbe : std::uint16_t{0};
  Hold hold;
  hold.id = HoldId::of(process.id(), process.begin_operation(Operation::acquire, {}));
  hold.give_up = client_.now() + request_.ttl;
  Record begin = about(hold, EventKind::op_begin);
  begin.arg = static_cast<std::int64_t>(Operation::acquire);
  record(begin);

  LockRequest request = request_;
  if (work != nullptr) {
    request.context = &work->context();
    request.holder = &keeper_of(hold, *work);
    hold.keeper = work->keeper_;
  }
  const Acquired acquired = lock_.acquire(client_, request);
  process.reach(Label::acq_return);
  hold.lease = acquired.lease;

  Record end = about(hold, EventKind::op_return);
  end.arg = static_cast<std::int64_t>(Operation::acquire);
  end.result = static_cast<std::int64_t>(acquired.outcome);
  if (acquired.outcome == Outcome::acquired) {
    end.nonce = stage_.world->intern(acquired.lease.nonce).value;
    end.fence = acquired.lease.fence;
    end.local = record_bits(acquired.lease.until);
    if (acquired.lease.until != LocalInstant::never()) end.flags |= event_flags::kChecked;
  }
  record(end);
  process.end_operation();
  if (acquired.outcome != Outcome::acquired) return std::nullopt;
  process.watch_claim(hold.id, key_, acquired.lease.until);
  return hold;
}

void Harness::release(const Hold& hold) {
  if (!alive()) {
    lock_.release(client_, hold.lease);  // A destructor of a dead program: without effect.
    return;
  }
  Process& process = client_.process();
  process.begin_operation(Operation::release, hold.id);
  process.unwatch_claim();
  if (hold.keeper != nullptr) hold.keeper->work_ = nullptr;
  record_operation(hold, EventKind::op_begin, Operation::release, Outcome::none);
  const Outcome outcome = lock_.release(client_, hold.lease);
  process.reach(Label::rel_return);
  record_operation(hold, EventKind::op_return, Operation::release, outcome);
  process.end_operation();
}

void Harness::record_operation(const Hold& hold, EventKind kind, Operation operation,
                               Outcome outcome) {
  Record operated = about(hold, kind);
  operated.arg = static_cast<std::int64_t>(operation);
  operated.result = static_cast<std::int64_t>(outcome);
  record(operated);
}

std::optional<Lease> Harness::acquire_nested(const Hold& hold, Duration ttl) {
  client_.process().resume_operation(Operation::nested_acquire, hold.id);
  record_operation(hold, EventKind::op_begin, Operation::nested_acquire, Outcome::none);
  LockRequest request = request_;
  request.token = hold.lease.nonce;
  if (ttl > Duration()) request.ttl = ttl;
  const Acquired acquired = lock_.acquire(client_, request);
  record_operation(hold, EventKind::op_return, Operation::nested_acquire, acquired.outcome);
  if (acquired.outcome != Outcome::acquired) return std::nullopt;
  return acquired.lease;
}

void Harness::release_nested(const Hold& hold, const Lease& lease) {
  client_.process().resume_operation(Operation::nested_release, hold.id);
  record_operation(hold, EventKind::op_begin, Operation::nested_release, Outcome::none);
  const Outcome outcome = lock_.release(client_, lease);
  record_operation(hold, EventKind::op_return, Operation::nested_release, outcome);
}

void Harness::enter(const Hold& hold) {
  client_.process().begin_operation(Operation::section, hold.id);
  record(about(hold, EventKind::section_enter));
}

void Harness::leave(const Hold& hold, LeaveReason reason) {
  Record leave = about(hold, EventKind::section_leave);
  leave.arg = static_cast<std::int64_t>(reason);
  record(leave);
  if (alive()) client_.process().end_operation();
}

EffectOutcome Harness::effect(Hold& hold, ResourceOp op, std::uint32_t object, Duration timeout) {
  if (told_lost(hold)) return EffectOutcome::told_lost;
  if (!lock_.valid(client_, hold.lease)) return EffectOutcome::lease_over;
  Process& process = client_.process();
  if (hold.lease.until != LocalInstant::never()) process.reach(Label::hold_check_ok);

  auto& body = stage_.world->arena().make_array<ResourceRequest>(1)[0];
  body.op = op;
  body.object = object;
  body.fence = hold.lease.fence;
  body.sequence = ++hold.sequence;
  body.version_read = hold.version_read[object];
  Request request;
  request.server = stage_.resource->id();
  request.command = stage_.world->intern(name_of(op));
  request.code = static_cast<std::int64_t>(op) | static_cast<std::int64_t>(object) << 8;
  request.body = &body;
  CallResult result;
  process.call({&request, 1}, timeout, {Label::res_before_send, Label::res_sent}, {&result, 1});
  if (!result.is_replied()) return EffectOutcome::unknown;
  const auto& reply = *static_cast<const ResourceReply*>(result.body);
  hold.version_read[object] = reply.version;
  return reply.accepted ? EffectOutcome::accepted : EffectOutcome::rejected;
}

}  // namespace locklab
