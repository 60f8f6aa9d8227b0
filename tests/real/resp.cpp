// RESP: writing commands, cutting a stream into values, reading them.
// SPDX-License-Identifier: Apache-2.0
#include "tests/real/resp.h"

#include <charconv>

namespace locklab::real {
namespace {

using redis::ReplyKind;

constexpr std::string_view kEndOfLine = "\r\n";

/// The number that stands behind the type byte, up to the end of the line.
std::int64_t length_in(std::string_view line) {
  std::int64_t length = 0;
  std::from_chars(line.data() + 1, line.data() + line.size(), length);
  return length;
}

/// Reads one value and moves `at` behind it.
Value read(std::string_view bytes, std::size_t& at) {
  const std::size_t end = bytes.find(kEndOfLine, at);
  const std::string_view line = bytes.substr(at, end - at);
  at = end + kEndOfLine.size();
  Value value;
  switch (line.empty() ? '\0' : line.front()) {
    case '+':
    case '-':
      value.kind = line.front() == '+' ? ReplyKind::status : ReplyKind::error;
      value.text = line.substr(1);
      break;
    case ':':
      value.kind = ReplyKind::integer;
      value.integer = length_in(line);
      break;
    case '$': {
      const std::int64_t length = length_in(line);
      if (length < 0) break;
      value.kind = ReplyKind::bulk;
      value.text = bytes.substr(at, static_cast<std::size_t>(length));
      at += static_cast<std::size_t>(length) + kEndOfLine.size();
      break;
    }
    default: {
      const std::int64_t length = length_in(line);
      value.kind = length < 0 ? ReplyKind::null_array : ReplyKind::array;
      for (std::int64_t i = 0; i < length; ++i)
        value.children.push_back(read(bytes, at));
    }
  }
  return value;
}

}  // namespace

std::string encode(const Words& words) {
  std::string bytes = "*" + std::to_string(words.size()) + "\r\n";
  for (const std::string& word : words)
    bytes += "$" + std::to_string(word.size()) + "\r\n" + word + "\r\n";
  return bytes;
}

std::size_t value_length(std::string_view bytes) {
  const std::size_t end = bytes.find(kEndOfLine);
  if (end == std::string_view::npos || end == 0) return 0;
  std::size_t length = end + kEndOfLine.size();
  if (bytes.front() != '$' && bytes.front() != '*') return length;
  const std::int64_t count = length_in(bytes.substr(0, end));
  if (count < 0) return length;
  if (bytes.front() == '$') {
    length += static_cast<std::size_t>(count) + kEndOfLine.size();
    return length <= bytes.size() ? length : 0;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    const std::size_t child = value_length(bytes.substr(length));
    if (child == 0) return 0;
    length += child;
  }
  return length;
}

Value decode(std::string_view bytes) {
  std::size_t at = 0;
  return read(bytes, at);
}

Words words_of(const Value& value) {
  Words words;
  words.reserve(value.children.size());
  for (const Value& child : value.children)
    words.push_back(child.text);
  return words;
}

std::int64_t code_of(const Value& value) {
  return static_cast<std::int64_t>(value.kind) | value.integer * 16;
}

std::int64_t number_of(const std::string& word) {
  std::int64_t number = 0;
  std::from_chars(word.data(), word.data() + word.size(), number);
  return number;
}

std::string word_of(std::int64_t number) {
  return std::to_string(number);
}

}  // namespace locklab::real
