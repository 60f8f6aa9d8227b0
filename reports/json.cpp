// JSON: records with their enumerations as words, and their numbers as they are.
// SPDX-License-Identifier: Apache-2.0
#include "reports/json.h"

#include <array>
#include <utility>

#include <nlohmann/json.hpp>

#include "reports/odds.h"
#include "reports/words.h"
#include "search/byte_codec.h"
#include "search/deviation_json.h"

namespace locklab {
namespace {

using Json = nlohmann::ordered_json;

/// Invalid UTF-8, which a key of a file may hold, becomes U+FFFD: the output is always JSON.
std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json flags_of(const Record& record) {
  constexpr std::array<std::pair<std::uint16_t, const char*>, 11> kFlags = {{
      {event_flags::kRejected, "rejected"},
      {event_flags::kWouldReject, "would-reject"},
      {event_flags::kOverwritten, "overwritten"},
      {event_flags::kReplica, "replica"},
      {event_flags::kChecked, "checked"},
      {event_flags::kByExpiry, "by-expiry"},
      {event_flags::kProbe, "probe"},
      {event_flags::kUnknownReply, "unknown-reply"},
      {event_flags::kResource, "resource"},
      {event_flags::kText, "text"},
      {event_flags::kRemoved, "removed"},
  }};
  Json flags = Json::array();
  for (const auto& [bit, name] : kFlags) {
    if (record.has(bit)) flags.push_back(name);
  }
  return flags;
}

void add_fault(Json& json, const Record& record) {
  const FaultValue fault = FaultValue::unpack(static_cast<std::uint64_t>(record.arg));
  json["fault"] = name_of(fault.kind);
  json["length_ns"] = record.result;
  json["size_ns"] = record.local;
}

void add_resource(Json& json, const Record& record) {
  json["op"] = name_of(static_cast<ResourceOp>(record.arg & 0xff));
  json["object"] = record.arg >> 8 & 0xff;
  json["version_before"] = record.result;
  json["sequence"] = record.nonce;
}

/// What `arg` and `result` mean for this kind, in words.
void add_meaning(Json& json, const History& history, const Record& record) {
  switch (record.kind) {
    case EventKind::op_begin:
      json["operation"] = name_of(static_cast<Operation>(record.arg));
      break;
    case EventKind::op_return:
      json["operation"] = name_of(static_cast<Operation>(record.arg));
      json["outcome"] = name_of(static_cast<Outcome>(record.result));
      break;
    case EventKind::section_leave:
      json["reason"] = name_of(static_cast<LeaveReason>(record.arg));
      break;
    case EventKind::sent:
    case EventKind::replied:
    case EventKind::timed_out:
    case EventKind::broken:
    case EventKind::refused:
      json["peer"] = actor_name(history, endpoint_of(record));
      break;
    case EventKind::applied:
      json["command"] = history.text(static_cast<std::uint32_t>(record.arg));
      json["reply"] = reply_of(history, record);
      break;
    case EventKind::resource_op:
      add_resource(json, record);
      break;
    case EventKind::fault_begin:
      add_fault(json, record);
      break;
    case EventKind::fault_end:
      json["fault"] = name_of(static_cast<FaultKind>(record.arg));
      break;
    case EventKind::killed:
      json["end"] = name_of(static_cast<EndKind>(record.arg));
      break;
    case EventKind::probe_blocked:
      json["fact"] = name_of(static_cast<BlockingFact>(record.arg));
      break;
    case EventKind::run_end:
      json["end"] = name_of(static_cast<EndReason>(record.arg));
      break;
    default:
      break;
  }
}

Json finding_json(const NamedFinding& named, const Expectation& expect) {
  Json json;
  json["property"] = named.property->name;
  json["verdict"] = name_of(named.finding.verdict);
  json["expected"] = name_of(expected_of(expect, named.property->name));
  json["exercised"] = named.finding.exercised;
  json["why"] = named.finding.why;
  json["witness"] = named.finding.witness;
  return json;
}

Json choice_json(const History& history, const Deviation& deviation) {
  const Address& address = deviation.address;
  Json json;
  json["kind"] = name_of(address.kind());
  json["actor"] = actor_name(history, address.actor());
  json["label"] = place_name(address);
  json["n"] = address.n();
  json["hold"] = hold_name(history, address.cause().hold());
  json["value"] = deviation.value;
  json["free"] = is_free_dimension(address.kind());
  json["text"] = deviation_sentence(history, deviation);
  return json;
}

Json suffixes_json(const Suffixes& suffixes) {
  Json json;
  json["drawn"] = suffixes.drawn;
  json["live"] = suffixes.live;
  json["blocked"] = suffixes.blocked;
  json["unknown"] = suffixes.unknown;
  return json;
}

void add_scenario(Json& json, const Scenario& scenario, const std::vector<std::string>& set) {
  json["scenario"] = scenario.name;
  json["source"] = scenario.source;
  json["scenario_hash"] = hex(scenario.hash, 16);
  json["model_epoch"] = History::kModelEpoch;
  json["set"] = set;
}

template <class Enum, class Counts>
Json counts_json(std::string_view key, const Counts& counts) {
  Json list = Json::array();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    Json row;
    row[std::string(key)] = name_of(static_cast<Enum>(i));
    row["runs"] = counts[i];
    list.push_back(row);
  }
  return list;
}

/// A label of "" is a time that the story sets.
Json struck_json(const StruckPoint& point, const StruckRuns& runs, const SearchResult& result) {
  Json json;
  json["label"] = name_of(point.label);
  json["fault"] = name_of(point.kind);
  json["runs"] = runs.runs;
  json["exercised_runs"] = Json::object();
  for (std::size_t i = 0; i < runs.tested.size(); ++i)
    json["exercised_runs"][std::string((*result.properties)[i].name)] = runs.tested[i];
  return json;
}

Json coverage_json(const SearchResult& result) {
  const Coverage& coverage = result.coverage;
  const CoverageSummary sum = summary_of(coverage, *result.scenario);
  Json json;
  json["points_reached"] = sum.points_reached;
  json["points_struck"] = sum.points_struck;
  json["kinds_possible"] = sum.kinds_possible;
  json["kinds_applied"] = sum.kinds_applied;
  json["distinct_schedules"] = coverage.schedules.count();
  json["distinct_is_exact"] = coverage.schedules.exact();
  json["reached"] = counts_json<Label>("label", coverage.reached);
  json["drawn"] = counts_json<FaultKind>("fault", coverage.drawn);
  json["struck"] = Json::array();
  for (const auto& [point, runs] : coverage.struck)
    json["struck"].push_back(struck_json(point, runs, result));
  json["never_reached"] = Json::array();
  for (const Label label : never_reached(coverage, *result.scenario))
    json["never_reached"].push_back(name_of(label));
  json["never_applied"] = Json::array();
  for (const FaultKind kind : never_applied(coverage, *result.scenario))
    json["never_applied"].push_back(name_of(kind));
  return json;
}

}  // namespace

