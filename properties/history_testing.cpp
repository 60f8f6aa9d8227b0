// HistoryBuilder: one record a call.
// SPDX-License-Identifier: Apache-2.0
#include "properties/history_testing.h"

#include <string>

namespace locklab::testing {
namespace {

/// The value that belongs to a hold, made on first use.
template <class Value>
Value& value_of(std::vector<std::pair<HoldId, Value>>& all, HoldId hold) {
  for (auto& [key, value] : all) {
    if (key == hold) return value;
  }
  return all.emplace_back(hold, Value{}).second;
}

}  // namespace

HistoryBuilder::HistoryBuilder() {
  history_.begin(0);
  history_.actors = {{"world", ActorKind::world, {}},      {"client-1", ActorKind::process, {}},
                     {"client-2", ActorKind::process, {}}, {"client-3", ActorKind::process, {}},
                     {"redis-1", ActorKind::node, {}},     {"redis-2", ActorKind::node, {}},
                     {"redis-3", ActorKind::node, {}},     {"resource", ActorKind::resource, {}}};
}

HistoryBuilder& HistoryBuilder::at(Duration since_start) {
  now_ = Instant::origin() + since_start;
  return *this;
}

HistoryBuilder& HistoryBuilder::quorum(std::uint32_t nodes) {
  history_.facts.quorum = nodes;
  return *this;
}

std::uint32_t HistoryBuilder::add(Record record) {
  record.t = record_bits(now_);
  return history_.append(record);
}

Record HistoryBuilder::of(EventKind kind, HoldId hold) {
  Record record;
  record.kind = kind;
  record.actor = hold.process().value;
  record.hold = hold.value;
  record.lock = value_of(locks_, hold);
  return record;
}

/// What goes over a connection names no lock.
Record HistoryBuilder::of_message(EventKind kind, HoldId hold) {
  Record record = of(kind, hold);
  record.lock = 0;
  return record;
}

std::uint32_t HistoryBuilder::on_actor(EventKind kind, ActorId actor, std::int64_t arg,
                                       std::int64_t result) {
  Record record;
  record.kind = kind;
  record.actor = actor.value;
  record.arg = arg;
  record.result = result;
  return add(record);
}

HoldId HistoryBuilder::begin(ActorId client, std::string_view lock, std::uint16_t flags) {
  const HoldId hold = HoldId::of(client, operations_[client.value]++ * kOperationsPerRound + 1);
  value_of(locks_, hold) = static_cast<std::uint16_t>(history_.intern(lock).value);
  Record record = of(EventKind::op_begin, hold);
  record.arg = static_cast<std::int64_t>(Operation::acquire);
  record.flags = flags;
  add(record);
  return hold;
}

HoldId HistoryBuilder::grant(ActorId client, Grant how, std::string_view lock) {
  const HoldId hold = begin(client, lock, how.flags);
  granted(hold, how);
  return hold;
}

HoldId HistoryBuilder::grant_stored(ActorId client, Grant how) {
  const HoldId hold = at(milliseconds(10)).begin(client);
  at(milliseconds(15)).key_set(hold);
  at(milliseconds(20)).granted(hold, how);
  return hold;
}

std::uint32_t HistoryBuilder::granted(HoldId hold, Grant how) {
  Record record = of(EventKind::op_return, hold);
  record.arg = static_cast<std::int64_t>(Operation::acquire);
  record.result = static_cast<std::int64_t>(Outcome::acquired);
  record.fence = how.fence;
  if (how.named) record.nonce = nonce_of(hold);
  record.flags = static_cast<std::uint16_t>(how.flags | (how.checked ? event_flags::kChecked : 0));
  return add(record);
}

std::uint32_t HistoryBuilder::on_operation(EventKind kind, HoldId hold, Operation operation,
                                           Outcome outcome) {
  Record record = of(kind, hold);
  record.arg = static_cast<std::int64_t>(operation);
  record.result = static_cast<std::int64_t>(outcome);
  return add(record);
}

std::uint32_t HistoryBuilder::refused(HoldId hold) {
  return on_operation(EventKind::op_return, hold, Operation::acquire, Outcome::refused);
}
std::uint32_t HistoryBuilder::unknown(HoldId hold) {
  return on_operation(EventKind::op_return, hold, Operation::acquire, Outcome::unknown);
}
std::uint32_t HistoryBuilder::release(HoldId hold) {
  return on_operation(EventKind::op_begin, hold, Operation::release, Outcome::none);
}
std::uint32_t HistoryBuilder::released(HoldId hold, Outcome outcome) {
  return on_operation(EventKind::op_return, hold, Operation::release, outcome);
}
std::uint32_t HistoryBuilder::again(HoldId hold) {
  return on_operation(EventKind::op_begin, hold, Operation::nested_acquire, Outcome::none);
}
std::uint32_t HistoryBuilder::granted_again(HoldId hold, Outcome outcome) {
  return on_operation(EventKind::op_return, hold, Operation::nested_acquire, outcome);
}
std::uint32_t HistoryBuilder::release_again(HoldId hold) {
  return on_operation(EventKind::op_begin, hold, Operation::nested_release, Outcome::none);
}
std::uint32_t HistoryBuilder::released_again(HoldId hold, Outcome outcome) {
  return on_operation(EventKind::op_return, hold, Operation::nested_release, outcome);
}
std::uint32_t HistoryBuilder::renew(HoldId hold) {
  return on_operation(EventKind::op_begin, hold, Operation::renew, Outcome::none);
}
std::uint32_t HistoryBuilder::renewed(HoldId hold, Outcome outcome, std::uint16_t flags) {
  Record record = of(EventKind::op_return, hold);
  record.arg = static_cast<std::int64_t>(Operation::renew);
  record.result = static_cast<std::int64_t>(outcome);
  record.flags = flags;
  return add(record);
}
std::uint32_t HistoryBuilder::enter(HoldId hold) {
  return add(of(EventKind::section_enter, hold));
}
std::uint32_t HistoryBuilder::leave(HoldId hold, LeaveReason reason) {
  Record record = of(EventKind::section_leave, hold);
  record.arg = static_cast<std::int64_t>(reason);
  return add(record);
}
std::uint32_t HistoryBuilder::claim_end(HoldId hold) {
  return add(of(EventKind::claim_end, hold));
}
std::uint32_t HistoryBuilder::told_lost(HoldId hold) {
  return add(of(EventKind::told_lost, hold));
}

std::uint32_t HistoryBuilder::send(HoldId hold) {
  return add(of_message(EventKind::sent, hold));
}
std::uint32_t HistoryBuilder::send_to(HoldId hold, ActorId server) {
  Record record = of_message(EventKind::sent, hold);
  record.arg = static_cast<std::int64_t>(server.value) << 32;
  return add(record);
}
std::uint32_t HistoryBuilder::send_effect(HoldId hold, ResourceOp op) {
  Record record = of_message(EventKind::sent, hold);
  record.result = static_cast<std::int64_t>(op);
  record.flags = event_flags::kResource;
  return add(record);
}
std::uint32_t HistoryBuilder::applied(HoldId hold, ActorId node) {
  Record record = of_message(EventKind::applied, hold);
  record.actor = node.value;
  return add(record);
}
std::uint32_t HistoryBuilder::replied(HoldId hold) {
  return add(of_message(EventKind::replied, hold));
}
std::uint32_t HistoryBuilder::timed_out(HoldId hold) {
  return add(of_message(EventKind::timed_out, hold));
}

std::uint32_t HistoryBuilder::on_resource(HoldId hold, ResourceOp op, std::uint32_t object,
                                          std::uint32_t sequence, std::uint16_t flags) {
  Record record = of_message(EventKind::resource_op, hold);
  record.actor = kResource.value;
  record.arg = static_cast<std::int64_t>(op) | static_cast<std::int64_t>(object) << 8;
  record.result = versions_[object];
  record.nonce = sequence;
  record.flags = flags;
  if (op == ResourceOp::append && flags == 0) ++versions_[object];
  return add(record);
}

std::uint32_t HistoryBuilder::read(HoldId hold, std::uint32_t object) {
  return on_resource(hold, ResourceOp::read, object, ++value_of(sequences_, hold), 0);
}
std::uint32_t HistoryBuilder::append(HoldId hold, std::uint32_t object) {
  return on_resource(hold, ResourceOp::append, object, ++value_of(sequences_, hold), 0);
}
std::uint32_t HistoryBuilder::append_again(HoldId hold, std::uint32_t sequence,
                                           std::uint32_t object) {
  return on_resource(hold, ResourceOp::append, object, sequence, 0);
}
std::uint32_t HistoryBuilder::rejected(HoldId hold, ResourceOp op, std::uint32_t object) {
  return on_resource(hold, op, object, ++value_of(sequences_, hold), event_flags::kRejected);
}

std::uint32_t HistoryBuilder::nonce_of(HoldId hold) {
  return history_.intern("nonce-" + std::to_string(hold.value)).value;
}

Record HistoryBuilder::of_key(EventKind kind, HoldId by, HoldId creator, const KeyAt& where) {
  Record record;
  record.kind = kind;
  record.actor = where.node.value;
  record.hold = by.value;
  record.lock = static_cast<std::uint16_t>(history_.intern(where.key).value);
  record.flags = where.flags;
  record.arg = static_cast<std::int64_t>(
      Span::of_operation(creator.process(), 0, static_cast<std::uint16_t>(creator.value & 0xffff),
                         where.attempt)
          .bits);
  if (kind != EventKind::key_deleted) record.result = where.expiry;
  if (where.named) record.nonce = nonce_of(creator);
  return record;
}
std::uint32_t HistoryBuilder::on_key(EventKind kind, HoldId by, HoldId creator,
                                     const KeyAt& where) {
  return add(of_key(kind, by, creator, where));
}
std::uint32_t HistoryBuilder::key_set(HoldId creator, KeyAt where) {
  return on_key(EventKind::key_set, creator, creator, where);
}
std::uint32_t HistoryBuilder::key_deleted(HoldId by, HoldId creator, KeyAt where) {
  return on_key(EventKind::key_deleted, by, creator, where);
}
std::uint32_t HistoryBuilder::key_ttl(HoldId by, HoldId creator, KeyAt where) {
  return on_key(EventKind::key_ttl, by, creator, where);
}
std::uint32_t HistoryBuilder::key_value(HoldId by, HoldId creator, KeyAt where) {
  return on_key(EventKind::key_value, by, creator, where);
}

std::uint32_t HistoryBuilder::key_count(HoldId by, HoldId whose, std::int64_t count, KeyAt where) {
  Record record = of_key(EventKind::key_value, by, whose, where);
  record.nonce = nonce_of(whose);
  record.result = count;
  return add(record);
}

std::uint32_t HistoryBuilder::key_lost(HoldId creator, KeyAt where) {
  return on_key(EventKind::key_lost, creator, creator, where);
}

std::uint32_t HistoryBuilder::kill(ActorId actor, EndKind how) {
  return on_actor(EventKind::killed, actor, static_cast<std::int64_t>(how));
}
std::uint32_t HistoryBuilder::panic(ActorId client, bool recovered, std::int64_t fiber) {
  return on_actor(EventKind::panicked, client, fiber, recovered ? 1 : 0);
}
std::uint32_t HistoryBuilder::fiber_began(ActorId client, std::int64_t fiber, HoldId on_behalf_of) {
  Record record;
  record.hold = on_behalf_of.value;
  record.kind = EventKind::fiber_began;
  record.actor = client.value;
  record.arg = fiber;
  return add(record);
}
std::uint32_t HistoryBuilder::fiber_ended(ActorId client, std::int64_t fiber) {
  return on_actor(EventKind::fiber_ended, client, fiber);
}
std::uint32_t HistoryBuilder::paused(ActorId actor) {
  return on_actor(EventKind::paused, actor);
}
std::uint32_t HistoryBuilder::resumed(ActorId actor) {
  return on_actor(EventKind::resumed, actor);
}
std::uint32_t HistoryBuilder::struck(ActorId actor, Label where) {
  Record record;
  record.kind = EventKind::fault_begin;
  record.actor = actor.value;
  record.label = where;
  return add(record);
}
std::uint32_t HistoryBuilder::promoted(ActorId node) {
  return on_actor(EventKind::promoted, node);
}
std::uint32_t HistoryBuilder::demoted(ActorId node) {
  return on_actor(EventKind::demoted, node);
}
std::uint32_t HistoryBuilder::resynced(ActorId node, ActorId from) {
  return on_actor(EventKind::resynced, node, from.value);
}
std::uint32_t HistoryBuilder::rediscovered(ActorId client, ActorId node) {
  return on_actor(EventKind::rediscovered, client, node.value);
}
std::uint32_t HistoryBuilder::restarted(ActorId node, bool data_gone) {
  return on_actor(EventKind::restarted, node, data_gone ? 1 : 0);
}

std::uint32_t HistoryBuilder::probe_begin(Duration bound) {
  return on_actor(EventKind::probe_begin, ActorId(), 0, record_bits(bound));
}
std::uint32_t HistoryBuilder::probe_acquired(ActorId client) {
  return on_actor(EventKind::probe_acquired, client);
}
std::uint32_t HistoryBuilder::probe_blocked(BlockingFact fact) {
  return on_actor(EventKind::probe_blocked, ActorId(), static_cast<std::int64_t>(fact));
}
std::uint32_t HistoryBuilder::run_end(EndReason reason) {
  return on_actor(EventKind::run_end, ActorId(), static_cast<std::int64_t>(reason));
}

}  // namespace locklab::testing
