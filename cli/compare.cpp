// compare: the deviations of one run under two scenarios.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "cli/failure.h"
#include "cli/interrupt.h"
#include "cli/subject.h"
#include "cli/verbs.h"
#include "reports/comparison.h"
#include "scenarios/loader.h"
#include "search/token.h"

namespace locklab::cli {
namespace {

/// Which words are what: a token of a scenario that is not embedded is followed by its file.
struct Words {
  std::string subject;
  std::string file;
  std::string other;  // Empty: the same scenario, with other settings.
};

bool is_embedded(const std::string& name) {
  const std::vector<std::string> names = embedded_scenario_names();
  return std::binary_search(names.begin(), names.end(), name);
}

Words words_of(const Arguments& arguments) {
  const std::vector<std::string>& words = arguments.words;
  Words result{words[0], {}, {}};
  std::size_t next = 1;
  if (is_token(words[0])) {
    const TokenResult parsed = parse_token(words[0]);
    const bool needs_file = parsed.error.empty() && !is_embedded(parsed.token.scenario);
    if (needs_file && words.size() > next) result.file = words[next++];
  }
  if (words.size() > next) result.other = words[next++];
  if (words.size() > next) {
    throw Failure(kUsage, fmt::format("compare takes no word {}", locklab::quoted(words[next])));
  }
  return result;
}

/// "--with redlock" is said of each client.
std::vector<std::string> settings_of(const Scenario& scenario, const Arguments& arguments) {
  std::vector<std::string> set = arguments.base;
  for (std::size_t i = 0; i < scenario.clients.size() && !arguments.with.empty(); ++i)
    set.push_back(fmt::format("clients.{}.algorithm={}", i, arguments.with));
  set.insert(set.end(), arguments.set.begin(), arguments.set.end());
  return set;
}

LoadedScenario other_scenario(const Subject& subject, const std::string& word,
                              const Arguments& arguments) {
  if (word.empty() && arguments.set.empty() && arguments.with.empty()) {
    throw Failure(kUsage, "compare needs something to compare with: a scenario, --set or --with");
  }
  if (!word.empty()) {
    const LoadedScenario plain = load_for(word, {});
    return load_for(word, settings_of(plain.scenario, arguments));
  }
  const Scenario& scenario = subject.loaded.scenario;
  return load_for(word_for(scenario), settings_of(scenario, arguments));
}

std::string name_for(const LoadedScenario& loaded) {
  std::string name = loaded.scenario.name;
  for (const std::string& assignment : loaded.set)
    name += " --set " + assignment;
  return name;
}

}  // namespace

ExitCode compare(const Arguments& arguments, Console& console) {
  const Words words = words_of(arguments);
  const Subject subject = subject_of({.word = words.subject,
                                      .file = words.file,
                                      .set = arguments.base,
                                      .property = arguments.property,
                                      .must_fail = !arguments.property.empty(),
                                      .shrinks = arguments.shrink},
                                     arguments, console);
  const LoadedScenario other = other_scenario(subject, words.other, arguments);
  Bench bench_a(subject.loaded.scenario);
  Bench bench_b(other.scenario);
  Comparison compared;
  compared.fit = fit(other.scenario, subject.choices);
  compared.a = bench_a.replay(subject.choices);
  compared.b = bench_b.replay(compared.fit.choices);
  compared.name_a = name_for(subject.loaded) + (subject.told.empty() ? "" : ": " + subject.told);
  compared.name_b = name_for(other) + ": the same choices";
  compared.part = first_difference(*compared.a.history, *compared.b.history);
  compared.first_seed = arguments.first_seed;
  compared.last_seed = arguments.last_seed;
  compared.quadrants_a =
      quadrants(subject.loaded.scenario, arguments.first_seed, arguments.last_seed, is_interrupted);
  compared.quadrants_b =
      quadrants(other.scenario, arguments.first_seed, arguments.last_seed, is_interrupted);
  give_command(compared.a, subject.loaded);
  give_command(compared.b, other);
  console.print(arguments.json ? comparison_json(compared) : comparison(compared, console.paper()));
  return is_interrupted() ? kInterrupted : kOk;
}

}  // namespace locklab::cli
