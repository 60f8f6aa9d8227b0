// Corpus entry: its file, written and read.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <xxhash.h>

#include "scenarios/json_text.h"
#include "search/byte_codec.h"
#include "search/corpus.h"
#include "search/deviation_json.h"
#include "search/json_fields.h"
#include "search/token.h"

namespace locklab {
namespace {

constexpr std::int64_t kVersion = 1;
constexpr JsonLimits kLimits{kEntryBytes, 8, 100'000};
constexpr unsigned kNameDigits = 8;

constexpr std::array<std::string_view, 9> kKeys = {
    "corpus", "status", "failure", "scenario", "epoch", "digest", "token", "deviations", "story"};
constexpr std::array<std::string_view, 4> kFailureKeys = {"property", "first", "detail", "summary"};
constexpr std::array<std::string_view, 3> kScenarioKeys = {"source", "set", "hash"};

class Reader {
 public:
  explicit Reader(schema::Decoding& d) : fields_(d) {}

  CorpusEntry read(const JsonValue& root) {
    CorpusEntry entry;
    if (!fields_.keys_are(root, kKeys)) return entry;
    if (fields_.integer(root, "corpus", {0, 0x7fffffff}) != kVersion) {
      fields_.error(root, "corpus",
                    "this is not version 1 of a corpus entry, the only one that can be read");
    }
    entry.status = status(root);
    read_failure(JsonFields::at(root, "failure"), entry);
    read_scenario(JsonFields::at(root, "scenario"), entry);
    entry.model_epoch = static_cast<std::uint32_t>(fields_.integer(root, "epoch", {0, 0xffffffff}));
    entry.digest = fields_.hash(JsonFields::at(root, "digest"));
    entry.token = fields_.text(root, "token");
    if (!entry.token.empty()) {
      const TokenResult token = parse_token(entry.token);
      if (!token.error.empty()) fields_.error(root, "token", "is no token: " + token.error);
    }
    entry.deviations = read_deviations(root, "deviations", fields_);
    entry.story = fields_.texts(root, "story");
    return entry;
  }

 private:
  EntryStatus status(const JsonValue& root) {
    const std::string text = fields_.text(root, "status");
    for (const EntryStatus status : kEntryStatuses) {
      if (text == name_of(status)) return status;
    }
    fields_.error(root, "status", "a status is open, fixed or expected");
    return EntryStatus::open;
  }

  void read_failure(const JsonValue& failure, CorpusEntry& entry) {
    if (!fields_.keys_are(failure, kFailureKeys)) return;
    entry.property = fields_.text(failure, "property");
    const std::string first = fields_.text(failure, "first");
    bool known = false;
    for (unsigned i = 0; i < static_cast<unsigned>(EventKind::count); ++i) {
      const auto kind = static_cast<EventKind>(i);
      if (name_of(kind) != first) continue;
      entry.first_wrong = kind;
      known = true;
    }
    if (!known) fields_.error(failure, "first", "no event has this name");
    entry.detail = fields_.integer(failure, "detail", {-0x7fffffff, 0x7fffffff});
    entry.summary = fields_.text(failure, "summary");
  }

  void read_scenario(const JsonValue& scenario, CorpusEntry& entry) {
    if (!fields_.keys_are(scenario, kScenarioKeys)) return;
    entry.scenario = fields_.text(scenario, "source");
    entry.set = fields_.texts(scenario, "set");
    entry.scenario_hash = fields_.hash(JsonFields::at(scenario, "hash"));
  }

  JsonFields fields_;
};

}  // namespace

std::string_view name_of(EntryStatus status) {
  switch (status) {
    case EntryStatus::open:
      return "open";
    case EntryStatus::fixed:
      return "fixed";
    case EntryStatus::expected:
      return "expected";
  }
  return "";
}

bool shows(const CorpusEntry& entry, const Signature& signature) {
  return entry.property == signature.property && entry.first_wrong == signature.first_wrong &&
         entry.detail == signature.detail;
}

std::string entry_text(const CorpusEntry& entry) {
  std::string out = "{\n  \"corpus\": " + std::to_string(kVersion);
  out += ",\n  \"status\": " + json_quoted(name_of(entry.status));
  out += ",\n  \"failure\": {\"property\": " + json_quoted(entry.property);
  out += ", \"first\": " + json_quoted(name_of(entry.first_wrong));
  out += ", \"detail\": " + std::to_string(entry.detail);
  out += ",\n    \"summary\": " + json_quoted(entry.summary) + "}";
  out += ",\n  \"scenario\": {\"source\": " + json_quoted(entry.scenario);
  out += ", \"set\": [";
  for (std::size_t i = 0; i < entry.set.size(); ++i)
    out += (i == 0 ? "" : ", ") + json_quoted(entry.set[i]);
  out += "], \"hash\": " + quoted_hex(entry.scenario_hash) + "}";
  out += ",\n  \"epoch\": " + std::to_string(entry.model_epoch);
  out += ",\n  \"digest\": " + quoted_hex(entry.digest);
  out += ",\n  \"token\": " + json_quoted(entry.token);
  out += ",\n  \"deviations\": " + json_lines(normalised(entry.deviations), deviation_json);
  out += ",\n  \"story\": " + json_lines(entry.story, json_quoted);
  return out + "\n}\n";
}

std::string entry_name(const CorpusEntry& entry) {
  std::string what = entry.scenario + "\n" + entry.summary + "\n" + std::to_string(entry.detail);
  for (const std::string& assignment : entry.set)
    what += "\n" + assignment;
  return hex(XXH3_64bits(what.data(), what.size()) >> 32, kNameDigits);
}

EntryResult parse_entry(std::string_view text, std::string source) {
  const SourceText origin{std::move(source), text};
  EntryResult result;
  JsonResult json = read_json(text, kLimits);
  if (!json.root) {
    result.errors.push_back(diagnostic_at({&origin, json.offset, json.length},
                                          std::move(json.message), std::move(json.hint)));
    return result;
  }
  schema::Decoding d(origin);
  CorpusEntry entry = Reader(d).read(*json.root);
  result.errors = d.take_errors();
  if (result.errors.empty()) result.entry = std::move(entry);
  return result;
}

}  // namespace locklab
