// Operation table: line, client, what was asked and heard, and a bar from one event to the other.
// SPDX-License-Identifier: Apache-2.0
#include "reports/operation_table.h"

#include <algorithm>

#include "reports/text.h"

namespace locklab {
namespace {

using linearizability::Function;
using linearizability::History;
using linearizability::kNil;
using linearizability::Names;
using linearizability::Operation;
using linearizability::Position;
using linearizability::Result;

constexpr std::size_t kLineColumns = 6;
constexpr std::size_t kClientMost = 12;
constexpr std::size_t kTextMost = 34;  // Of 80 columns it leaves the bars at least 22.
constexpr std::size_t kBarLeast = 8;

std::string result_text(const Operation& operation, const Names& names) {
  if (operation.is_unknown()) return "unknown";
  switch (operation.function) {
    case Function::read:
      return names.values[operation.output];
    case Function::dequeue:
      return operation.output == kNil ? "empty" : names.values[operation.output];
    case Function::cas:
      return operation.result == Result::ok ? "ok" : "another value";
    case Function::acquire:
      if (operation.result == Result::refused) return "held";
      return operation.fence == 0 ? "ok" : "fence " + std::to_string(operation.fence);
    default:
      return "ok";
  }
}

/// The column of each event, so that all fit: every second one as long as there is room.
std::vector<std::size_t> columns_for(const History& history, std::size_t width) {
  const std::size_t events = history.events.size();
  std::vector<std::size_t> columns(events);
  for (std::size_t i = 0; i < events; ++i)
    columns[i] = 2 * events <= width ? 2 * i : i * (width - 1) / std::max<std::size_t>(events, 1);
  return columns;
}

std::string bar(const Operation& operation, const std::vector<std::size_t>& columns) {
  const std::size_t begin = columns[operation.invoked];
  const bool ends = !operation.is_unknown();
  const std::size_t end = ends ? std::max(columns[operation.returned], begin + 1) : begin + 3;
  std::string text(begin, ' ');
  text += "├";
  for (std::size_t i = begin + 1; i < end; ++i)
    text += "─";
  return text + (ends ? "┤" : "?");
}

}  // namespace

std::string operation_text(const Operation& operation, const Names& names) {
  std::string text(name_of(operation.function));
  if (operation.input != kNil || operation.function == Function::write)
    text += " " + names.values[operation.input];
  if (operation.function == Function::cas) text += " to " + names.values[operation.second];
  return text + " = " + result_text(operation, names);
}

std::string operation_table(const linearizability::Part& part,
                            const std::vector<std::uint32_t>& lines, const Names& names,
                            const Paper& paper) {
  std::size_t client_columns = columns_of("client");
  std::size_t text_columns = columns_of("operation");
  for (const Operation& operation : part.history.operations) {
    const std::string client = paper.say(names.clients[operation.client]);
    const std::string text = paper.say(operation_text(operation, names));
    client_columns = std::min(kClientMost, std::max(client_columns, columns_of(client)));
    text_columns = std::min(kTextMost, std::max(text_columns, columns_of(text)));
  }
  const std::size_t left = kLineColumns + client_columns + text_columns + 6;
  const std::size_t width = std::max(kBarLeast, paper.width > left ? paper.width - left : 0);
  const std::vector<std::size_t> columns = columns_for(part.history, width - 3);
  const std::string ellipsis = paper.say("…");
  const auto row = [&](const std::string& line, const std::string& client, const std::string& text,
                       const std::string& end) {
    return right_aligned(line, kLineColumns) + "  " +
           padded(cut(paper.say(client), client_columns, ellipsis), client_columns) + "  " +
           padded(cut(paper.say(text), text_columns, ellipsis), text_columns) + "  " +
           paper.say(end) + "\n";
  };
  std::string out = row("line", "client", "operation", "order of events");
  for (std::size_t i = 0; i < part.history.operations.size(); ++i) {
    const Operation& operation = part.history.operations[i];
    out += row(std::to_string(lines[i]), names.clients[operation.client],
               operation_text(operation, names), bar(operation, columns));
  }
  return out;
}

}  // namespace locklab
