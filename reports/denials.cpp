// Denials: by kind of record; servers do not know for whom they work, the lanes do.
// SPDX-License-Identifier: Apache-2.0
#include "reports/denials.h"

#include <charconv>
#include <string_view>

#include "sim/redis/reply.h"

namespace locklab {
namespace {

std::int64_t number_in(std::string_view text) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

bool denies(const RunView& run, const Record& applied) {
  const auto kind = static_cast<redis::ReplyKind>(applied.result & 15);
  const std::int64_t number = applied.result >> 4;
  const History& history = *run.history;
  const bool wait = history.text(static_cast<std::uint32_t>(applied.arg)) == "WAIT";
  // Its first argument stands where other commands have their key.
  if (wait && kind == redis::ReplyKind::integer)
    return number < number_in(history.text(std::uint32_t{applied.lock}));
  if (!changes_nothing(history, applied) || is_unknown_script(history, applied)) return false;
  if (kind == redis::ReplyKind::error) return true;
  const HoldLane* const lane = run.lanes->find(applied.hold_id());
  const bool held = lane != nullptr && lane->granted && lane->acquired.seq < applied.seq;
  const bool none = kind == redis::ReplyKind::nil || kind == redis::ReplyKind::null_array ||
                    (kind == redis::ReplyKind::integer && number <= 0);
  return held && none;
}

bool ends_badly(const Record& op_return) {
  const auto outcome = static_cast<Outcome>(op_return.result);
  switch (static_cast<Operation>(op_return.arg)) {
    case Operation::acquire:
    case Operation::nested_acquire:
      return outcome == Outcome::unknown;
    case Operation::renew:
      return outcome != Outcome::renewed;
    case Operation::release:
    case Operation::nested_release:
      return outcome != Outcome::released;
    default:
      return false;
  }
}

}  // namespace

bool is_denial(const RunView& run, const Record& record) {
  const HoldLane* const lane = run.lanes->find(record.hold_id());
  if (record.has(event_flags::kProbe) || (lane != nullptr && lane->by_probe)) return false;
  switch (record.kind) {
    case EventKind::resource_op:
      return record.has(event_flags::kRejected);
    case EventKind::told_lost:
      return true;
    case EventKind::section_leave: {
      const auto reason = static_cast<LeaveReason>(record.arg);
      return reason == LeaveReason::lease_over || reason == LeaveReason::told_lost;
    }
    case EventKind::op_return:
      return ends_badly(record);
    case EventKind::applied:
      return denies(run, record);
    default:
      return false;
  }
}

bool is_key_change(const Record& record) {
  return record.kind == EventKind::key_set || record.kind == EventKind::key_deleted ||
         record.kind == EventKind::key_ttl || record.kind == EventKind::key_value;
}

bool is_unknown_script(const History& history, const Record& applied) {
  return static_cast<redis::ReplyKind>(applied.result & 15) == redis::ReplyKind::error &&
         history.text(applied.nonce).starts_with("NOSCRIPT");
}

bool changes_nothing(const History& history, const Record& applied) {
  if (applied.seq >= history.records().size()) return true;
  const Record& after = history.at(applied.seq + 1);
  return !is_key_change(after) || after.t != applied.t || after.actor != applied.actor;
}

}  // namespace locklab
