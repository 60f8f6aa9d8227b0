// JSON fields: every error at the value that is wrong.
// SPDX-License-Identifier: Apache-2.0
#include "search/json_fields.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "scenarios/json_text.h"
#include "scenarios/value_reader.h"
#include "search/byte_codec.h"

namespace locklab {
namespace {

using Kind = JsonValue::Kind;

constexpr unsigned kDigits = 16;

}  // namespace

bool JsonFields::keys_are(const JsonValue& object, std::span<const std::string_view> keys) {
  if (!schema::expect_kind(Kind::object, object, d_)) return false;
  for (const JsonMember& member : object.members) {
    const bool known = std::find(keys.begin(), keys.end(), member.key) != keys.end();
    if (!known) schema::unknown_key(member, keys, d_);
  }
  for (const std::string_view key : keys) {
    if (object.find(key) == nullptr) d_.error(object, "missing key " + quoted(key));
  }
  return d_.ok();
}

const JsonValue& JsonFields::at(const JsonValue& object, std::string_view key) {
  return object.find(key)->value;
}

void JsonFields::error(const JsonValue& object, std::string_view key, std::string message) {
  d_.error(at(object, key), std::move(message));
}

std::int64_t JsonFields::integer(const JsonValue& object, std::string_view key,
                                 schema::IntegerRule rule) {
  return schema::read_integer(rule, at(object, key), d_).value_or(0);
}

std::uint64_t JsonFields::natural(const JsonValue& object, std::string_view key) {
  const JsonValue& value = at(object, key);
  if (value.kind == Kind::integer && value.integer >= 0)
    return static_cast<std::uint64_t>(value.integer);
  std::uint64_t number = 0;
  const char* const end = value.text.data() + value.text.size();
  const bool read = value.kind == Kind::number && std::from_chars(value.text.data(), end, number) ==
                                                      std::from_chars_result{end, std::errc()};
  if (!read) error(object, key, "expected a whole number from 0 on");
  return read ? number : 0;
}

std::string JsonFields::text(const JsonValue& object, std::string_view key) {
  const JsonValue& value = at(object, key);
  return schema::expect_kind(Kind::text, value, d_) ? value.text : std::string();
}

const std::vector<JsonValue>& JsonFields::list(const JsonValue& object, std::string_view key) {
  schema::expect_kind(Kind::array, at(object, key), d_);
  return at(object, key).elements;
}

std::vector<std::string> JsonFields::texts(const JsonValue& object, std::string_view key) {
  std::vector<std::string> texts;
  for (const JsonValue& entry : list(object, key)) {
    if (schema::expect_kind(Kind::text, entry, d_)) texts.push_back(entry.text);
  }
  return texts;
}

std::uint64_t JsonFields::hash(const JsonValue& value) {
  const std::optional<std::uint64_t> got =
      value.kind == Kind::text ? from_hex(value.text, kDigits) : std::nullopt;
  if (!got) d_.error(value, "expected 16 digits of 0-9 and a-f in quotes");
  return got.value_or(0);
}

std::string quoted_hex(std::uint64_t value) {
  return "\"" + hex(value, kDigits) + "\"";
}

}  // namespace locklab
