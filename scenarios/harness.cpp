// Harness: the records around acquire, section, effect and release.
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/harness.h"

namespace locklab {

Harness::Harness(Client& client, Lock& lock, const LockRequest& request, Stage& stage)
    : client_(client),
      lock_(lock),
      request_(request),
      stage_(stage),
      key_(stage.world->intern(request.key)) {}

bool Harness::alive() const {
  return client_.process().alive();
}

void Harness::record(const Record& record) {
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

std::optional<Hold> Harness::acquire(bool by_probe) {
  Process& process = client_.process();
  process.reach(Label::none);
  flags_ = by_probe ? event_flags::kProbe : std::uint16_t{0};
  Hold hold;
  hold.id = HoldId::of(process.id(), process.begin_operation(Operation::acquire, {}));
  hold.give_up = client_.now() + request_.ttl;
  Record begin = about(hold, EventKind::op_begin);
  begin.arg = static_cast<std::int64_t>(Operation::acquire);
  record(begin);

  const Acquired acquired = lock_.acquire(client_, request_);
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
  Record begin = about(hold, EventKind::op_begin);
  begin.arg = static_cast<std::int64_t>(Operation::release);
  record(begin);
  const Outcome outcome = lock_.release(client_, hold.lease);
  process.reach(Label::rel_return);
  Record end = about(hold, EventKind::op_return);
  end.arg = static_cast<std::int64_t>(Operation::release);
  end.result = static_cast<std::int64_t>(outcome);
  record(end);
  process.end_operation();
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
