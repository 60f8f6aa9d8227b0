// Bench: one runner, one judge, and what names their runs.
// SPDX-License-Identifier: Apache-2.0
#include "reports/bench.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "search/strategies/catalogue.h"
#include "search/token.h"
#include "sim/sources.h"

namespace locklab {
namespace {

Token token_for(const Scenario& scenario, std::uint64_t digest) {
  Token token;
  token.scenario = scenario.name;
  token.scenario_hash = shown_bits(scenario.hash);
  token.digest = shown_bits(digest);
  return token;
}

}  // namespace

Bench::Bench(const Scenario& scenario, const Laboratory& laboratory)
    : scenario_(scenario),
      laboratory_(laboratory),
      runner_(laboratory.find, laboratory.scripts),
      judge_(judged_properties(scenario, laboratory)) {}

RunView Bench::run(ChoiceSource& source) {
  const Execution& execution = runner_.run(scenario_, source);
  execution_ = &execution;
  const std::span<const NamedFinding> findings = judge_.judge(*execution.history);
  RunView view = view_of(execution, judge_);
  const bool asks = std::any_of(findings.begin(), findings.end(), [](const NamedFinding& named) {
    return named.property->name == "eventual-release" && named.finding.verdict != Verdict::holds;
  });
  if (asks) view.suffixes = suffixes_of(scenario_, execution.choices, kSuffixes, laboratory_);
  return view;
}

RunView Bench::replay(std::span<const Deviation> choices) {
  ReplaySource source;
  source.load(choices);
  return run(source);
}

std::string seed_token(const Scenario& scenario, std::uint64_t seed, std::uint64_t digest) {
  Token token = token_for(scenario, digest);
  token.body = SeedBody{seed, {}};
  return to_string(token);
}

std::string found_token(const Scenario& scenario, const FoundRun& run, std::string_view strategy) {
  if (strategy == kSwarm) return seed_token(scenario, run.seed, run.digest);
  if (auto token = choice_token(scenario, run.choices, run.digest)) return *std::move(token);
  // What mutation changes fits into a token; what does not is a fresh draw of the swarm.
  const StrategyInfo* const info = find_strategy(strategy);
  const bool by_number = info != nullptr && info->by_number;
  Token token = token_for(scenario, run.digest);
  token.body = SeedBody{run.seed, by_number ? std::string(strategy) : std::string()};
  return to_string(token);
}

std::optional<std::string> choice_token(const Scenario& scenario,
                                        std::span<const Deviation> choices, std::uint64_t digest) {
  std::vector<Deviation> deviations = normalised({choices.begin(), choices.end()});
  if (deviations.size() > kTokenDeviations) return std::nullopt;
  Token token = token_for(scenario, digest);
  token.body = ChoiceBody{History::kModelEpoch, std::move(deviations)};
  return to_string(token);
}

}  // namespace locklab
