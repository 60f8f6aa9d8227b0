// JSON lines: locklab.history/1, and of the records that `locklab run --json` prints the calls.
// SPDX-License-Identifier: Apache-2.0

#include <array>
#include <string>
#include <utility>

#include "properties/linearizability/log_event.h"
#include "scenarios/json_reader.h"
#include "scenarios/suggest.h"

namespace locklab::linearizability {
namespace {

using JsonKind = JsonValue::Kind;

constexpr std::string_view kHistorySchema = "locklab.history/1";
constexpr std::string_view kEventSchema = "locklab.event/1";
// The last line of a run has its choices, several hundred.
constexpr JsonLimits kLimits{std::size_t{64} << 10, 16, 10'000};

LineResult wrong(std::string message, const JsonValue& at) {
  return {std::nullopt, LineError{std::move(message), at.offset, at.length}, std::nullopt};
}

std::string text_at(const JsonValue& object, std::string_view key) {
  const JsonMember* const member = object.find(key);
  return member == nullptr ? std::string() : member->value.text;
}

/// Texts and whole numbers are compared as they are written.
bool read_value(const JsonValue& value, LogEvent& event) {
  switch (value.kind) {
    case JsonKind::null:
      event.values.emplace_back(std::nullopt);
      return true;
    case JsonKind::integer:
      event.values.emplace_back(std::to_string(value.integer));
      return true;
    case JsonKind::text:
      event.values.emplace_back(value.text);
      return true;
    case JsonKind::array:
      if (value.elements.size() != 2) return false;
      for (const JsonValue& element : value.elements) {
        if (element.kind == JsonKind::array || !read_value(element, event)) return false;
      }
      return true;
    default:
      return false;
  }
}

std::string read_type(const std::string& text, LogEvent& event) {
  const std::optional<LogEvent::Type> type = type_named(text);
  event.type = type.value_or(event.type);
  return type ? "" : "expected \"invoke\", \"ok\", \"fail\" or \"info\"";
}

std::string read_function(const std::string& text, LogEvent& event) {
  const std::optional<Function> function = function_named(text);
  event.function = function.value_or(event.function);
  return function ? "" : "no operation has this name";
}

std::string read_name(const JsonValue& value, std::string& name) {
  if (value.kind == JsonKind::integer) name = std::to_string(value.integer);
  if (value.kind == JsonKind::text) name = value.text;
  return name.empty() ? "expected a name or a whole number" : "";
}

/// The message of what is wrong, or nothing.
std::string read_member(const JsonMember& member, LogEvent& event) {
  const JsonValue& value = member.value;
  const std::string text = value.kind == JsonKind::text ? value.text : std::string();
  if (member.key == "type") return read_type(text, event);
  if (member.key == "f") return read_function(text, event);
  if (member.key == "client") return read_name(value, event.client);
  if (member.key == "key") return read_name(value, event.key);
  if (member.key == "fence") {
    event.fence = value.integer;
    const bool fits = value.kind == JsonKind::integer && value.integer > 0;
    return fits ? "" : "expected a whole number from 1";
  }
  if (member.key == "held") {
    event.is_refused = value.boolean;
    return value.kind == JsonKind::boolean ? "" : "expected true or false";
  }
  if (member.key == "value") {
    return read_value(value, event) ? "" : "expected null, a whole number, a text or a pair";
  }
  static constexpr std::array<std::string_view, 7> kKeys = {"type",  "client", "f",   "key",
                                                            "value", "fence",  "held"};
  return "unknown key; " + suggestion(member.key, kKeys);
}

LineResult read_history_event(const JsonValue& object) {
  LogEvent event;
  for (const JsonMember& member : object.members) {
    const std::string message = read_member(member, event);
    if (message.empty()) continue;
    const bool is_key = message.starts_with("unknown");
    return {std::nullopt,
            LineError{message, is_key ? member.offset : member.value.offset,
                      is_key ? member.length : member.value.length},
            std::nullopt};
  }
  for (const std::string_view key : {"type", "client", "f"}) {
    if (object.find(key) == nullptr)
      return wrong("missing key \"" + std::string(key) + "\"", object);
  }
  const bool may_be_held = event.function == Function::acquire && event.type == LogEvent::Type::ok;
  if (event.is_refused && !may_be_held)
    return wrong("only an acquire that is ok can find the lock held", object);
  if (event.fence != 0 && (!may_be_held || event.is_refused))
    return wrong("only an acquire that got the lock has a fence", object);
  return {std::move(event), std::nullopt, std::nullopt};
}

/// A record of one of our runs. Locks with a lease refuse for reasons of their own, so a refusal is
/// taken for no claim; a release that found nothing has ended the hold at some time.
LineResult read_record(const JsonValue& object) {
  const std::string kind = text_at(object, "kind");
  if (kind != "op_begin" && kind != "op_return") return {};
  const std::optional<Function> function = function_named(text_at(object, "operation"));
  if (!function || *function < Function::acquire) return {};
  LogEvent event;
  event.client = text_at(object, "actor");
  event.key = text_at(object, "lock");
  event.function = *function;
  if (event.client.empty() || event.key.empty())
    return wrong("the record names no client or lock", object);
  if (kind == "op_return") {
    const std::string outcome = text_at(object, "outcome");
    const bool done = outcome == "acquired" || outcome == "released";
    event.type = done                   ? LogEvent::Type::ok
                 : outcome == "refused" ? LogEvent::Type::fail
                                        : LogEvent::Type::info;
    const JsonMember* const fence = object.find("fence");
    const bool fenced = done && fence != nullptr && *function == Function::acquire;
    if (fenced && fence->value.integer > 0) event.fence = fence->value.integer;
  }
  return {std::move(event), std::nullopt, std::nullopt};
}

}  // namespace

LineResult read_json_line(std::string_view line) {
  JsonResult json = read_json(line, kLimits);
  if (!json.root)
    return {std::nullopt, LineError{json.message, json.offset, json.length}, std::nullopt};
  if (json.root->kind != JsonKind::object) return wrong("expected an object", *json.root);
  const JsonMember* const schema = json.root->find("schema");
  if (schema == nullptr) return read_history_event(*json.root);
  if (schema->value.text == kEventSchema) return read_record(*json.root);
  if (schema->value.text.starts_with("locklab.run/")) return {};  // The last line of a run.
  if (schema->value.text != kHistorySchema)
    return wrong("expected \"locklab.history/1\" or \"locklab.event/1\"", schema->value);
  for (const JsonMember& member : json.root->members) {
    if (member.key == "schema" || member.key == "model") continue;
    LineError error{"a header has schema and model only", member.offset, member.length};
    return {std::nullopt, std::move(error), std::nullopt};
  }
  LineResult header;
  if (const JsonMember* const model = json.root->find("model")) header.model = model->value.text;
  return header;
}

}  // namespace locklab::linearizability
