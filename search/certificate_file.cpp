// Certificate file: written by hand; read, then written again and compared.
// SPDX-License-Identifier: Apache-2.0
#include "search/certificate_file.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "scenarios/json_reader.h"
#include "scenarios/json_text.h"
#include "scenarios/value_reader.h"
#include "search/byte_codec.h"
#include "search/checked_text.h"
#include "search/json_fields.h"
#include "sim/history.h"

namespace locklab {
namespace {

constexpr unsigned kDigits = 16;
constexpr std::string_view kSchema = "locklab.certificate/1";
constexpr std::int64_t kLevelsMost = 64;
constexpr schema::IntegerRule kCount{0, INT64_MAX};
constexpr schema::IntegerRule kPositive{1, UINT32_MAX};

constexpr std::array<std::string_view, 16> kKeys = {
    "schema", "verdict", "claim", "scenario",  "hash",   "set",        "epoch",          "faults",
    "bound",  "shard",   "units", "schedules", "levels", "properties", "counterexample", "check"};
constexpr std::array<std::string_view, 8> kBoundKeys = {"deviations",  "faults",    "orders",
                                                        "steps",       "targets",   "start_phases",
                                                        "poll_phases", "work_times"};
constexpr std::array<std::string_view, 2> kShardKeys = {"number", "of"};
constexpr std::array<std::string_view, 2> kUnitKeys = {"done", "of"};
constexpr std::array<std::string_view, 3> kLevelKeys = {"schedules", "impossible", "sum"};
constexpr std::array<std::string_view, 5> kPropertyKeys = {"name", "expected", "violated",
                                                           "unknown", "exercised"};
constexpr std::array<std::string_view, 4> kFoundKeys = {"unit", "property", "why", "token"};

std::string number(std::string_view key, std::uint64_t value) {
  return "\"" + std::string(key) + "\": " + std::to_string(value);
}

std::string bound_text(const Bound& bound) {
  return "{" + number("deviations", bound.deviations) + ", " + number("faults", bound.faults) +
         ", " + number("orders", bound.orders) + ", " + number("steps", bound.steps) +
         ", \"targets\": " + (bound.every_target ? "\"every\"" : "\"natural\"") + ", " +
         number("start_phases", bound.phases.start) + ", " +
         number("poll_phases", bound.phases.poll) + ", " + number("work_times", bound.phases.work) +
         "}";
}

std::string level_text(const LevelCount& level) {
  return "{" + number("schedules", level.schedules) + ", " +
         number("impossible", level.impossible) + ", \"sum\": \"" + hex(level.sum.high, kDigits) +
         hex(level.sum.low, kDigits) + "\"}";
}

std::string property_text(const PropertyCount& property) {
  std::string violated;
  for (const std::uint64_t count : property.violated)
    violated += (violated.empty() ? "" : ", ") + std::to_string(count);
  return "{\"name\": " + json_quoted(property.name) +
         ", \"expected\": " + json_quoted(name_of(property.expected)) + ", \"violated\": [" +
         violated + "], " + number("unknown", property.unknown) + ", " +
         number("exercised", property.exercised) + "}";
}

std::string counterexample_text(const std::optional<Counterexample>& found) {
  if (!found) return "null";
  return "{" + number("unit", found->unit) + ", \"property\": " + json_quoted(found->property) +
         ", \"why\": " + json_quoted(found->why) + ", \"token\": " + json_quoted(found->token) +
         "}";
}

/// Whether a certificate says of itself what it must; its numbers are found by the comparison with
/// the text written anew, and by the recount.
bool makes_sense(const Certificate& c) {
  const std::size_t levels = std::size_t{deepest_level(c.bound)} + 1;
  return c.levels.size() == levels && c.units_done <= c.units && c.shard.number <= c.shard.of &&
         std::all_of(c.properties.begin(), c.properties.end(),
                     [levels](const PropertyCount& p) { return p.violated.size() == levels; });
}

class Reader {
 public:
  explicit Reader(schema::Decoding& d) : fields_(d) {}

  Certificate read(const JsonValue& root) {
    Certificate c;
    if (!fields_.keys_are(root, kKeys)) return c;
    if (fields_.text(root, "schema") != kSchema) fields_.error(root, "schema", "another schema");
    if (count(root, "epoch") != History::kModelEpoch)
      fields_.error(root, "epoch", "another model epoch");
    c.scenario = fields_.text(root, "scenario");
    c.scenario_hash = fields_.hash(JsonFields::at(root, "hash"));
    c.set = fields_.texts(root, "set");
    c.faults = fields_.text(root, "faults");
    c.bound = bound(JsonFields::at(root, "bound"));
    if (const JsonValue& shard = JsonFields::at(root, "shard"); fields_.keys_are(shard, kShardKeys))
      c.shard = {count(shard, "number", 1), count(shard, "of", 1)};
    if (const JsonValue& units = JsonFields::at(root, "units");
        fields_.keys_are(units, kUnitKeys)) {
      c.units_done = count(units, "done");
      c.units = count(units, "of");
    }
    for (const JsonValue& entry : fields_.list(root, "levels"))
      c.levels.push_back(level(entry));
    for (const JsonValue& entry : fields_.list(root, "properties"))
      c.properties.push_back(property(entry));
    c.counterexample = counterexample(JsonFields::at(root, "counterexample"));
    return c;
  }

