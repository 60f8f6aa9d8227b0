// Log builder: an invocation waits for its client's next event.
// SPDX-License-Identifier: Apache-2.0

#include "properties/linearizability/log_builder.h"

#include <array>
#include <utility>

namespace locklab::linearizability {
namespace {

std::string under_way(Function function, std::uint32_t line) {
  return "its " + std::string(name_of(function)) + " of line " + std::to_string(line);
}

}  // namespace

std::uint32_t LogBuilder::number_of(const std::string& name, Numbers& numbers,
                                    std::vector<std::string>& names) {
  const auto [found, is_new] = numbers.try_emplace(name, static_cast<std::uint32_t>(names.size()));
  if (is_new) names.push_back(name);
  return found->second;
}

Value LogBuilder::value_of(const std::optional<std::string>& text) {
  return text ? number_of(*text, values_, names_.values) : kNil;
}

std::string LogBuilder::add(const LogEvent& event, std::uint32_t line) {
  const std::uint32_t client = number_of(event.client, clients_, names_.clients);
  return event.type == LogEvent::Type::invoke ? invoke(event, client, line)
                                              : complete(event, client);
}

std::string LogBuilder::invoke(const LogEvent& event, std::uint32_t client, std::uint32_t line) {
  if (const auto open = open_.find(client); open != open_.end()) {
    const Started& started = started_[open->second];
    return "client " + quoted(event.client) + " begins while " +
           under_way(started.operation.function, started.line) + " is under way";
  }
  if (started_.size() == most_) return "more than " + std::to_string(most_) + " operations";
  Operation operation;
  operation.client = client;
  operation.key = number_of(event.key, keys_, names_.keys);
  operation.function = event.function;
  operation.result = Result::unknown;
  operation.invoked = now_++;
  const std::size_t wanted = event.function == Function::cas ? 2 : 1;
  if (event.function >= Function::write && event.function <= Function::enqueue) {
    if (event.values.size() != wanted) {
      return std::string(name_of(event.function)) +
             (wanted == 2 ? " needs two values, old and new" : " needs a value");
    }
    operation.input = value_of(event.values[0]);
    if (wanted == 2) operation.second = value_of(event.values[1]);
  }
  open_.emplace(client, started_.size());
  started_.push_back({operation, line, true});
  return {};
}

std::string LogBuilder::complete(const LogEvent& event, std::uint32_t client) {
  const auto open = open_.find(client);
  if (open == open_.end()) return "client " + quoted(event.client) + " has nothing under way";
  Started& started = started_[open->second];
  Operation& operation = started.operation;
  if (operation.function != event.function ||
      (!event.key.empty() && names_.keys[operation.key] != event.key)) {
    return "client " + quoted(event.client) + " ends something else than " +
           under_way(operation.function, started.line);
  }
  const bool returns_value =
      event.function == Function::read || event.function == Function::dequeue;
  if (returns_value && event.values.size() > 1)
    return std::string(name_of(event.function)) + " returns one value, not a pair";
  if (event.type == LogEvent::Type::ok && !has_values_of(operation, event)) {
    return "client " + quoted(event.client) + " ends its " + std::string(name_of(event.function)) +
           " with another value than on line " + std::to_string(started.line);
  }
  open_.erase(open);
  if (event.type == LogEvent::Type::info) return {};
  const bool is_cas = event.function == Function::cas;
  if (event.type == LogEvent::Type::fail && is_cas && event.is_timed_out) return {};
  if (event.type == LogEvent::Type::fail && !is_cas) {
    started.took_place = false;
    return {};
  }
  const bool is_failed_cas = event.type == LogEvent::Type::fail;
  operation.result = is_failed_cas || event.is_refused ? Result::refused : Result::ok;
  operation.returned = now_++;
  operation.fence = event.fence;
  if (returns_value) operation.output = event.values.empty() ? kNil : value_of(event.values[0]);
  return {};
}

/// What a write, cas, append or enqueue says of its values again when it returns.
bool LogBuilder::has_values_of(const Operation& operation, const LogEvent& event) const {
  if (event.function < Function::write || event.function > Function::enqueue) return true;
  const std::array<Value, 2> asked = {operation.input, operation.second};
  for (std::size_t i = 0; i < event.values.size(); ++i) {
    if (event.values[i] && *event.values[i] != names_.values[asked[i]]) return false;
  }
  return true;
}

Log LogBuilder::finish() {
  Log log;
  std::vector<Operation> operations;
  for (const Started& started : started_) {
    if (!started.took_place) continue;
    operations.push_back(started.operation);
    log.lines.push_back(started.line);
  }
  log.history = history_of(operations);
  log.names = std::move(names_);
  return log;
}

}  // namespace locklab::linearizability
