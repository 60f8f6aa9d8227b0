// Trace file: written by hand, read by the checked reader of scenario files.
// SPDX-License-Identifier: Apache-2.0

#include "search/trace_file.h"

#include <array>
#include <utility>

#include <xxhash.h>

#include "scenarios/json_reader.h"
#include "scenarios/json_text.h"
#include "scenarios/value_reader.h"
#include "search/byte_codec.h"
#include "search/token.h"
#include "sim/history.h"

namespace locklab {
namespace {

using schema::Decoding;
using schema::IntegerRule;
using Kind = JsonValue::Kind;

constexpr std::int64_t kVersion = 1;
constexpr unsigned kDigits = 16;
/// A run of ten million steps has half a million checkpoints.
constexpr JsonLimits kLimits{std::size_t{32} << 20, 8, 1'000'000};
constexpr std::int64_t kMostRecords = 0x7fffffff;

constexpr std::array<std::string_view, 10> kKeys = {
    "trace",      "epoch",  "source",  "scenario",    "set",
    "deviations", "digest", "records", "checkpoints", "marks"};
/// A record's mark: the lower half of its hash.
constexpr unsigned kMarkDigits = 8;
/// Beyond it checkpoints must do.
constexpr std::size_t kMarksMost = 100'000;
constexpr std::array<std::string_view, 7> kDeviationKeys = {"span", "actor", "kind",   "label",
                                                            "n",    "value", "witness"};

std::string quoted_hex(std::uint64_t value) {
  return "\"" + hex(value, kDigits) + "\"";
}

constexpr std::string_view kDuePrefix = "due-";

std::optional<Label> due_named(std::string_view text) {
  for (unsigned type = 0; type < kDueCount; ++type) {
    const auto place = static_cast<Label>(kDue + type);
    if (text == place_name(Address::of({}, {}, ChoiceKind::defer, place, 1))) return place;
  }
  return std::nullopt;
}

std::string text_of(const Deviation& deviation) {
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

template <class List, class Text>
std::string lines(const List& list, Text text) {
  std::string out = "[";
  for (const auto& entry : list) {
    out += out.size() == 1 ? "\n    " : ",\n    ";
    out += text(entry);
  }
  return out + (list.empty() ? "]" : "\n  ]");
}

/// Reads the parts of one file; errors go to the decoding.
class Reader {
 public:
  explicit Reader(Decoding& d) : d_(d) {}

  TraceFile read(const JsonValue& root) {
    TraceFile trace;
    if (!keys_are(root, kKeys)) return trace;
    if (integer(root, "trace", {0, kMostRecords}) != kVersion) {
      error(root, "trace",
            "this is not version 1 of the trace file, the only one that can be read");
    }
    trace.model_epoch = static_cast<std::uint32_t>(integer(root, "epoch", {0, 0xffffffff}));
    trace.scenario_source = text(root, "source");
    read_scenario(root, trace);
    for (const JsonValue& entry : list(root, "set")) {
      if (expect_kind(Kind::text, entry, d_)) trace.set.push_back(entry.text);
    }
    read_deviations(root, trace);
    trace.digest = hash(at(root, "digest"));
    trace.records = static_cast<std::uint32_t>(integer(root, "records", {0, kMostRecords}));
    for (const JsonValue& entry : list(root, "checkpoints"))
      trace.checkpoints.push_back(hash(entry));
    read_marks(root, trace);
    if (trace.checkpoints.size() != trace.records / History::kCheckpointEvery) {
      error(root, "checkpoints",
            "there must be one checkpoint for every " + std::to_string(History::kCheckpointEvery) +
                " records");
    }
    return trace;
  }

 private:
  void read_scenario(const JsonValue& root, TraceFile& trace) {
    static constexpr std::array<std::string_view, 2> kScenarioKeys = {"hash", "text"};
    const JsonValue& scenario = at(root, "scenario");
    if (!keys_are(scenario, kScenarioKeys)) return;
    trace.scenario_hash = hash(at(scenario, "hash"));
    trace.scenario_text = text(scenario, "text");
  }

  void read_marks(const JsonValue& root, TraceFile& trace) {
    const std::string marks = text(root, "marks");
    if (marks.size() != kMarkDigits * std::min<std::size_t>(trace.records, kMarksMost)) {
      return error(root, "marks", "there must be 8 digits for each record");
    }
    for (std::size_t i = 0; i < marks.size(); i += kMarkDigits) {
      const auto mark = from_hex(std::string_view(marks).substr(i, kMarkDigits), kMarkDigits);
      if (!mark) return error(root, "marks", "expected digits of 0-9 and a-f");
      trace.marks.push_back(static_cast<std::uint32_t>(*mark));
    }
  }

  void read_deviations(const JsonValue& root, TraceFile& trace) {
    for (const JsonValue& entry : list(root, "deviations")) {
      const Deviation deviation = read_deviation(entry);
      if (!d_.ok()) return;
      if (deviation.value == 0) d_.error(entry, "the default value is no deviation");
      if (!trace.deviations.empty() && deviation.address <= trace.deviations.back().address) {
        d_.error(entry, "deviations stand in the order of their addresses, each once");
      }
      trace.deviations.push_back(deviation);
    }
  }

  Deviation read_deviation(const JsonValue& entry) {
    if (!keys_are(entry, kDeviationKeys)) return {};
    const std::vector<JsonValue>& parts = list(entry, "span");
    if (!d_.ok()) return {};
    if (parts.size() != 4) {
      error(entry, "span", "a span is [process, fiber, operation, attempt]");
      return {};
    }
    const auto part = [&](std::size_t i, std::int64_t max) {
      return read_integer({0, max}, parts[i], d_).value_or(0);
    };
    const Span span = Span::of_operation(ActorId{static_cast<std::uint16_t>(part(0, 0xffff))},
                                         static_cast<std::uint8_t>(part(1, 0xff)),
                                         static_cast<std::uint16_t>(part(2, 0xffff)),
                                         static_cast<std::uint16_t>(part(3, 0xffff)));
    const ActorId actor{static_cast<std::uint16_t>(integer(entry, "actor", {0, 0xffff}))};
    const auto n = static_cast<std::uint32_t>(integer(entry, "n", {0, 0xffffffff}));
    const ChoiceKind choice = kind(entry);
    return {Address::of(span, actor, choice, label(entry, choice), n), hash(at(entry, "value")),
            Witness{static_cast<std::uint32_t>(integer(entry, "witness", {0, 0xffffffff}))}};
  }

  ChoiceKind kind(const JsonValue& entry) {
    const JsonValue& value = at(entry, "kind");
    for (int i = 0; i < static_cast<int>(ChoiceKind::count); ++i) {
      const auto choice = static_cast<ChoiceKind>(i);
      if (value.kind == Kind::text && name_of(choice) == value.text) return choice;
    }
    d_.error(value, "no choice has this name");
    return ChoiceKind::defer;
  }

  Label label(const JsonValue& entry, ChoiceKind choice) {
    const JsonValue& value = at(entry, "label");
    const bool is_text = expect_kind(Kind::text, value, d_);
    const std::optional<Label> found =
        choice == ChoiceKind::defer ? due_named(value.text) : label_named(value.text);
    if (is_text && !found) d_.error(value, "no label has this name");
    return found.value_or(Label::none);
  }

  /// All of these keys and no others.
  bool keys_are(const JsonValue& object, std::span<const std::string_view> keys) {
    if (!expect_kind(Kind::object, object, d_)) return false;
    for (const JsonMember& member : object.members) {
      const bool known = std::find(keys.begin(), keys.end(), member.key) != keys.end();
      if (!known) unknown_key(member, keys, d_);
    }
    for (const std::string_view key : keys) {
      if (object.find(key) == nullptr) d_.error(object, "missing key " + quoted(key));
    }
    return d_.ok();
  }

  static const JsonValue& at(const JsonValue& object, std::string_view key) {
    return object.find(key)->value;
  }
  void error(const JsonValue& object, std::string_view key, std::string message) {
    d_.error(at(object, key), std::move(message));
  }
  std::int64_t integer(const JsonValue& object, std::string_view key, IntegerRule rule) {
    return read_integer(rule, at(object, key), d_).value_or(0);
  }
  std::string text(const JsonValue& object, std::string_view key) {
    return expect_kind(Kind::text, at(object, key), d_) ? at(object, key).text : std::string();
  }
  /// Empty after an error.
  const std::vector<JsonValue>& list(const JsonValue& object, std::string_view key) {
    expect_kind(Kind::array, at(object, key), d_);
    return at(object, key).elements;
  }
  std::uint64_t hash(const JsonValue& value) {
    const std::optional<std::uint64_t> got =
        value.kind == Kind::text ? from_hex(value.text, kDigits) : std::nullopt;
    if (!got) d_.error(value, "expected 16 digits of 0-9 and a-f in quotes");
    return got.value_or(0);
  }

  Decoding& d_;
};

TraceResult failed(LoadStatus status, Diagnostic error) {
  TraceResult result;
  result.status = status;
  result.errors.push_back(std::move(error));
  return result;
}

}  // namespace

std::string trace_text(const TraceFile& trace) {
  std::string out = "{\n  \"trace\": " + std::to_string(kVersion);
  out += ",\n  \"epoch\": " + std::to_string(trace.model_epoch);
  out += ",\n  \"source\": " + json_quoted(trace.scenario_source);
  out += ",\n  \"scenario\": {\"hash\": " + quoted_hex(trace.scenario_hash);
  out += ", \"text\": " + json_quoted(trace.scenario_text) + "}";
  out += ",\n  \"set\": " + lines(trace.set, json_quoted);
  out += ",\n  \"deviations\": " + lines(normalised(trace.deviations), text_of);
  out += ",\n  \"digest\": " + quoted_hex(trace.digest);
  out += ",\n  \"records\": " + std::to_string(trace.records);
  out += ",\n  \"checkpoints\": " + lines(trace.checkpoints, quoted_hex);
  std::string marks;
  for (const std::uint32_t mark : trace.marks)
    marks += hex(mark, kMarkDigits);
  out += ",\n  \"marks\": " + json_quoted(marks);
  return out + "\n}\n";
}

std::string place_name(const Address& address) {
  if (address.kind() != ChoiceKind::defer) return std::string(name_of(address.label()));
  return std::string(kDuePrefix) + std::to_string(static_cast<unsigned>(address.label()) - kDue);
}

std::vector<std::uint32_t> marks_of(const History& history) {
  std::vector<std::uint32_t> marks;
  for (const Record& record : history.records()) {
    if (marks.size() == kMarksMost) break;
    marks.push_back(static_cast<std::uint32_t>(XXH3_64bits(&record, sizeof(record))));
  }
  return marks;
}

std::uint64_t trace_name(std::string_view text) {
  return XXH3_64bits(text.data(), text.size());
}

TraceResult parse_trace(std::string_view text, std::string source) {
  const SourceText origin{std::move(source), text};
  JsonResult json = read_json(text, kLimits);
  if (!json.root) {
    return failed(LoadStatus::bad_data,
                  diagnostic_at({&origin, json.offset, json.length}, std::move(json.message),
                                std::move(json.hint)));
  }
  Decoding d(origin);
  TraceFile trace = Reader(d).read(*json.root);
  TraceResult result;
  result.errors = d.take_errors();
  if (result.errors.empty()) {
    result.trace = std::move(trace);
  } else {
    result.status = LoadStatus::bad_data;
  }
  return result;
}

TraceResult load_trace(const std::string& path, std::optional<std::uint64_t> name) {
  const FileText file = read_file(path, kLimits.bytes);
  if (!file.error.empty()) return failed(file.status, diagnostic_of(path, file.error));
  if (name && trace_name(file.text) != *name) {
    return failed(
        LoadStatus::bad_data,
        diagnostic_of(path, "was changed since it was written: its name is that of other bytes"));
  }
  return parse_trace(file.text, path);
}

DecodeResult scenario_of(const TraceFile& trace, const Vocabulary* vocabulary) {
  DecodeResult result = decode_scenario(trace.scenario_text, trace.scenario_source, vocabulary);
  if (!result.scenario) return result;
  result.errors = apply_set(*result.scenario, trace.set, vocabulary);
  if (result.errors.empty() && result.scenario->hash != trace.scenario_hash) {
    result.errors.push_back(diagnostic_of(trace.scenario_source,
                                          "is not the scenario that the trace was recorded with"));
  }
  if (!result.errors.empty()) result.scenario.reset();
  return result;
}

}  // namespace locklab
