// Trace file: written by hand, read by the checked reader of scenario files.
// SPDX-License-Identifier: Apache-2.0

#include "search/trace_file.h"

#include <array>
#include <utility>

#include <xxhash.h>

#include "scenarios/json_reader.h"
#include "scenarios/json_text.h"
#include "search/byte_codec.h"
#include "search/deviation_json.h"
#include "search/token.h"
#include "sim/history.h"

namespace locklab {
namespace {

using schema::Decoding;
using schema::IntegerRule;
using Kind = JsonValue::Kind;

constexpr std::int64_t kVersion = 1;
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

/// Reads the parts of one file; errors go to the decoding.
class Reader {
 public:
  explicit Reader(Decoding& d) : fields_(d) {}

  TraceFile read(const JsonValue& root) {
    TraceFile trace;
    if (!fields_.keys_are(root, kKeys)) return trace;
    if (fields_.integer(root, "trace", {0, kMostRecords}) != kVersion) {
      fields_.error(root, "trace",
                    "this is not version 1 of the trace file, the only one that can be read");
    }
    trace.model_epoch = static_cast<std::uint32_t>(fields_.integer(root, "epoch", {0, 0xffffffff}));
    trace.scenario_source = fields_.text(root, "source");
    read_scenario(root, trace);
    trace.set = fields_.texts(root, "set");
    trace.deviations = read_deviations(root, "deviations", fields_);
    trace.digest = fields_.hash(at(root, "digest"));
    trace.records = static_cast<std::uint32_t>(fields_.integer(root, "records", {0, kMostRecords}));
    for (const JsonValue& entry : fields_.list(root, "checkpoints"))
      trace.checkpoints.push_back(fields_.hash(entry));
    read_marks(root, trace);
    if (trace.checkpoints.size() != trace.records / History::kCheckpointEvery) {
      fields_.error(root, "checkpoints",
                    "there must be one checkpoint for every " +
                        std::to_string(History::kCheckpointEvery) + " records");
    }
    return trace;
  }

 private:
  static const JsonValue& at(const JsonValue& object, std::string_view key) {
    return JsonFields::at(object, key);
  }

  void read_scenario(const JsonValue& root, TraceFile& trace) {
    static constexpr std::array<std::string_view, 2> kScenarioKeys = {"hash", "text"};
    const JsonValue& scenario = at(root, "scenario");
    if (!fields_.keys_are(scenario, kScenarioKeys)) return;
    trace.scenario_hash = fields_.hash(at(scenario, "hash"));
    trace.scenario_text = fields_.text(scenario, "text");
  }

  void read_marks(const JsonValue& root, TraceFile& trace) {
    const std::string marks = fields_.text(root, "marks");
    if (marks.size() != kMarkDigits * std::min<std::size_t>(trace.records, kMarksMost)) {
      return fields_.error(root, "marks", "there must be 8 digits for each record");
    }
    for (std::size_t i = 0; i < marks.size(); i += kMarkDigits) {
      const auto mark = from_hex(std::string_view(marks).substr(i, kMarkDigits), kMarkDigits);
      if (!mark) return fields_.error(root, "marks", "expected digits of 0-9 and a-f");
      trace.marks.push_back(static_cast<std::uint32_t>(*mark));
    }
  }

  JsonFields fields_;
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
  out += ",\n  \"set\": " + json_lines(trace.set, json_quoted);
  out += ",\n  \"deviations\": " + json_lines(normalised(trace.deviations), deviation_json);
  out += ",\n  \"digest\": " + quoted_hex(trace.digest);
  out += ",\n  \"records\": " + std::to_string(trace.records);
  out += ",\n  \"checkpoints\": " + json_lines(trace.checkpoints, quoted_hex);
  std::string marks;
  for (const std::uint32_t mark : trace.marks)
    marks += hex(mark, kMarkDigits);
  out += ",\n  \"marks\": " + json_quoted(marks);
  return out + "\n}\n";
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