 private:
  Bound bound(const JsonValue& value) {
    Bound b;
    if (!fields_.keys_are(value, kBoundKeys)) return b;
    b.deviations = small(value, "deviations", {0, kLevelsMost});
    b.faults = small(value, "faults");
    b.orders = small(value, "orders");
    b.steps = small(value, "steps", kPositive);
    b.every_target = fields_.text(value, "targets") == "every";
    b.phases = {small(value, "start_phases", kPositive), small(value, "poll_phases", kPositive),
                small(value, "work_times", kPositive)};
    return b;
  }

  LevelCount level(const JsonValue& value) {
    if (!fields_.keys_are(value, kLevelKeys)) return {};
    const std::string sum = fields_.text(value, "sum");
    const std::size_t half = std::min<std::size_t>(kDigits, sum.size());
    const auto high = from_hex(std::string_view(sum).substr(0, half), kDigits);
    const auto low = from_hex(std::string_view(sum).substr(half), kDigits);
    if (!high || !low) fields_.error(value, "sum", "expected 32 digits of 0-9 and a-f");
    return {
        count(value, "schedules"), count(value, "impossible"), {low.value_or(0), high.value_or(0)}};
  }

  PropertyCount property(const JsonValue& value) {
    PropertyCount p;
    if (!fields_.keys_are(value, kPropertyKeys)) return p;
    p.name = fields_.text(value, "name");
    const std::string expected = fields_.text(value, "expected");
    for (const Verdict verdict : {Verdict::violated, Verdict::unknown}) {
      if (name_of(verdict) == expected) p.expected = verdict;
    }
    for (const JsonValue& violated : fields_.list(value, "violated")) {
      const auto number = schema::read_integer(kCount, violated, fields_.decoding());
      p.violated.push_back(static_cast<std::uint64_t>(number.value_or(0)));
    }
    p.unknown = count(value, "unknown");
    p.exercised = count(value, "exercised");
    return p;
  }

  std::optional<Counterexample> counterexample(const JsonValue& value) {
    if (value.kind != JsonValue::Kind::object) return std::nullopt;
    if (!fields_.keys_are(value, kFoundKeys)) return std::nullopt;
    return Counterexample{count(value, "unit"), fields_.text(value, "property"),
                          fields_.text(value, "why"), fields_.text(value, "token")};
  }

  std::uint64_t count(const JsonValue& object, std::string_view key, std::int64_t least = 0) {
    return static_cast<std::uint64_t>(fields_.integer(object, key, {least, kCount.max}));
  }
  std::uint32_t small(const JsonValue& object, std::string_view key,
                      schema::IntegerRule rule = {0, UINT32_MAX}) {
    return static_cast<std::uint32_t>(fields_.integer(object, key, rule));
  }

  JsonFields fields_;
};

}  // namespace

bool is_certificate(std::string_view text) {
  return text.starts_with("{\n  \"schema\": " + json_quoted(kSchema));
}

std::string certificate_text(const Certificate& c) {
  std::string out = "{\n  \"schema\": " + json_quoted(kSchema);
  out += ",\n  \"verdict\": " + json_quoted(name_of(verdict_of(c)));
  out += ",\n  \"claim\": " + json_quoted(claim_of(c));
  out += ",\n  \"scenario\": " + json_quoted(c.scenario);
  out += ",\n  \"hash\": " + quoted_hex(c.scenario_hash);
  out += ",\n  \"set\": " + json_lines(c.set, json_quoted);
  out += ",\n  " + number("epoch", History::kModelEpoch);
  out += ",\n  \"faults\": " + json_quoted(c.faults);
  out += ",\n  \"bound\": " + bound_text(c.bound);
  out += ",\n  \"shard\": {" + number("number", c.shard.number) + ", " + number("of", c.shard.of) +
         "}";
  out += ",\n  \"units\": {" + number("done", c.units_done) + ", " + number("of", c.units) + "}";
  out += ",\n  " + number("schedules", c.schedules());
  out += ",\n  \"levels\": " + json_lines(c.levels, level_text);
  out += ",\n  \"properties\": " + json_lines(c.properties, property_text);
  out += ",\n  \"counterexample\": " + counterexample_text(c.counterexample);
  return with_check_sum(std::move(out));
}

CertificateResult parse_certificate(std::string_view text) {
  const JsonResult json = read_json(text);
  if (!json.root || json.root->kind != JsonValue::Kind::object) {
    return {std::nullopt, "this is no certificate"};
  }
  if (!check_sum_holds(text, *json.root)) {
    return {std::nullopt,
            "the certificate was changed since it was written: its check sum is of other bytes"};
  }
  const SourceText origin{"certificate", text};
  schema::Decoding d(origin);
  const Certificate certificate = Reader(d).read(*json.root);
  if (!d.ok() || !makes_sense(certificate)) {
    return {std::nullopt, "this is no certificate that this version can read"};
  }
  if (certificate_text(certificate) != text) {
    return {std::nullopt,
            "the certificate contradicts itself: its claim is not what its counts say"};
  }
  return {certificate, ""};
}

}  // namespace locklab
