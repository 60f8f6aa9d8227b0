// Check shard, written: JSON, one text for each shard, closed by a check sum.
// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "scenarios/json_text.h"
#include "search/byte_codec.h"
#include "search/check_shard.h"
#include "search/checked_text.h"
#include "search/deviation_json.h"
#include "search/json_fields.h"
#include "sim/history.h"

namespace locklab {
namespace {

std::string number(std::string_view key, std::uint64_t value) {
  return "\"" + std::string(key) + "\": " + std::to_string(value);
}

std::string word(std::string_view key, std::string_view value) {
  return "\"" + std::string(key) + "\": " + json_quoted(value);
}

std::string truth(bool value) {
  return value ? "true" : "false";
}

std::string seed_or_null(std::string_view key, const std::optional<std::uint64_t>& seed) {
  return seed ? number(key, *seed) : "\"" + std::string(key) + "\": null";
}

/// A list on one line.
template <class List, class Text>
std::string listed(const List& list, Text text) {
  std::string out = "[";
  for (const auto& entry : list)
    out += (out.size() == 1 ? "" : ", ") + text(entry);
  return out + "]";
}

std::string scenario_text(const SavedScenario& scenario) {
  return "{" + word("source", scenario.source) + ", \"hash\": " + quoted_hex(scenario.hash) +
         ", \"set\": " + listed(scenario.set, json_quoted) + ", " + word("text", scenario.text) +
         "}";
}

std::string tally_text(const SavedTally& t) {
  return "{" + word("name", t.property) + ", " + number("violated", t.violated) + ", " +
         number("unknown", t.unknown) + ", " + number("exercised_runs", t.exercised_runs) + ", " +
         number("exercised", t.exercised) + ", " + seed_or_null("first", t.first) + "}";
}

std::string run_text(const SavedRun& run) {
  return "{" + number("seed", run.seed) + ", \"digest\": " + quoted_hex(run.digest) +
         ", \"deviations\": " + json_lines(run.choices, deviation_json) + "}";
}

/// How many runs there are of each enumerator that has any.
template <class Enum, class Counts>
std::string counts_text(std::string_view key, const Counts& counts) {
  std::string out = "[";
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    out += (out.size() == 1 ? "{" : ", {") + word(key, name_of(static_cast<Enum>(i))) + ", " +
           number("runs", counts[i]) + "}";
  }
  return out + "]";
}

std::string struck_text(const std::pair<const StruckPoint, StruckRuns>& struck) {
  const auto& [point, runs] = struck;
  return "{" + word("label", name_of(point.label)) + ", " + word("fault", name_of(point.kind)) +
         ", " + number("runs", runs.runs) + ", \"tested\": " +
         listed(runs.tested, [](std::uint64_t count) { return std::to_string(count); }) + "}";
}

/// The differences between one value and the next, which take less room than the values.
std::string schedules_text(const Distinct& schedules) {
  if (!schedules.exact()) return "null";
  Bytes bytes;
  std::uint64_t before = 0;
  for (const std::uint64_t value : schedules.sorted()) {
    put_varint(bytes, value - before);
    before = value;
  }
  return "\"" + base64url(bytes) + "\"";
}

std::string coverage_text(const Coverage& coverage) {
  return "{\"reached\": " + counts_text<Label>("label", coverage.reached) +
         ",\n    \"drawn\": " + counts_text<FaultKind>("fault", coverage.drawn) +
         ",\n    \"struck\": " + json_lines(coverage.struck, struck_text) +
         ",\n    \"schedules\": " + schedules_text(coverage.schedules) + "}";
}

std::string search_text(const SavedSearch& search) {
  std::string out = "{\"scenario\": " + scenario_text(search.scenario);
  out += ",\n    \"seeds\": {" + number("first", search.seeds.first) + ", " +
         number("last", search.seeds.last) + "}";
  out += ",\n    " + word("strategy", search.strategy);
  out += ",\n    \"done\": {" + number("runs", search.runs) + ", " + number("steps", search.steps) +
         ", \"complete\": " + truth(search.complete) +
         ", \"exhausted\": " + truth(search.exhausted) + ", \"sampled\": " + truth(search.sampled) +
         "}";
  out += ",\n    \"properties\": " + json_lines(search.tallies, tally_text);
  out += ",\n    " + seed_or_null("unexpected", search.unexpected);
  out += ",\n    \"events\": " + counts_text<EventKind>("kind", search.runs_with);
  out += ",\n    \"found\": " + json_lines(search.found, run_text);
  out += ",\n    \"coverage\": " + coverage_text(search.coverage);
  return out + "}";
}

}  // namespace

bool is_check_shard(std::string_view text) {
  return text.starts_with("{\n  " + word("schema", kCheckShardSchema));
}

std::string check_shard_text(const CheckShard& shard) {
  std::string out = "{\n  " + word("schema", kCheckShardSchema);
  out += ",\n  " + number("epoch", History::kModelEpoch);
  out += ",\n  \"shard\": {" + number("number", shard.shard.number) + ", " +
         number("of", shard.shard.of) + "}";
  out += ",\n  \"searches\": " + json_lines(shard.searches, search_text);
  return with_check_sum(std::move(out));
}

}  // namespace locklab
