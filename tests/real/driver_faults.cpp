// Driver: pauses, deaths and an operator's commands, done to real processes.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tests/real/driver.h"

namespace locklab::real {

void Driver::on_fault(const Record& record) {
  latest_fault_ = &record;
  switch (FaultValue::unpack(static_cast<std::uint64_t>(record.arg)).kind) {
    case FaultKind::flush:
      note_as_done(record);
      return operate(record, {"FLUSHALL"});
    case FaultKind::evict: {
      // The next record says which key it was.
      const Record* const next =
          record.seq < simulated_.records().size() ? &simulated_.at(record.seq + 1) : nullptr;
      note_as_done(record);
      if (next == nullptr || next->kind != EventKind::key_deleted) return;
      return operate(record, {"DEL", std::string(text(next->lock))});
    }
    case FaultKind::panic:
      note_as_done(record);
      return on_panic(record);
    default:
      // Pauses and deaths have records of their own; what disturbs a link is done by the proxy,
      // which holds every byte until its time; clocks.cpp has the clocks.
      return note_as_done(record);
  }
}

void Driver::operate(const Record& record, const Words& command) {
  Node& node = node_of(record);
  if (!node.server->answers()) throw Unmapped(command.front() + " on a server that has stopped");
  node.server->commands({command});  // A replica refuses it, as the simulated one does.
  node.caller = {};
  node.cause = Span{};
  node.keys.look(*node.server);
}

void Driver::on_paused(const Record& record) {
  const auto node = nodes_.find(record.who());
  if (node != nodes_.end()) {
    node->second.server->pause();
  } else {
    hold_at_label(record);
    const auto seat = seats_.find(record.who());
    if (seat != seats_.end() && seat->second.client) seat->second.client->pause();
  }
  note_as_done(record);
}

void Driver::on_resumed(const Record& record) {
  const auto node = nodes_.find(record.who());
  if (node != nodes_.end()) {
    if (node->second.has_end_to_see && scenario_.world.topology.min_replicas > 0) {
      throw Unmapped("commands that a stopped server finds together with a replica's end");
    }
    node_of(record).server->resume();
  } else {
    const auto seat = seats_.find(record.who());
    if (seat != seats_.end() && seat->second.client) seat->second.client->resume(record.at());
  }
  note_as_done(record);
}

/// Until then that fiber does nothing; the others go on.
void Driver::on_stalled(const Record& record) {
  hold_at_label(record);
  const auto fiber = static_cast<std::uint32_t>(record.arg);
  RealClient& client = client_of(record);
  if (client.lives(fiber)) client.stall(fiber, record.at() + duration_from_bits(record.result));
  note_as_done(record);
}

/// Which fiber is to panic, a later record says: when it does.
void Driver::on_panic(const Record& fault) {
  for (std::uint32_t seq = fault.seq + 1; seq <= simulated_.records().size(); ++seq) {
    const Record& record = simulated_.at(seq);
    if (record.actor != fault.actor) continue;
    if (record.kind == EventKind::killed) return;
    if (record.kind != EventKind::panicked) continue;
    return strike(fault, static_cast<std::uint32_t>(record.arg), "panic", record.result != 0);
  }
}

void Driver::on_killed(const Record& record) {
  const auto node = nodes_.find(record.who());
  if (node == nodes_.end()) {
    const auto seat = seats_.find(record.who());
    if (seat != seats_.end() && seat->second.client) {
      const bool panicked = static_cast<EndKind>(record.arg) == EndKind::panic;
      if (panicked && seat->second.client->wait_for_end() != kPanicked) {
        differ(record, "its process does not end by itself");
      }
      seat->second.client->kill();
      leave_seat(seat->second);
    }
    if (seat != seats_.end()) seat->second.watch.reset();
  } else if (!options_.without_kills) {
    check_keys_anew(record, node->second);
    node->second.server->kill();
    if (scenario_.world.topology.persistence == Persistence::none) node->second.keys.forget();
    if (static_cast<EndKind>(record.arg) == EndKind::host_loss) {
      lose_unsynced(record, node->second);
      node->second.silent_link = std::move(node->second.link);
    }
    node->second.link.reset();
    wires_.server_ended(record.who());
  }
  note_as_done(record);
}

/// The operating system has died: as much of the file as the simulation says, none of it synced.
void Driver::lose_unsynced(const Record& record, Node& node) {
  std::size_t lost = 0;
  std::uint32_t nth = 0;
  for (const Deviation& deviation : execution_.choices) {
    const bool here = deviation.address.kind() == ChoiceKind::fsync_loss &&
                      deviation.address.actor() == record.who();
    if (here && nth++ == node.losses) lost = deviation.value;
  }
  ++node.losses;
  if (!node.server->lose_from_file(lost)) differ(record, "its file had been synced");
}

void Driver::on_restarted(const Record& record) {
  Node& node = node_of(record);
  if (options_.without_kills) return note_as_done(record);
  node.silent_link.reset();
  node.has_end_to_see = false;
  node.server->start();
  node.server->await_up();
  ++walk_.processes;
  node.epoch = record.epoch;
  node.outstanding = 0;
  node.cause.reset();
  node.keys.look(*node.server);
  if (record.arg != 0) node.keys.forget_told();  // What is left is told anew.
  if (node.replica) {  // It asks its primary again; an answer comes with `resynced`.
    node.follows = primary_;
    node.link = std::make_unique<ReplicationLink>(*nodes_.at(primary_).server, *node.server);
  }
  note_as_done(record);
}

bool Driver::is_orphaned(const Record& record) {
  return std::any_of(nodes_.begin(), nodes_.end(), [&](auto& entry) {
    if (entry.second.replica || !entry.second.server->answers()) return false;
    RedisServer& server = *node_at(entry.first, record.at()).server;
    const std::vector<SeatSetup>& seats = seats_.at(record.who()).setup.seats;
    return std::any_of(seats.begin(), seats.end(), [&server](const SeatSetup& seat) {
      return server.command({"PTTL", seat.key}).integer == -1;  // It exists and never expires.
    });
  });
}

void Driver::on_blocked(const Record& record) {
  switch (static_cast<BlockingFact>(record.arg)) {
    case BlockingFact::orphan_key:
      if (!is_orphaned(record)) differ(record, "no server holds such a key without expiry");
      break;
    case BlockingFact::no_quorum: {
      const auto answering = std::count_if(nodes_.begin(), nodes_.end(), [](const auto& entry) {
        return !entry.second.replica && entry.second.server->answers();
      });
      if (answering > static_cast<std::ptrdiff_t>(scenario_.world.topology.nodes / 2)) {
        differ(record, "enough servers answer");
      }
      break;
    }
    case BlockingFact::live_watchdog:
      if (std::none_of(seats_.begin(), seats_.end(), [](const auto& entry) {
            return entry.second.client && entry.second.client->outlives_its_program();
          })) {
        differ(record, "no process lives on behind its program");
      }
      break;
    default:  // That nothing will ever change, only a whole state can show.
      break;
  }
  note_as_done(record);
}

}  // namespace locklab::real
