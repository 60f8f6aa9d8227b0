// Jepsen lines: the log of an etcd test, and maps in EDN, a line each.
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>
#include <utility>

#include "properties/linearizability/log_event.h"

namespace locklab::linearizability {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == ',' || c == '\r';  // In EDN a comma is a blank.
}

/// One line, read from left to right.
class Cursor {
 public:
  explicit Cursor(std::string_view line) : line_(line) { skip(); }

  bool at_end() const { return at_ == line_.size(); }
  char peek() const { return at_end() ? '\0' : line_[at_]; }
  std::size_t offset() const { return at_; }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    skip();
    return true;
  }
  /// Up to a blank or a bracket; empty if there is none.
  std::string_view word() {
    const std::size_t begin = at_;
    while (!at_end() && !is_blank(line_[at_]) &&
           std::string_view("[]{}\"").find(line_[at_]) == std::string_view::npos)
      ++at_;
    const std::string_view word = line_.substr(begin, at_ - begin);
    skip();
    return word;
  }
  /// What stands between quotes; empty optional: no closing quote, or an unknown escape.
  std::optional<std::string> text() {
    std::string text;
    ++at_;
    while (!at_end() && line_[at_] != '"') {
      char c = line_[at_++];
      if (c == '\\') {
        constexpr std::string_view kEscapes = "\\\"nt";
        constexpr std::string_view kMeanings = "\\\"\n\t";
        const std::size_t escape = at_end() ? kEscapes.size() : kEscapes.find(line_[at_]);
        if (escape >= kEscapes.size()) return std::nullopt;
        c = kMeanings[escape];
        ++at_;
      }
      text += c;
    }
    if (at_end()) return std::nullopt;
    ++at_;
    skip();
    return text;
  }

 private:
  void skip() {
    while (!at_end() && is_blank(line_[at_]))
      ++at_;
  }

  std::string_view line_;
  std::size_t at_ = 0;
};

LineResult wrong(std::string message, std::size_t offset, std::size_t length = 1) {
  return {std::nullopt, LineError{std::move(message), offset, length}, std::nullopt};
}

bool is_number(std::string_view word) {
  const std::string_view digits = word.starts_with('-') ? word.substr(1) : word;
  return !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
}

/// nil, a number, a text or [from to] into the event; false: something else stands there.
bool read_value(Cursor& cursor, LogEvent& event) {
  if (cursor.take('[')) {
    while (!cursor.take(']')) {
      if (event.values.size() == 2 || cursor.peek() == '[' || !read_value(cursor, event))
        return false;
    }
    return event.values.size() == 2;
  }
  if (cursor.peek() == '"') {
    std::optional<std::string> text = cursor.text();
    if (!text) return false;
    event.values.emplace_back(std::move(text));
    return true;
  }
  const std::string_view word = cursor.word();
  if (word == ":timed-out") {
    event.is_timed_out = true;
  } else if (word == "nil") {
    event.values.emplace_back(std::nullopt);
  } else if (is_number(word)) {
    event.values.emplace_back(std::string(word));
  } else {
    return false;
  }
  return true;
}

/// ":write" is a word with a colon.
std::string_view keyword(std::string_view word) {
  return word.starts_with(':') ? word.substr(1) : std::string_view();
}

/// One entry of an EDN map; the message of what is wrong, or nothing.
std::string read_entry(Cursor& cursor, std::string_view key, LogEvent& event, unsigned& seen) {
  constexpr std::array<std::string_view, 5> kKeys = {"process", "type", "f", "key", "value"};
  const auto* const place = std::find(kKeys.begin(), kKeys.end(), key);
  if (place == kKeys.end()) return "expected :process, :type, :f, :key or :value";
  const auto bit = 1U << static_cast<unsigned>(place - kKeys.begin());
  if ((seen & bit) != 0) return "the key is here twice";
  seen |= bit;
  if (key == "value") {
    return read_value(cursor, event) ? "" : "expected nil, a whole number or a text in quotes";
  }
  if (key == "key") {
    std::optional<std::string> text =
        cursor.peek() == '"' ? cursor.text() : std::string(cursor.word());
    if (!text || text->empty()) return "expected a key in quotes";
    event.key = std::move(*text);
    return {};
  }
  const std::string_view word = cursor.word();
  if (key == "process") {
    event.client = word;
    return is_number(word) ? "" : "expected the number of a process";
  }
  if (key == "type") {
    const std::optional<LogEvent::Type> type = type_named(keyword(word));
    event.type = type.value_or(event.type);
    return type ? "" : "expected :invoke, :ok, :fail or :info";
  }
  const std::optional<Function> function = function_named(keyword(word));
  event.function = function.value_or(event.function);
  return function ? "" : "no operation has this name";
}

}  // namespace

LineResult read_edn_line(std::string_view line) {
  Cursor cursor(line);
  LogEvent event;
  unsigned seen = 0;
  if (!cursor.take('{')) return wrong("expected {", cursor.offset());
  while (!cursor.take('}')) {
    const std::size_t offset = cursor.offset();
    const std::string_view key = cursor.word();
    if (cursor.at_end()) return wrong("expected }", offset);
    const std::string message = read_entry(cursor, keyword(key), event, seen);
    if (!message.empty()) return wrong(message, offset, key.size());
  }
  if (!cursor.at_end()) return wrong("expected the end of the line", cursor.offset());
  constexpr unsigned kNeeded = 7;  // Process, type and function.
  if ((seen & kNeeded) != kNeeded) return wrong(":process, :type and :f are needed", 0);
  return {std::move(event), std::nullopt, std::nullopt};
}

LineResult read_jepsen_line(std::string_view line) {
  Cursor cursor(line);
  cursor.word();  // The level.
  // Other loggers write into the same file, and the nemesis is no client.
  if (cursor.word() != "jepsen.util") return {};
  if (cursor.word() != "-") return {};
  LogEvent event;
  const std::size_t who = cursor.offset();
  const std::string_view client = cursor.word();
  if (client == ":nemesis") return {};
  if (!is_number(client)) return wrong("expected the number of a process", who, client.size());
  event.client = client;
  const std::size_t what = cursor.offset();
  const std::optional<LogEvent::Type> type = type_named(keyword(cursor.word()));
  if (!type) return wrong("expected :invoke, :ok, :fail or :info", what);
  event.type = *type;
  const std::size_t which = cursor.offset();
  const std::optional<Function> function = function_named(keyword(cursor.word()));
  if (!function) return wrong("no operation has this name", which);
  event.function = *function;
  const std::size_t value = cursor.offset();
  if (!cursor.at_end() && !read_value(cursor, event))
    return wrong("expected nil, a whole number, [from to] or :timed-out", value);
  if (!cursor.at_end()) return wrong("expected the end of the line", cursor.offset());
  return {std::move(event), std::nullopt, std::nullopt};
}

}  // namespace locklab::linearizability
