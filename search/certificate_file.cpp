// Certificate file: written by hand; read, then written again and compared.
// SPDX-License-Identifier: Apache-2.0
#include "search/certificate_file.h"

#include <algorithm>

#include <xxhash.h>

#include "scenarios/json_reader.h"
#include "scenarios/json_text.h"
#include "search/byte_codec.h"
#include "search/json_fields.h"
#include "sim/history.h"

namespace locklab {
namespace {

constexpr unsigned kDigits = 16;
constexpr std::string_view kSchema = "locklab.certificate/1";
constexpr std::string_view kCheckKey = ",\n  \"check\": ";
constexpr std::size_t kLevelsMost = 64;

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

std::string check_of(std::string_view text) {
  return hex(XXH3_64bits(text.data(), text.size()), kDigits);
}

/// Reads what is there by name; anything amiss makes the result bad, and the comparison with the
/// text written anew finds all else.
class Reader {
 public:
  std::optional<Certificate> read(const JsonValue& root) {
    Certificate c;
    if (text(root, "schema") != kSchema) return std::nullopt;
    c.scenario = text(root, "scenario");
    c.scenario_hash = hash(text(root, "hash"));
    if (integer(root, "epoch") != History::kModelEpoch) return std::nullopt;
    for (const JsonValue& entry : list(root, "set"))
      c.set.push_back(entry.text);
    c.faults = text(root, "faults");
    c.bound = bound(at(root, "bound"));
    const JsonValue& shard = at(root, "shard");
    c.shard = {integer(shard, "number"), integer(shard, "of")};
    const JsonValue& units = at(root, "units");
    c.units_done = integer(units, "done");
    c.units = integer(units, "of");
    for (const JsonValue& entry : list(root, "levels"))
      c.levels.push_back(level(entry));
    for (const JsonValue& entry : list(root, "properties"))
      c.properties.push_back(property(entry));
    const JsonValue& found = at(root, "counterexample");
    if (found.kind == JsonValue::Kind::object) {
      c.counterexample = Counterexample{integer(found, "unit"), text(found, "property"),
                                        text(found, "why"), text(found, "token")};
    }
    if (bad_ || !makes_sense(c)) return std::nullopt;
    return c;
  }

 private:
  static bool makes_sense(const Certificate& c) {
    const std::size_t levels = std::size_t{deepest_level(c.bound)} + 1;
    const bool counts = c.levels.size() == levels && c.units_done <= c.units &&
                        c.shard.number >= 1 && c.shard.number <= c.shard.of;
    const bool steps = c.bound.steps > 0 && c.bound.phases.start > 0 && c.bound.phases.poll > 0 &&
                       c.bound.phases.work > 0;
    return counts && steps &&
           std::all_of(c.properties.begin(), c.properties.end(),
                       [levels](const PropertyCount& p) { return p.violated.size() == levels; });
  }

  Bound bound(const JsonValue& value) {
    Bound b;
    b.deviations = small(value, "deviations");
    b.faults = small(value, "faults");
    b.orders = small(value, "orders");
    b.steps = small(value, "steps");
    b.every_target = text(value, "targets") == "every";
    b.phases = {small(value, "start_phases"), small(value, "poll_phases"),
                small(value, "work_times")};
    if (b.deviations > kLevelsMost) bad_ = true;
    return b;
  }

  LevelCount level(const JsonValue& value) {
    const std::string sum = text(value, "sum");
    if (sum.size() != std::size_t{2} * kDigits) {
      bad_ = true;
      return {};
    }
    return {integer(value, "schedules"),
            integer(value, "impossible"),
            {hash(sum.substr(kDigits)), hash(sum.substr(0, kDigits))}};
  }

  PropertyCount property(const JsonValue& value) {
    PropertyCount p;
    p.name = text(value, "name");
    const std::string expected = text(value, "expected");
    for (const Verdict verdict : {Verdict::violated, Verdict::unknown}) {
      if (name_of(verdict) == expected) p.expected = verdict;
    }
    for (const JsonValue& count : list(value, "violated"))
      p.violated.push_back(static_cast<std::uint64_t>(count.integer));
    p.unknown = integer(value, "unknown");
    p.exercised = integer(value, "exercised");
    return p;
  }

  const JsonValue& at(const JsonValue& object, std::string_view key) {
    const JsonMember* const member = object.find(key);
    if (member != nullptr) return member->value;
    bad_ = true;
    return nothing_;
  }
  std::uint64_t integer(const JsonValue& object, std::string_view key) {
    const JsonValue& value = at(object, key);
    if (value.kind != JsonValue::Kind::integer || value.integer < 0) bad_ = true;
    return static_cast<std::uint64_t>(value.integer);
  }
  std::uint32_t small(const JsonValue& object, std::string_view key) {
    const std::uint64_t value = integer(object, key);
    if (value > UINT32_MAX) bad_ = true;
    return static_cast<std::uint32_t>(value);
  }
  std::string text(const JsonValue& object, std::string_view key) {
    const JsonValue& value = at(object, key);
    if (value.kind != JsonValue::Kind::text) bad_ = true;
    return value.text;
  }
  const std::vector<JsonValue>& list(const JsonValue& object, std::string_view key) {
    return at(object, key).elements;
  }
  std::uint64_t hash(const std::string& digits) {
    const std::optional<std::uint64_t> value = from_hex(digits, kDigits);
    if (!value) bad_ = true;
    return value.value_or(0);
  }

  const JsonValue nothing_{};
  bool bad_ = false;
};

}  // namespace

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
  return out + std::string(kCheckKey) + "\"" + check_of(out) + "\"\n}\n";
}

CertificateResult parse_certificate(std::string_view text) {
  const JsonResult json = read_json(text);
  if (!json.root || json.root->kind != JsonValue::Kind::object) {
    return {std::nullopt, "this is no certificate"};
  }
  const std::size_t check = text.rfind(kCheckKey);
  const JsonMember* const sum = json.root->find("check");
  const bool sound = check != std::string_view::npos && sum != nullptr &&
                     sum->value.text == check_of(text.substr(0, check));
  if (!sound) {
    return {std::nullopt,
            "the certificate was changed since it was written: its check sum is of other bytes"};
  }
  const std::optional<Certificate> certificate = Reader().read(*json.root);
  if (!certificate) return {std::nullopt, "this is no certificate that this version can read"};
  if (certificate_text(*certificate) != text) {
    return {std::nullopt,
            "the certificate contradicts itself: its claim is not what its counts say"};
  }
  return {*certificate, ""};
}

}  // namespace locklab
