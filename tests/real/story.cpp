// Story: choosing a run, playing it in both worlds, judging both.
// SPDX-License-Identifier: Apache-2.0
#include "tests/real/story.h"

#include <algorithm>
#include <fstream>
#include <string>

#include <nlohmann/json.hpp>

#include "reports/marks.h"
#include "reports/words.h"
#include "search/token.h"
#include "sim/sources.h"

namespace locklab::real {
namespace {

Token token_of(const Scenario& scenario, std::uint64_t digest) {
  Token token;
  token.scenario = scenario.name;
  token.scenario_hash = shown_bits(scenario.hash);
  token.digest = shown_bits(digest);
  return token;
}

Choice replayed(const Scenario& scenario, const std::vector<Deviation>& choices) {
  Runner runner;
  ReplaySource source;
  source.load(choices);
  const Execution& execution = runner.run(scenario, source);
  Choice choice{{execution.choices.begin(), execution.choices.end()}, execution.digest, {}};
  Token token = token_of(scenario, execution.digest);
  token.body = ChoiceBody{History::kModelEpoch, normalised(choice.choices)};
  choice.token = to_string(token);
  return choice;
}

std::vector<std::string> faults_in(const History& history) {
  std::vector<std::string> sentences;
  for (const Record& record : history.records()) {
    if (record.kind != EventKind::fault_begin) continue;
    FaultAmounts amounts;
    amounts.kind = FaultValue::unpack(static_cast<std::uint64_t>(record.arg)).kind;
    amounts.target = actor_name(history, record.who());
    if (record.fence != 0) {
      amounts.peer = actor_name(history, ActorId{static_cast<std::uint16_t>(record.fence)});
    }
    amounts.length = duration_from_bits(record.result);
    amounts.size = duration_from_bits(record.local);
    if (record.seq < history.records().size() &&
        history.at(record.seq + 1).kind == EventKind::killed) {
      amounts.end = static_cast<EndKind>(history.at(record.seq + 1).arg);
    }
    const std::string_view label = name_of(record.label);
    sentences.push_back(fault_sentence(amounts) +
                        (label.empty() ? "" : ", at " + std::string(label)));
  }
  return sentences;
}

}  // namespace

Choice seeded_run(const Scenario& scenario, std::uint64_t seed) {
  Runner runner;
  SeededSource source(seed);
  const Execution& execution = runner.run(scenario, source);
  Choice choice{{execution.choices.begin(), execution.choices.end()}, execution.digest, {}};
  Token token = token_of(scenario, execution.digest);
  token.body = SeedBody{seed, {}};
  choice.token = to_string(token);
  return choice;
}

Choice published_run(const Scenario& scenario) {
  const std::string path = LOCKLAB_SOURCE_DIR "/reports/published/" + scenario.name + ".json";
  std::ifstream file(path);
  const auto json = nlohmann::json::parse(file, nullptr, false);
  if (!json.contains("token")) throw Trouble(path + " names no run");
  const TokenResult read = parse_token(json["token"].get<std::string>());
  if (read.token.scenario_hash != shown_bits(scenario.hash)) {
    throw Trouble(path +
                  " is older than its story: build/dev/bin/locklab publish reports/published");
  }
  if (const auto* seed = std::get_if<SeedBody>(&read.token.body)) {
    return seeded_run(scenario, seed->seed);
  }
  return replayed(scenario, std::get<ChoiceBody>(read.token.body).deviations);
}

bool Comparison::agrees() const {
  return walk.ends_well() && std::all_of(verdicts.begin(), verdicts.end(),
                                         [](const VerdictPair& pair) { return pair.agrees(); });
}

std::vector<std::string> Comparison::violated() const {
  std::vector<std::string> names;
  for (const VerdictPair& pair : verdicts) {
    if (pair.real == Verdict::violated) names.push_back(pair.property);
  }
  return names;
}

Comparison compare(const Scenario& scenario, const Choice& choice, const DriverOptions& options) {
  Runner runner;
  ReplaySource source;
  source.load(choice.choices);
  const Execution& execution = runner.run(scenario, source);
  if (execution.digest != choice.digest) throw Trouble("the run is not repeated by its choices");

  Comparison comparison;
  comparison.story = scenario.name;
  comparison.token = choice.token;
  comparison.faults = faults_in(*execution.history);
  comparison.walk = Driver(execution, options).run();
  if (!comparison.walk.ends_well()) return comparison;

  Judge simulated(judged_properties(scenario, Laboratory{}));
  Judge real(judged_properties(scenario, Laboratory{}));
  simulated.judge(*execution.history);
  real.judge(comparison.walk.history);
  for (std::size_t i = 0; i < simulated.findings().size(); ++i) {
    const Finding& ours = simulated.findings()[i].finding;
    const Finding& theirs = real.findings()[i].finding;
    comparison.verdicts.push_back({std::string(simulated.findings()[i].property->name),
                                   ours.verdict, theirs.verdict, ours.why, theirs.why});
  }
  return comparison;
}

}  // namespace locklab::real
