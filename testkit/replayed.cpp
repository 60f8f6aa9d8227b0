// Replayed: checks a token against the world before it is run, and the digest after.
// SPDX-License-Identifier: Apache-2.0
#include "testkit/replayed.h"

#include "search/byte_codec.h"
#include "search/replay.h"
#include "sim/sources.h"

namespace locklab::testkit {

std::string unfit(const Token& token, const Setting& setting) {
  const Scenario& scenario = setting.scenario;
  if (std::holds_alternative<TraceBody>(token.body))
    return "the token names a trace file; only the program reads those";
  if (token.scenario != scenario.name)
    return "the token is of " + token.scenario + ", and this world is " + scenario.name;
  const std::uint32_t hash = shown_bits(scenario.hash);
  if (token.scenario_hash != hash) {
    return "the token is of another " + scenario.name + ": its hash is " +
           hex(token.scenario_hash, 8) + ", this world's " + hex(hash, 8) + "; edited since?";
  }
  if (const auto* const seeded = std::get_if<SeedBody>(&token.body);
      seeded != nullptr && !seeded->strategy.empty()) {
    return "a test repeats seeds and lists of choices, and no number of a strategy; locklab shrink "
           "gives such a list";
  }
  const auto* const list = std::get_if<ChoiceBody>(&token.body);
  if (list != nullptr && list->model_epoch != History::kModelEpoch) {
    return "the token was recorded with model epoch " + std::to_string(list->model_epoch) +
           ", this is epoch " + std::to_string(History::kModelEpoch) +
           ": the same choices may give another run";
  }
  return {};
}

std::string run_again(const Token& token, Bench& bench, RunView& view) {
  const Recorded recorded = recorded_in(token);
  SeededSource seeded(recorded.seed.value_or(0));
  ReplaySource listed;
  listed.load(recorded.deviations);
  view = bench.run(recorded.seed ? static_cast<ChoiceSource&>(seeded)
                                 : static_cast<ChoiceSource&>(listed));
  const std::optional<Divergence> divergence = divergence_of(bench.execution(), recorded);
  return divergence ? "diverged: " + divergence->text : "";
}

}  // namespace locklab::testkit
