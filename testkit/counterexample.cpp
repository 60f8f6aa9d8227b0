// Counterexample: runs it again, shrinks it, and puts what a failing check prints into a text.
// SPDX-License-Identifier: Apache-2.0
#include "testkit/counterexample.h"

#include <exception>
#include <utility>

#include "reports/bench.h"
#include "reports/story.h"
#include "search/byte_codec.h"
#include "search/compare.h"
#include "search/shrink.h"
#include "sim/sources.h"
#include "testkit/running.h"

namespace locklab::testkit {
namespace {

std::string event_at(const History& history, std::uint32_t seq) {
  if (seq > history.records().size()) return "the end of the run";
  const Record& record = history.at(seq);
  return std::string(name_of(record.kind)) + " of " + history.actors[record.actor].name + " at " +
         to_string(record.at());
}

std::string plural(std::uint64_t count, std::string_view what) {
  return std::to_string(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

}  // namespace

std::string unrepeatable(const Setting& setting, std::uint64_t seed,
                         std::optional<std::uint64_t> digest) {
  const Laboratory laboratory = setting.laboratory_of(nullptr);
  Runner first(laboratory.find, laboratory.scripts);
  Runner second(laboratory.find, laboratory.scripts);
  SeededSource source(seed);
  const auto run = [&](Runner& runner) -> const Execution& {
    try {
      return runner.run(setting.scenario, source);
    } catch (const std::exception& failure) {
      throw RunFailed(seed, failure.what());
    }
  };
  const Execution& a = run(first);
  const Execution& b = run(second);
  const std::string seed_text = "seed " + std::to_string(seed);
  const std::string why =
      "Code under test must take time, randomness and threads from its client alone.";
  if (a.digest != b.digest) {
    const std::uint32_t at = first_difference(*a.history, *b.history);
    return "not repeatable: " + seed_text + ", run twice, gives two runs. They part at event " +
           std::to_string(at) + ": " + event_at(*a.history, at) + ", or " +
           event_at(*b.history, at) + ". " + why;
  }
  if (digest && *digest != a.digest) {
    return "not repeatable: " + seed_text + " gives another run when other runs come before it. " +
           "Something outlives a run: a static, or a member of the lock that begin() leaves as it "
           "was. " +
           why;
  }
  return {};
}

Scenario about(const Setting& setting, PropertyMaker property) {
  Scenario scenario = setting.scenario;
  scenario.expect.clear();
  const std::string_view asked = property().name;
  for (const Property& other : setting.laboratory_of_all(property).properties) {
    if (other.name != asked) scenario.expect.emplace(other.name, Verdict::violated);
  }
  return scenario;
}

std::string told_run(const RunView& view) {
  const Paper paper;
  return short_story(view, paper) + "\n" + reasons(view, paper, Reasons::headline) +
         replay_line(view, paper);
}

Told told(const Counterexample& example) {
  const Scenario scenario = about(*example.setting, example.property);
  const Laboratory laboratory = example.setting->laboratory_of_all(example.property);
  Told result{{}, example.token};
  std::vector<Deviation> choices = example.choices;
  if (example.seed) {
    const ShrinkResult shrunk =
        shrink(scenario, example.choices, example.property().name, {}, laboratory);
    if (shrunk.reproduced) {
      choices = shrunk.choices;
      result.text = "shrunk from " + std::to_string(shrunk.deviations_before) + " to " +
                    plural(shrunk.deviations_after, "deviation") + " in " +
                    plural(shrunk.executions, "run") +
                    (shrunk.minimal ? "" : ", not yet the smallest") + "\n";
    } else {
      result.text = "its choices alone do not fail again: told as it was found\n";
    }
  }
  Bench bench(scenario, laboratory);
  RunView view = bench.replay(choices);
  if (example.seed) {
    const std::optional<std::string> token = choice_token(scenario, view.choices, view.digest);
    if (token) result.token = *token;
  }
  view.token = result.token;
  view.replay = replay_command(result.token);
  result.text += "\n" + told_run(view);
  return result;
}

}  // namespace locklab::testkit
