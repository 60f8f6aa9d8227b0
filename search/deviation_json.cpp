// Deviation JSON: names for kinds and labels, numbers for the rest.
// SPDX-License-Identifier: Apache-2.0
#include "search/deviation_json.h"

#include <array>
#include <optional>
#include <string_view>

#include "scenarios/json_text.h"
#include "scenarios/value_reader.h"

namespace locklab {
namespace {

using Kind = JsonValue::Kind;

constexpr std::array<std::string_view, 7> kKeys = {"span", "actor", "kind",   "label",
                                                   "n",    "value", "witness"};
constexpr std::string_view kDuePrefix = "due-";

std::optional<Label> due_named(std::string_view text) {
  for (unsigned type = 0; type < kDueCount; ++type) {
    const auto place = static_cast<Label>(kDue + type);
    if (text == place_name(Address::of({}, {}, ChoiceKind::defer, place, 1))) return place;
  }
  return std::nullopt;
}

ChoiceKind read_kind(const JsonValue& value, schema::Decoding& d) {
  for (int i = 0; i < static_cast<int>(ChoiceKind::count); ++i) {
    const auto choice = static_cast<ChoiceKind>(i);
    if (value.kind == Kind::text && name_of(choice) == value.text) return choice;
  }
  d.error(value, "no choice has this name");
  return ChoiceKind::defer;
}

Label read_label(const JsonValue& value, ChoiceKind choice, schema::Decoding& d) {
  const bool is_text = schema::expect_kind(Kind::text, value, d);
  const std::optional<Label> found =
      choice == ChoiceKind::defer ? due_named(value.text) : label_named(value.text);
  if (is_text && !found) d.error(value, "no label has this name");
  return found.value_or(Label::none);
}

Span read_span(const JsonValue& entry, JsonFields& fields) {
  const std::vector<JsonValue>& parts = fields.list(entry, "span");
  if (!fields.decoding().ok()) return {};
  if (parts.size() != 4) {
    fields.error(entry, "span", "a span is [process, fiber, operation, attempt]");
    return {};
  }
  const auto part = [&](std::size_t i, std::int64_t max) {
    return schema::read_integer({0, max}, parts[i], fields.decoding()).value_or(0);
  };
  return Span::of_operation(ActorId{static_cast<std::uint16_t>(part(0, 0xffff))},
                            static_cast<std::uint8_t>(part(1, 0xff)),
                            static_cast<std::uint16_t>(part(2, 0xffff)),
                            static_cast<std::uint16_t>(part(3, 0xffff)));
}

Deviation read_deviation(const JsonValue& entry, JsonFields& fields) {
  if (!fields.keys_are(entry, kKeys)) return {};
  const Span span = read_span(entry, fields);
  const ActorId actor{static_cast<std::uint16_t>(fields.integer(entry, "actor", {0, 0xffff}))};
  const auto n = static_cast<std::uint32_t>(fields.integer(entry, "n", {0, 0xffffffff}));
  const ChoiceKind kind = read_kind(JsonFields::at(entry, "kind"), fields.decoding());
  const Label label = read_label(JsonFields::at(entry, "label"), kind, fields.decoding());
  const std::int64_t witness = fields.integer(entry, "witness", {0, 0xffffffff});
  return {Address::of(span, actor, kind, label, n), fields.hash(JsonFields::at(entry, "value")),
          Witness{static_cast<std::uint32_t>(witness)}};
}

}  // namespace

std::string place_name(const Address& address) {
  if (address.kind() != ChoiceKind::defer) return std::string(name_of(address.label()));
  return std::string(kDuePrefix) + std::to_string(static_cast<unsigned>(address.label()) - kDue);
}

std::string deviation_json(const Deviation& deviation) {
  const Address& address = deviation.address;
  const Span span = address.cause();
  std::string out = "{\"span\": [";
  for (const unsigned part : {unsigned{span.actor().value}, unsigned{span.fiber()},
                              unsigned{span.operation()}, unsigned{span.attempt()}}) {
    out += (out.back() == '[' ? "" : ", ") + std::to_string(part);
  }
  out += "], \"actor\": " + std::to_string(address.actor().value);
  out += ", \"kind\": " + json_quoted(name_of(address.kind()));
  out += ", \"label\": " + json_quoted(place_name(address));
  out += ", \"n\": " + std::to_string(address.n()) + ", \"value\": " + quoted_hex(deviation.value);
  return out + ", \"witness\": " + std::to_string(deviation.witness.bits) + "}";
}

std::vector<Deviation> read_deviations(const JsonValue& object, std::string_view key,
                                       JsonFields& fields) {
  std::vector<Deviation> deviations;
  for (const JsonValue& entry : fields.list(object, key)) {
    const Deviation deviation = read_deviation(entry, fields);
    if (!fields.decoding().ok()) break;
    if (deviation.value == 0) fields.decoding().error(entry, "the default value is no deviation");
    if (!deviations.empty() && deviation.address <= deviations.back().address) {
      fields.decoding().error(entry, "deviations stand in the order of their addresses, each once");
    }
    deviations.push_back(deviation);
  }
  return deviations;
}

}  // namespace locklab
