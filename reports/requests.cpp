// Requests: causes lead from a decision to what was sent, connections from a reply to who waited.
// SPDX-License-Identifier: Apache-2.0
#include "reports/requests.h"

#include <map>
#include <tuple>
#include <utility>

namespace locklab {
namespace {

bool decides(const Record& record) {
  return record.kind == EventKind::applied || record.kind == EventKind::resource_op ||
         record.kind == EventKind::fence_issued;
}

std::uint16_t server_of(const Record& sent) {
  return static_cast<std::uint16_t>(sent.arg >> 32);
}

}  // namespace

Requests::Requests(const History& history)
    : history_(history),
      arrival_(history.records().size(), 0),
      awaiting_(history.records().size(), 0),
      first_try_(history.records().size(), 0) {
  for (const Record& record : history.records()) {
    const std::uint32_t sent = decides(record) ? sending(record) : 0;
    if (sent != 0 && arrival_[sent - 1] == 0) arrival_[sent - 1] = record.seq;
  }
  read_replies(history);
  read_resent(history);
}

std::uint32_t Requests::sending(const Record& decided) const {
  if (decided.cause == 0) return 0;
  const Record& cause = history_.at(decided.cause);
  return cause.kind == EventKind::sent ? cause.seq : 0;
}

std::uint32_t Requests::decision(const Record& replied) const {
  // What a server changed and passed on stands between its decision and its reply.
  for (std::uint32_t seq = replied.cause; seq != 0; seq = history_.at(seq).cause) {
    const Record& cause = history_.at(seq);
    if (decides(cause)) return seq;
    if (cause.kind == EventKind::sent) return 0;
  }
  return 0;
}

void Requests::read_replies(const History& history) {
  // A connection carries one request at a time: the latest is the one that is waited for.
  std::map<std::pair<std::uint16_t, std::int64_t>, std::uint32_t> latest;
  for (const Record& record : history.records()) {
    const std::pair connection{record.actor, record.arg};
    if (record.kind == EventKind::sent) latest[connection] = record.seq;
    if (record.kind == EventKind::replied) awaiting_[record.seq - 1] = latest[connection];
  }
}

void Requests::read_resent(const History& history) {
  struct Attempt {
    std::int64_t connection = 0;
    std::uint32_t sent = 0;
    bool failed = false;
  };
  // By client, hold, server and command.
  std::map<std::tuple<std::uint16_t, std::uint32_t, std::uint16_t, std::int64_t>, Attempt> attempts;
  const auto end_call = [&attempts](const Record& record, bool fails) {
    for (auto& [key, attempt] : attempts) {
      if (std::get<0>(key) != record.actor || attempt.connection != record.arg) continue;
      attempt.connection = 0;
      attempt.failed = fails;
    }
  };
  for (const Record& record : history.records()) {
    switch (record.kind) {
      case EventKind::sent: {
        end_call(record, false);
        if (record.has(event_flags::kResource) || record.hold == 0) break;
        Attempt& attempt = attempts[{record.actor, record.hold, server_of(record), record.result}];
        if (attempt.failed) first_try_[record.seq - 1] = attempt.sent;
        attempt = {record.arg, record.seq, false};
        break;
      }
      case EventKind::replied:
        end_call(record, false);
        break;
      case EventKind::timed_out:
      case EventKind::broken:
        end_call(record, true);
        break;
      case EventKind::op_begin:  // What a program asks anew is not sent again.
        std::erase_if(attempts, [&record](const auto& entry) {
          return std::get<0>(entry.first) == record.actor &&
                 std::get<1>(entry.first) == record.hold;
        });
        break;
      default:
        break;
    }
  }
}

}  // namespace locklab
