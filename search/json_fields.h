// JSON fields: reads the objects of our own file formats, whose keys are all required.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/decoding.h"
#include "scenarios/rules.h"

namespace locklab {

/// Errors go to the decoding; what cannot be read is 0 or empty.
class JsonFields {
 public:
  explicit JsonFields(schema::Decoding& d) : d_(d) {}

  /// All of these keys and no others.
  bool keys_are(const JsonValue& object, std::span<const std::string_view> keys);

  // Only of objects for which keys_are() said yes.
  static const JsonValue& at(const JsonValue& object, std::string_view key);
  void error(const JsonValue& object, std::string_view key, std::string message);
  std::int64_t integer(const JsonValue& object, std::string_view key, schema::IntegerRule rule);
  /// 0 to 2^64 - 1.
  std::uint64_t natural(const JsonValue& object, std::string_view key);
  std::string text(const JsonValue& object, std::string_view key);
  const std::vector<JsonValue>& list(const JsonValue& object, std::string_view key);
  std::vector<std::string> texts(const JsonValue& object, std::string_view key);

  /// 16 hexadecimal digits in quotes.
  std::uint64_t hash(const JsonValue& value);

  schema::Decoding& decoding() { return d_; }

 private:
  schema::Decoding& d_;
};

/// A hash as JsonFields::hash() reads it, with its quotes.
std::string quoted_hex(std::uint64_t value);

/// A list with one line for each entry, indented below a key of the outermost object.
template <class List, class Text>
std::string json_lines(const List& list, Text text) {
  std::string out = "[";
  for (const auto& entry : list) {
    out += out.size() == 1 ? "\n    " : ",\n    ";
    out += text(entry);
  }
  return out + (list.empty() ? "]" : "\n  ]");
}

}  // namespace locklab
