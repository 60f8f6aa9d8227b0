// Log event: one line of a log, whatever its format.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "properties/linearizability/operation.h"

namespace locklab::linearizability {

struct LogEvent {
  /// Jepsen's: ok took place, fail did not, info may have.
  enum class Type : std::uint8_t { invoke, ok, fail, info };

  Type type = Type::invoke;
  std::string client;
  Function function = Function::read;
  std::string key;
  /// Of a cas two, of a read or write one, or none; nullopt is nil.
  std::vector<std::optional<std::string>> values;
  std::int64_t fence = 0;
  bool is_refused = false;    // ok, and nothing changed.
  bool is_timed_out = false;  // With fail: of a cas nobody can tell.
};

/// "get" and "put" are read and write.
std::optional<Function> function_named(std::string_view name);
std::optional<LogEvent::Type> type_named(std::string_view name);

/// An error in a line, at an offset in it.
struct LineError {
  std::string message;
  std::size_t offset = 0;
  std::size_t length = 0;
};

/// What one line says: an event, an error, or neither if it says nothing of operations.
struct LineResult {
  std::optional<LogEvent> event;
  std::optional<LineError> error;
  std::optional<std::string> model;  // A header line names it.
};

// The formats.
LineResult read_json_line(std::string_view line);
LineResult read_jepsen_line(std::string_view line);
LineResult read_edn_line(std::string_view line);

}  // namespace locklab::linearizability