std::string event_json(const RunView& run, const Record& record) {
  const History& history = *run.history;
  Json json;
  json["schema"] = "locklab.event/1";
  json["seq"] = record.seq;
  json["t_ns"] = record.t;
  json["cause"] = record.cause;
  json["actor"] = actor_name(history, record.who());
  json["kind"] = name_of(record.kind);
  json["label"] = name_of(record.label);
  // A resource operation's `nonce` is a sequence number, not a text.
  const bool has_nonce = record.nonce != 0 && record.kind != EventKind::resource_op;
  json["lock"] = history.text(record.lock);
  json["hold"] = hold_name(history, record.hold_id());
  json["nonce"] = has_nonce ? history.text(record.nonce) : std::string_view();
  json["fence"] = record.fence;
  json["epoch"] = record.epoch;
  json["flags"] = flags_of(record);
  add_meaning(json, history, record);
  json["arg"] = record.arg;
  json["result"] = record.result;
  json["local_ns"] = record.local;
  return line_of(json);
}

std::string events_json(const RunView& run) {
  std::string out;
  for (const Record& record : run.history->records())
    out += event_json(run, record);
  return out;
}

std::string run_json(const RunView& run, const RunStory& story) {
  Json json;
  json["schema"] = "locklab.run/1";
  add_scenario(json, *run.scenario, story.set);
  json["seed"] = story.seed ? Json(*story.seed) : Json(nullptr);
  json["token"] = run.token;
  json["command"] = run.replay;
  json["digest"] = hex(run.digest, 16);
  if (!story.replay.empty()) json["replay"] = story.replay;
  if (!story.diverged.empty()) json["diverged"] = story.diverged;
  json["end"] = name_of(run.end);
  json["records"] = run.history->records().size();
  json["steps"] = run.steps;
  json["findings"] = Json::array();
  for (const NamedFinding& named : run.findings) {
    json["findings"].push_back(finding_json(named, run.scenario->expect));
  }
  if (run.suffixes.drawn > 0) json["suffixes"] = suffixes_json(run.suffixes);
  json["choices"] = Json::array();
  for (const Deviation& deviation : run.choices) {
    json["choices"].push_back(choice_json(*run.history, deviation));
  }
  return line_of(json);
}

std::string check_json(const SearchResult& result, const CheckStory& story) {
  Json json;
  json["schema"] = "locklab.check/1";
  add_scenario(json, *result.scenario, story.set);
  json["verdict"] = name_of(verdict_of(result));
  json["exit_code"] = story.exit_code;
  json["strategy"] = story.strategy;
  json["first_seed"] = result.first_seed;
  json["runs"] = result.runs;
  json["complete"] = result.complete;
  json["exhausted"] = result.exhausted;
  json["interrupted"] = story.interrupted;
  json["steps"] = result.steps;
  const RunCount run_count = run_count_of(result);
  json["run_count"] = name_of(run_count);
  json["properties"] = Json::array();
  for (std::size_t i = 0; i < result.tallies.all().size(); ++i) {
    const Tally& tally = result.tallies.all()[i];
    Json row;
    row["property"] = tally.property->name;
    row["verdict"] = name_of(tally.verdict());
    row["expected"] = name_of(expected_of(result.scenario->expect, tally.property->name));
    row["violated_runs"] = tally.violated;
    row["unknown_runs"] = tally.unknown;
    row["exercised_runs"] = tally.exercised_runs;
    row["exercised"] = tally.exercised;
    const bool bounded = tally.violated + tally.unknown == 0 &&
                         !bound_of_none(tally.exercised_runs, run_count).empty();
    row["at_most_ppm"] = bounded ? Json(upper_bound_ppm(tally.exercised_runs)) : Json(nullptr);
    const std::optional<FoundRun>& first = result.first_violations[i];
    row["first_seed"] = first ? Json(first->seed) : Json(nullptr);
    json["properties"].push_back(row);
  }
  json["unmet_goals"] = unmet_goals(result);
  json["coverage"] = coverage_json(result);
  json["token"] = story.token;
  json["shrunk_token"] = story.shrunk_token;
  return line_of(json);
}

}  // namespace locklab
