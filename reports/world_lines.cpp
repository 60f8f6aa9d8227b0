// World lines: what servers, the resource and faults did.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "reports/denials.h"
#include "reports/record_lines.h"
#include "reports/words.h"

namespace locklab {
namespace {

void weigh(Line& line, Weight weight, std::uint32_t worth) {
  line.weight = weight;
  line.worth = worth;
}

constexpr std::string_view kExpiryMoves = "expiry moves";
constexpr std::string_view kKeyGone = "key gone";

/// Of a command that was applied, by what it changed.
std::uint32_t worth_of(std::string_view change, bool denied) {
  if (denied) return 60;
  if (change == kExpiryMoves) return 29;  // Renewals repeat: they go before what begins and ends.
  return change == kKeyGone ? 34 : 42;
}

/// "c1.1.1 = 2", of a key_value.
std::string value_of(const History& history, const Record& record) {
  const std::string field(history.text(record.nonce));
  if (record.has(event_flags::kRemoved)) return field + " gone";
  const std::string value =
      record.has(event_flags::kText)
          ? std::string(history.text(static_cast<std::uint32_t>(record.result)))
          : std::to_string(record.result);
  return field.empty() ? "= " + value : field + " = " + value;
}

/// What a fault does at once and what its own line has said.
bool is_blow(const Record& record) {
  switch (record.kind) {
    case EventKind::paused:
    case EventKind::stalled:
    case EventKind::cancelled:
    case EventKind::panicked:
    case EventKind::killed:
    case EventKind::fiber_ended:
      return true;
    default:
      return false;
  }
}

}  // namespace

RecordLines::KeyChange RecordLines::change_by(const Record& applied) const {
  KeyChange change;
  for (const Record* r = next(applied.seq); r != nullptr && is_key_change(*r); r = next(r->seq)) {
    if (r->t != applied.t || r->actor != applied.actor) break;
    change.last = r->seq;
    if (r->kind == EventKind::key_set) {
      change.stored = r->nonce;
      change.words = "= " + std::string(history_.text(r->nonce));
    } else if (change.words.empty()) {
      change.words = r->kind == EventKind::key_ttl     ? std::string(kExpiryMoves)
                     : r->kind == EventKind::key_value ? value_of(history_, *r)
                                                       : std::string(kKeyGone);
    }
  }
  return change;
}

void RecordLines::tell_applied(Line& line, const Record& record, bool join) const {
  const KeyChange change = change_by(record);
  if (join && change.last != 0) line.last = change.last;
  const std::string reply = reply_of(history_, record);
  const std::string command = command_of(history_, record, change.stored);
  const bool denied = is_denial(run_, record);
  const bool waits = command.starts_with("WAIT ");
  line.text = fmt::format("{}: {} → {}", actor(record), command, reply);
  line.cell = change.words.empty() ? reply : change.words;
  line.bad = denied;
  const Record* const sent = sending(record);
  const bool unheard =
      denied && (waits || reply.starts_with("(error)") || (sent != nullptr && is_late(*sent)));
  const bool telling = denied || !change.words.empty() || waits;
  const Weight weight = telling ? Weight::step : Weight::detail;
  weigh(line, unheard ? Weight::decisive : weight, worth_of(change.words, denied));
  add_sender(line, record, std::string(history_.text(static_cast<std::uint32_t>(record.arg))));
  if (record.has(event_flags::kReplica)) line.weight = Weight::detail;
  if (!line.hold) return;
  line.text += fmt::format("  [{}]", holder_name(history_, line.hold));
}

void RecordLines::tell_key(Line& line, const Record& record) const {
  const std::string key = lock(record);
  const std::string owner =
      holder_name(history_, Span{static_cast<std::uint64_t>(record.arg)}.hold());
  const std::string whose = owner.empty() ? key : fmt::format("{}'s {}", owner, key);
  switch (record.kind) {
    case EventKind::key_set:
      line.text = fmt::format("{} stores {} = {}", actor(record), key, history_.text(record.nonce));
      line.cell = "= " + std::string(history_.text(record.nonce));
      return;
    case EventKind::key_deleted:
      line.text = fmt::format("{} deletes {}{}", actor(record), whose,
                              record.has(event_flags::kByExpiry) ? ", which has expired" : "");
      line.cell = kKeyGone;
      if (record.has(event_flags::kByExpiry)) line.weight = Weight::detail;
      return;
    case EventKind::key_ttl:
      line.text = fmt::format("{} moves the expiry of {}", actor(record), whose);
      line.cell = kExpiryMoves;
      return;
    case EventKind::key_value:
      line.cell = value_of(history_, record);
      line.text = fmt::format("{} changes {}: {}", actor(record), whose, line.cell);
      return;
    case EventKind::fence_issued:
      line.text = fmt::format("{} issues fence {} to {}", actor(record), record.fence,
                              holder_name(history_, record.hold_id()));
      line.cell = fmt::format("fence {}", record.fence);
      add_sender(line, record, "asks fence");
      return weigh(line, Weight::detail, 0);
    default:
      break;
  }
  line.text = fmt::format("{} expires on {}", whose, actor(record));
  line.cell = "expired";
  weigh(line, record.has(event_flags::kReplica) ? Weight::detail : Weight::step, 60);
}

void RecordLines::tell_replication(Line& line, const Record& record) const {
  switch (record.kind) {
    case EventKind::effect_sent:
      line.text =
          fmt::format("{} sends an effect to {}", actor(record),
                      actor_name(history_, ActorId{static_cast<std::uint16_t>(record.arg)}));
      line.cell = "replicates";
      return;
    case EventKind::effect_applied:
      line.text = actor(record) + " applies an effect";
      line.cell = "applies";
      return;
    default:
      break;
  }
  line.text = fmt::format("{} effects never reach {}", record.arg, actor(record));
  line.cell = fmt::format("{} effects lost", record.arg);
  line.bad = true;
  weigh(line, Weight::step, 60);
}

void RecordLines::tell_failover(Line& line, const Record& record) const {
  const std::string other = actor_name(history_, ActorId{static_cast<std::uint16_t>(record.arg)});
  weigh(line, Weight::step, 70);
  switch (record.kind) {
    case EventKind::suspected:
      line.text = fmt::format("{} takes {} for dead", actor(record), other);
      line.cell = "suspects";
      return;
    case EventKind::promoted:
      line.text = actor(record) + " becomes the primary";
      line.cell = "PRIMARY";
      if (record.arg > 0) {
        line.text += fmt::format(", without {} write{} that never reached it", record.arg,
                                 record.arg == 1 ? "" : "s");
        line.bad = true;
      }
      return;
    case EventKind::demoted:
      line.text = actor(record) + " becomes a replica";
      line.cell = "replica";
      return weigh(line, Weight::step, 40);
    case EventKind::resynced:
      line.text = fmt::format("{} replaces its data by {}'s", actor(record), other);
      line.cell = "resync";
      return weigh(line, Weight::step, 40);
    default:
      break;
  }
  line.text = fmt::format("{} finds the new primary {}", actor(record), other);
  line.cell = "switches";
  // Until the faults stop, the probe only listens.
  weigh(line, actor(record) == "probe" ? Weight::detail : Weight::step, 40);
}

std::string RecordLines::object(const Record& record) const {
  return several_objects_ ? fmt::format(" object {}", record.arg >> 8 & 0xff) : std::string();
}

void RecordLines::tell_resource(Line& line, const Record& record) const {
  const auto op = static_cast<ResourceOp>(record.arg & 0xff);
  const bool append = op == ResourceOp::append;
  const std::string who = holder_name(history_, record.hold_id());
  const std::string fence = record.fence == 0 ? "" : fmt::format(" (fence {})", record.fence);
  const bool rejected = record.has(event_flags::kRejected);
  const std::int64_t version = record.result + (append && !rejected ? 1 : 0);
  if (rejected) {
    line.text = fmt::format("{} refuses {}'s {}{}{}", actor(record), who, name_of(op),
                            object(record), fence);
    line.cell = "refused";
    if (record.fence != 0) line.cell += fmt::format(" f{}", record.fence);
    line.bad = true;
  } else {
    line.text = fmt::format("{} accepts {}'s {}{}{}: version {}", actor(record), who, name_of(op),
                            object(record), fence, version);
    line.cell = fmt::format("v{}", version);
    if (record.has(event_flags::kWouldReject)) line.text += ", though a newer fence was seen";
  }
  std::string cell = (append ? "append" : "read") + object(record);
  add_sender(line, record, std::move(cell));
  if (line.peer == kWorldActor) {
    line.cell += is_duplicate(record) ? " duplicate" : append ? " late append" : " late read";
  }
  const bool odd =
      rejected || record.has(event_flags::kWouldReject) || line.weight == Weight::decisive;
  weigh(line, std::max(line.weight, Weight::step), odd ? 80 : append ? 58 : 38);
}

FaultAmounts RecordLines::amounts_of(const Record& record) const {
  const FaultValue value = FaultValue::unpack(static_cast<std::uint64_t>(record.arg));
  const ActorId peer{static_cast<std::uint16_t>(record.fence)};
  const Record* blow = next(record.seq);
  const bool died = blow != nullptr && blow->kind == EventKind::killed && blow->t == record.t &&
                    blow->actor == record.actor;
  return {value.kind,
          actor_name(history_, record.who()),
          peer == kWorldActor ? "" : actor_name(history_, peer),
          duration_from_bits(record.result),
          duration_from_bits(record.local),
          died ? static_cast<EndKind>(blow->arg) : EndKind::none};
}

void RecordLines::tell_fault(Line& line, const Record& record, bool join) const {
  line.hold = {};
  if (record.kind == EventKind::fault_end) {
    const auto kind = static_cast<FaultKind>(record.arg);
    line.text = fmt::format("the {} of {} is over", name_of(kind), actor(record));
    line.cell = fmt::format("{} over", name_of(kind));
    return weigh(line, Weight::detail, 0);
  }
  const FaultAmounts fault = amounts_of(record);
  line.text = fault_sentence(fault);
  if (record.label != Label::none) line.text += fmt::format(", at {}", name_of(record.label));
  line.cell = std::string(name_of(fault.kind));
  line.fault = true;
  weigh(line, Weight::turn, 100);
  if (!join) return;
  for (const Record* r = next(line.last); r != nullptr && is_blow(*r); r = next(r->seq)) {
    if (r->t != record.t || r->actor != record.actor) break;
    line.last = r->seq;
  }
}

void RecordLines::tell_blow(Line& line, const Record& record) const {
  const std::string who = actor(record);
  line.cell = std::string(name_of(record.kind));
  weigh(line, Weight::step, 60);
  switch (record.kind) {
    case EventKind::paused:
      line.text = fmt::format("{} stops for {}", who, length_of(duration_from_bits(record.result)));
      return;
    case EventKind::resumed:
      line.text = who + " runs on";
      line.cell = "runs on";
      return;
    case EventKind::stalled:
      line.text = fmt::format("a fiber of {} stalls for {}", who,
                              length_of(duration_from_bits(record.result)));
      return;
    case EventKind::panicked:
      line.text =
          fmt::format("a fiber of {} panics{}", who, record.result != 0 ? ", recovered" : "");
      return;
    case EventKind::killed:
      line.text = fmt::format("{} ends: {}", who, name_of(static_cast<EndKind>(record.arg)));
      return;
    case EventKind::restarted:
      line.text = fmt::format("{} starts again{}", who, record.arg != 0 ? ", its data gone" : "");
      return;
    case EventKind::cancelled:
      line.text = fmt::format("a wait of {} is cancelled", who);
      return;
    default:
      break;
  }
  line.text = fmt::format("fiber {} of {} {}", record.arg, who,
                          record.kind == EventKind::fiber_began ? "begins" : "ends");
  line.weight = Weight::noise;
}

}  // namespace locklab
