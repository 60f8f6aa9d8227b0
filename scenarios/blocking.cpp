// Blocking: looks at what the servers that are asked have for the key, and at who still runs.
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/blocking.h"

#include <algorithm>
#include <charconv>

namespace locklab {
namespace {

/// The lock's key on the servers that can answer.
struct Stored {
  std::uint32_t authorities = 0;
  std::uint32_t absent = 0;     // On so many it is not, or has expired.
  std::uint32_t unlimited = 0;  // On so many it never expires.
  const redis::Entry* entry = nullptr;
};

Stored stored(const ClientProgram& program) {
  const Stage& stage = *program.stage;
  Stored found;
  for (const Node* node : stage.nodes) {
    if (!node->is_authority() || !is_asked(stage, node, program.quorum)) continue;
    ++found.authorities;
    const redis::Entry* const entry = node->database().keys.find(program.config->key);
    const LocalInstant now = stage.world->read(node->host(), ClockId::wall);
    if (entry == nullptr || redis::is_expired(*entry, now)) {
      ++found.absent;
      continue;
    }
    found.entry = entry;
    if (!entry->has_expiry()) ++found.unlimited;
  }
  return found;
}

bool some_node_is_gone(const Stage& stage) {
  return std::any_of(stage.nodes.begin(), stage.nodes.end(),
                     [](const Node* node) { return !node->alive() && !node->restarting(); });
}

bool counts(const redis::Entry& entry) {
  const redis::Hash* const hash = entry.hash();
  if (hash == nullptr) return false;
  return std::any_of(hash->fields().begin(), hash->fields().end(),
                     [](const redis::Hash::Field& field) {
                       std::int64_t count = 0;
                       const std::string_view text = field.value;
                       std::from_chars(text.data(), text.data() + text.size(), count);
                       return count > 0;
                     });
}

bool was_released(const History& history, HoldId hold) {
  return std::any_of(history.records().begin(), history.records().end(),
                     [hold](const Record& record) {
                       return record.kind == EventKind::op_return && record.hold == hold.value &&
                              record.arg == static_cast<std::int64_t>(Operation::release);
                     });
}

/// A fiber of a program that has ended still runs.
bool is_watched(const Stage& stage) {
  return std::any_of(stage.processes.begin(), stage.processes.end(), [](const Process* process) {
    return !process->program_lives() && process->live_fibers() > 0;
  });
}

}  // namespace

bool is_asked(const Stage& stage, const Node* node, std::uint32_t quorum) {
  return quorum > 1 || node == &stage.primary();
}

BlockingFact blocking_fact(const ClientProgram& program, bool locked_out) {
  if (locked_out) return BlockingFact::fence_lock_out;
  const Stored found = stored(program);
  if (found.authorities < program.quorum) return BlockingFact::no_quorum;
  if (found.absent >= program.quorum) {
    // Free for all who ask, and still refused: somebody else's vote is missing, as after WAIT.
    return some_node_is_gone(*program.stage) ? BlockingFact::no_quorum : BlockingFact::other;
  }
  const HoldId creator = Span{found.entry->creator}.hold();
  if (counts(*found.entry) && was_released(program.stage->world->history(), creator)) {
    return BlockingFact::count_above_zero;
  }
  if (found.authorities - found.unlimited < program.quorum) return BlockingFact::orphan_key;
  return is_watched(*program.stage) ? BlockingFact::live_watchdog : BlockingFact::other;
}

}  // namespace locklab
