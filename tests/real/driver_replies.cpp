// Driver: what comes back to a client, and what it gives up waiting for.
// SPDX-License-Identifier: Apache-2.0
#include "tests/real/driver.h"
#include "tests/real/records.h"

namespace locklab::real {
namespace {

std::string name_of_outcome(EventKind kind) {
  switch (kind) {
    case EventKind::replied:
      return "replied";
    case EventKind::timed_out:
      return "timed_out";
    default:
      return kind == EventKind::broken ? "broken" : "refused";
  }
}

bool is_outcome(EventKind kind) {
  return kind == EventKind::replied || kind == EventKind::timed_out || kind == EventKind::broken ||
         kind == EventKind::refused;
}

}  // namespace

/// A reply that nobody waited for any more is there before the connection's next command is
/// written. Whether it has got through, or was lost with the connection, what is read next says.
void Driver::leave_unread(const Record& record, Wire& wire) {
  if (wire.replies.empty() || wire.unread) return;
  for (std::uint32_t seq = record.seq; seq <= simulated_.records().size(); ++seq) {
    const Record& later = simulated_.at(seq);
    if (!is_outcome(later.kind) || connection_of(later) != connection_of(record)) continue;
    if (later.kind == EventKind::replied) hand_over(later, wire);
    return;
  }
}

void Driver::hand_over(const Record& record, Wire& wire) {
  if (wire.replies.empty()) differ(record, "there is no reply");
  wire.to_client.write(wire.replies.front().bytes);
  wire.unread = true;
}

/// As its pool does with a connection after a timeout.
bool Driver::keeps_unread(const Wire& wire) const {
  const ClientSetup& setup = seats_.at(wire.client).setup;
  const bool to_resource = simulated_.actors[wire.server.value].kind == ActorKind::resource;
  return setup.probes == 0 && !to_resource &&
         setup.seats.front().pool == static_cast<std::int64_t>(TimeoutPolicy::return_unread);
}

void Driver::on_outcome(const Record& record) {
  RealClient& client = client_of(record);
  client.settle(readings(record), record.at());
  const std::uint32_t connection = connection_of(record);
  Wire& wire = wires_.at(connection);
  const bool replied = record.kind == EventKind::replied;
  Record real;
  real.actor = record.actor;
  real.kind = record.kind;
  real.flags = simulated_.actors[wire.server.value].kind == ActorKind::resource
                   ? event_flags::kResource
                   : std::uint16_t{0};
  real.hold = record.kind == EventKind::broken || record.kind == EventKind::refused
                  ? record.hold  // Nobody's: whoever broke it.
                  : wire.hold.value;
  if (replied && !wire.replies.empty()) real.hold = wire.replies.front().hold.value;
  real.arg = record.arg;
  if (replied) {
    if (!wire.unread) hand_over(record, wire);
    wire.replies.pop_front();
    wire.unread = false;
  } else if (record.kind == EventKind::broken || record.kind == EventKind::refused) {
    if (record.kind == EventKind::refused && !wire.refused) differ(record, "its server listens");
    wire.to_client.reset();
  }
  if (record.kind == EventKind::timed_out) check_deadline(record, client);
  const std::string bytes = client.outcome(connection, name_of_outcome(record.kind));
  if (!replied) {
    if (!bytes.empty()) differ(record, "its socket shows something else");
    if (record.kind != EventKind::timed_out || !keeps_unread(wire)) wire.to_client.close();
    return note(real, record);
  }
  const Value value = decode(bytes);
  const ActorKind kind = simulated_.actors[wire.server.value].kind;
  real.result = kind == ActorKind::node      ? code_of(value)
                : kind == ActorKind::counter ? value.integer
                                             : value.children.at(0).integer;
  note(real, record);
}

/// A client gives up when its own clock has come to the deadline that it has set itself.
void Driver::check_deadline(const Record& record, const RealClient& client) const {
  const std::optional<LocalInstant> deadline = client.deadline(connection_of(record));
  if (!deadline) differ(record, "it awaits no reply there");
  const LocalInstant now = readings(record).monotonic;
  if (now < *deadline) {
    differ(record,
           "its clock reads " + to_string(now) + ", and it waits until " + to_string(*deadline));
  }
}

void Driver::on_claim_end(const Record& record) {
  const Seat& seat = seats_.at(record.who());
  const std::optional<ClaimWatch>& watch = seat.client ? seat.client->watch : seat.watch;
  if (!watch) differ(record, "it watches no lease");
  const LocalInstant now = readings(record).monotonic;
  if (now < watch->until) differ(record, "its lease lasts on");
  Record real;
  real.actor = record.actor;
  real.kind = EventKind::claim_end;
  real.lock = static_cast<std::uint16_t>(walk_.history.intern(watch->lock).value);
  real.hold = watch->hold.value;
  real.local = record_bits(now);
  note(real, record);
}

}  // namespace locklab::real
