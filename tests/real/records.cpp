// Records: the fields of each kind that hold texts, and all others as numbers.
// SPDX-License-Identifier: Apache-2.0
#include "tests/real/records.h"

namespace locklab::real {
namespace {

std::string field(std::string_view name, std::int64_t value) {
  return value == 0 ? "" : " " + std::string(name) + "=" + std::to_string(value);
}
std::string field(std::string_view name, std::string_view text) {
  return text.empty() ? "" : " " + std::string(name) + "=" + std::string(text);
}

}  // namespace

std::string line_of(const History& history, const Record& record) {
  std::string line = history.actors[record.actor].name + ": " + std::string(name_of(record.kind));
  line += field("at", name_of(record.label));
  line += field("lock", history.text(record.lock));
  line += record.kind == EventKind::resource_op ? field("sequence", record.nonce)
                                                : field("text", history.text(record.nonce));
  if (record.kind == EventKind::applied) {
    line += field("command", history.text(static_cast<std::uint32_t>(record.arg)));
    line += field("last", history.text(static_cast<std::uint32_t>(record.arg >> 32)));
  } else {
    line += field("arg", record.arg);
  }
  const bool titled = record.kind == EventKind::sent && !record.has(event_flags::kResource);
  const bool text = record.kind == EventKind::key_value && record.has(event_flags::kText);
  line += titled || text ? field(text ? "value" : "command",
                                 history.text(static_cast<std::uint32_t>(record.result)))
                         : field("result", record.result);
  line += field("fence", record.fence) + field("local", record.local);
  line += field("hold", record.hold) + field("epoch", record.epoch) + field("flags", record.flags);
  return line;
}

}  // namespace locklab::real
