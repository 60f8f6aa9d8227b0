// JSON reader: text with comments to a tree whose every value knows its place in the text.
// SPDX-License-Identifier: Apache-2.0
//
// Size, depth, number of values and duplicate keys are checked while parsing, so that hostile input
// costs no more than its own length. Numbers are integers; anything else is kept as unreadable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace locklab {

struct JsonMember;

struct JsonValue {
  enum class Kind : std::uint8_t { null, boolean, integer, number, text, array, object };
  Kind kind = Kind::null;
  bool boolean = false;
  std::int64_t integer = 0;  // Kind::number: not an integer, or beyond 64 bits.
  std::string text;          // A string's characters, or a number as written.
  std::vector<JsonValue> elements;
  std::vector<JsonMember> members;  // In the order of the text.
  std::size_t offset = 0;           // Of the first byte in the text.
  std::size_t length = 0;           // Arrays and objects: of the opening bracket.

  /// nullptr: no such key.
  const JsonMember* find(std::string_view key) const;
};

struct JsonMember {
  std::string key;
  std::size_t offset = 0;  // Of the key's opening quote.
  std::size_t length = 0;
  JsonValue value;
};

/// "an integer", "a string", …
std::string_view kind_name(JsonValue::Kind kind);

struct JsonLimits {
  std::size_t bytes = std::size_t{1} << 20;
  std::size_t depth = 64;
  std::size_t values = 100'000;
};

struct JsonResult {
  std::optional<JsonValue> root;  // Empty: see the error.
  std::size_t offset = 0;
  std::size_t length = 0;
  std::string message;
  std::string hint;
};

JsonResult read_json(std::string_view text, const JsonLimits& limits = {});

}  // namespace locklab
