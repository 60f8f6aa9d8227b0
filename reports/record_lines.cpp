// Record lines: the dispatch by kind, the client lane and what joins what.
// SPDX-License-Identifier: Apache-2.0
#include "reports/record_lines.h"

#include <algorithm>

#include <fmt/format.h>

#include "reports/denials.h"

namespace locklab {
namespace {

void weigh(Line& line, Weight weight, std::uint32_t worth) {
  line.weight = weight;
  line.worth = worth;
}

Line line_about(const Record& record) {
  Line line;
  line.first = record.seq;
  line.last = record.seq;
  line.at = record.at();
  line.actor = record.who();
  line.hold = record.hold_id();
  return line;
}

Operation operation_of(const Record& record) {
  return static_cast<Operation>(record.arg);
}
Outcome outcome_of(const Record& record) {
  return static_cast<Outcome>(record.result);
}

}  // namespace

RecordLines::RecordLines(const RunView& run)
    : run_(run),
      history_(*run.history),
      requests_(history_),
      several_objects_(run.scenario->world.objects > 1) {}

Line RecordLines::at(std::uint32_t seq) const {
  const Record& first = record(seq);
  Line line = line_about(first);
  tell(line, first, true);
  return line;
}

Line RecordLines::alone(std::uint32_t seq) const {
  const Record& first = record(seq);
  Line line = line_about(first);
  tell(line, first, false);
  line.last = seq;
  return line;
}

const Record* RecordLines::next(std::uint32_t seq) const {
  return seq < history_.records().size() ? &history_.at(seq + 1) : nullptr;
}

std::string RecordLines::actor(const Record& record) const {
  return actor_name(history_, record.who());
}

std::string RecordLines::lock(const Record& record) const {
  return record.lock == 0 ? "the lock" : std::string(history_.text(record.lock));
}

const Record* RecordLines::sending(const Record& record) const {
  const std::uint32_t sent = requests_.sending(record);
  return sent == 0 ? nullptr : &history_.at(sent);
}

bool RecordLines::is_duplicate(const Record& decided) const {
  const std::uint32_t sent = requests_.sending(decided);
  return sent != 0 && requests_.arrival(sent) != decided.seq;
}

const Record* RecordLines::misread(const Record& replied) const {
  const std::uint32_t awaiting = requests_.awaiting(replied.seq);
  const std::uint32_t decision = requests_.decision(replied);
  if (awaiting == 0 || decision == 0) return nullptr;
  const std::uint32_t answered = requests_.sending(history_.at(decision));
  return answered == 0 || answered == awaiting ? nullptr : &history_.at(answered);
}

std::string RecordLines::request_name(const Record& sent) const {
  if (sent.has(event_flags::kResource))
    return std::string(name_of(static_cast<ResourceOp>(sent.result & 0xff)));
  return std::string(history_.text(static_cast<std::uint32_t>(sent.result)));
}

bool RecordLines::is_late(const Record& sent) const {
  const std::uint32_t arrival = requests_.arrival(sent.seq);
  return arrival != 0 && history_.at(arrival).at() - sent.at() > history_.facts.round_trip * 2;
}

void RecordLines::add_sender(Line& line, const Record& record, std::string cell) const {
  const Record* const sent = sending(record);
  if (sent == nullptr) return;
  if (is_duplicate(record)) {
    const Record& first = history_.at(requests_.arrival(sent->seq));
    line.text += fmt::format(" (delivered again by the queue, which had brought it at {} ms)",
                             milliseconds_of(first.at()));
    line.weight = Weight::decisive;
    return;
  }
  if (is_late(*sent)) {
    line.text += fmt::format(" (sent {} before)", length_of(record.at() - sent->at()));
    return;
  }
  line.peer = sent->who();
  line.peer_cell = std::move(cell);
}

void RecordLines::tell_client(Line& line, const Record& record) const {
  switch (record.kind) {
    case EventKind::op_begin:
    case EventKind::op_return:
      return tell_operation(line, record);
    case EventKind::section_enter:
    case EventKind::section_leave:
    case EventKind::claim_end:
    case EventKind::told_lost:
      return tell_section(line, record);
    case EventKind::sent:
      return tell_sent(line, record);
    case EventKind::replied:
    case EventKind::timed_out:
    case EventKind::broken:
    case EventKind::refused:
      return tell_call(line, record);
    default:
      return tell_ending(line, record);
  }
}

void RecordLines::tell_server(Line& line, const Record& record, bool join) const {
  switch (record.kind) {
    case EventKind::applied:
      return tell_applied(line, record, join);
    case EventKind::key_set:
    case EventKind::key_deleted:
    case EventKind::key_ttl:
    case EventKind::key_lost:
    case EventKind::key_value:
    case EventKind::fence_issued:
      return tell_key(line, record);
    case EventKind::effect_sent:
    case EventKind::effect_applied:
      return tell_replication(line, record);
    case EventKind::suspected:
    case EventKind::promoted:
    case EventKind::demoted:
    case EventKind::resynced:
    case EventKind::rediscovered:
      return tell_failover(line, record);
    default:
      return tell_resource(line, record);
  }
}

void RecordLines::tell(Line& line, const Record& record, bool join) const {
  // The enumeration lists the lanes one after another.
  if (record.kind >= EventKind::fault_begin && record.kind <= EventKind::fault_end) {
    tell_fault(line, record, join);
  } else if (record.kind >= EventKind::paused && record.kind <= EventKind::fiber_ended) {
    tell_blow(line, record);
  } else if ((record.kind >= EventKind::applied && record.kind <= EventKind::resource_op) ||
             record.kind == EventKind::key_value) {
    tell_server(line, record, join);
  } else {
    tell_client(line, record);
  }
  // A server's denial is told by the client's answer, if anybody still waits for that.
  const bool told = record.kind != EventKind::applied && is_denial(run_, record);
  if (line.weight == Weight::step && told) line.weight = Weight::decisive;
  // What the probe does is no part of the story, unless it fails.
  if (record.has(event_flags::kProbe) && record.kind != EventKind::probe_blocked) {
    line.weight = std::min(line.weight, Weight::detail);
  }
  if (join) join_next(line, record);
}

void RecordLines::join_next(Line& line, const Record& record) const {
  const Record* const after = next(line.last);
  if (after == nullptr || after->t != record.t || after->hold != record.hold) return;
  if (record.kind == EventKind::op_return && after->kind == EventKind::section_enter) {
    line.text += " and enters";
    line.last = after->seq;
  } else if (record.kind == EventKind::section_leave && after->kind == EventKind::op_begin) {
    line.last = after->seq;
  }
}

// --- The client lane ----------------------------------------------------------------------------

void RecordLines::tell_operation(Line& line, const Record& record) const {
  const Operation operation = operation_of(record);
  if (record.kind == EventKind::op_begin) {
    line.text = fmt::format("{} begins to {} {}", actor(record), name_of(operation), lock(record));
    line.cell = name_of(operation);
    return;
  }
  if (operation == Operation::release || operation == Operation::nested_release) {
    return tell_release(line, record);
  }
  if (operation == Operation::renew) return tell_renewal(line, record);
  tell_acquire(line, record);
}

void RecordLines::tell_acquire(Line& line, const Record& record) const {
  const Outcome outcome = outcome_of(record);
  line.cell = name_of(outcome);
  if (outcome == Outcome::acquired) {
    line.text = fmt::format("{} gets {}", actor(record), lock(record));
    line.cell = "holds";
    if (record.fence != 0) {
      line.text += fmt::format(" with fence {}", record.fence);
      line.cell += fmt::format(" f{}", record.fence);
    }
    return weigh(line, Weight::step, 60);
  }
  if (outcome == Outcome::unknown) {
    line.text = fmt::format("{} cannot tell whether it got {}", actor(record), lock(record));
    line.bad = true;
    return weigh(line, Weight::step, 50);
  }
  line.text = fmt::format("{} asks for {}: {}", actor(record), lock(record), name_of(outcome));
  weigh(line, Weight::detail, 0);
}

void RecordLines::tell_renewal(Line& line, const Record& record) const {
  const Outcome outcome = outcome_of(record);
  line.cell = name_of(outcome);
  line.text = fmt::format("{} renews {}: {}", actor(record), lock(record), name_of(outcome));
  line.bad = outcome != Outcome::renewed;
  weigh(line, line.bad ? Weight::step : Weight::detail, line.bad ? 45 : 0);
}

void RecordLines::tell_release(Line& line, const Record& record) const {
  const Outcome outcome = outcome_of(record);
  line.cell = name_of(outcome);
  line.bad = outcome != Outcome::released;
  if (outcome == Outcome::released) {
    line.text = fmt::format("{} has released {}", actor(record), lock(record));
  } else if (outcome == Outcome::not_held) {
    line.text = fmt::format("{} releases {} and is told: not held", actor(record), lock(record));
  } else {
    line.text = fmt::format("{} cannot tell whether it released {}", actor(record), lock(record));
  }
  weigh(line, Weight::step, line.bad ? 50 : 30);
}

void RecordLines::tell_section(Line& line, const Record& record) const {
  const std::string who = actor(record);
  switch (record.kind) {
    case EventKind::section_enter:
      line.text = who + " enters";
      line.cell = "enters";
      return weigh(line, Weight::step, 50);
    case EventKind::claim_end:
      line.text = who + "'s lease ends by its own clock";
      line.cell = "lease over";
      return weigh(line, Weight::step, 55);
    case EventKind::told_lost:
      line.text = who + " is told that its lock is lost";
      line.cell = "told: lost";
      return weigh(line, Weight::step, 60);
    default:
      break;
  }
  const auto reason = static_cast<LeaveReason>(record.arg);
  line.text = who + " leaves";
  line.cell = "leaves";
  if (reason == LeaveReason::done) return weigh(line, Weight::step, 35);
  line.text += fmt::format(" ({})", name_of(reason));
  weigh(line, Weight::step, 50);
}

void RecordLines::tell_sent(Line& line, const Record& record) const {
  const std::uint32_t arrival = requests_.arrival(record.seq);
  const std::string server = actor_name(history_, endpoint_of(record));
  std::string what = request_name(record);
  line.cell = what;
  if (record.has(event_flags::kResource)) what = (what == "append" ? "an " : "a ") + what;
  line.text = fmt::format("{} sends {} to {}", actor(record), what, server);
  if (requests_.first_try(record.seq) != 0) {
    line.text += " again";
    line.cell += " again";
    weigh(line, Weight::decisive, 70);
  }
  if (arrival == 0) {
    line.text += ", which never arrives in this run";
    line.cell += " ...";
    return weigh(line, std::max(line.weight, Weight::step), std::max(line.worth, 45U));
  }
  if (!is_late(record)) return;
  const Duration taken = history_.at(arrival).at() - record.at();
  line.text += fmt::format(", under way for {}", length_of(taken));
  line.cell += " ...";
  weigh(line, std::max(line.weight, Weight::step), std::max(line.worth, 65U));
}

void RecordLines::tell_call(Line& line, const Record& record) const {
  const std::string who = actor(record);
  const std::string server = actor_name(history_, endpoint_of(record));
  switch (record.kind) {
    case EventKind::timed_out:
      line.text = fmt::format("{} gives up on {}'s reply: outcome unknown", who, server);
      line.cell = "timeout";
      break;
    case EventKind::broken:
      line.text = fmt::format("{}'s connection to {} breaks: outcome unknown", who, server);
      line.cell = "broken";
      break;
    case EventKind::refused:
      line.text = fmt::format("{} finds nobody listening at {}", who, server);
      line.cell = "refused";
      break;
    default:
      return tell_reply(line, record);
  }
  line.bad = true;
  weigh(line, Weight::step, 45);
}

void RecordLines::tell_reply(Line& line, const Record& record) const {
  const std::string server = actor_name(history_, endpoint_of(record));
  const Record* const earlier = misread(record);
  line.cell = "reply";
  if (earlier == nullptr) {
    line.text = fmt::format("{} has {}'s reply", actor(record), server);
    return;
  }
  const Record& decided = history_.at(requests_.decision(record));
  const std::string reply =
      decided.kind == EventKind::applied ? " " + reply_of(history_, decided) : std::string();
  line.text =
      fmt::format("{} takes {}'s reply{} to its {} of {} ms for the reply to its {}", actor(record),
                  server, reply, request_name(*earlier), milliseconds_of(earlier->at()),
                  request_name(history_.at(requests_.awaiting(record.seq))));
  line.cell = "another's reply";
  line.bad = true;
  weigh(line, Weight::decisive, 70);
}

void RecordLines::tell_ending(Line& line, const Record& record) const {
  line.text = std::string(name_of(record.kind));
  line.cell = line.text;
  line.weight = Weight::detail;
  switch (record.kind) {
    case EventKind::probe_begin:
      line.cell = "asks";
      line.text = fmt::format("faults stop; a probe asks for the lock for at most {}",
                              length_of(duration_from_bits(record.result)));
      break;
    case EventKind::probe_acquired:
      line.text = "the probe gets the lock";
      break;
    case EventKind::probe_blocked:
      line.cell = "blocked";
      line.text =
          fmt::format("the state repeats: {}", name_of(static_cast<BlockingFact>(record.arg)));
      line.bad = true;
      return weigh(line, Weight::step, 90);
    case EventKind::run_end:
      line.text = fmt::format("the run ends: {}", name_of(static_cast<EndReason>(record.arg)));
      break;
    case EventKind::custom:
      line.text = fmt::format("{} remarks {} {}", actor(record), record.arg, record.result);
      break;
    default:
      break;
  }
}

}  // namespace locklab
