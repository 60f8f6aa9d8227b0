// run: one schedule of one scenario, told.
// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <fmt/format.h>

#include "cli/lab.h"
#include "cli/record.h"
#include "cli/telling.h"
#include "cli/verbs.h"
#include "reports/json.h"
#include "sim/sources.h"

namespace locklab::cli {

ExitCode run(const Arguments& arguments, Console& console) {
  const LoadedScenario loaded = load_for(arguments.words[0], arguments.set);
  std::optional<OutputDirectory> directory;
  if (!arguments.out.empty()) directory.emplace(arguments.out);  // Before any work is done.
  Bench bench(loaded.scenario);
  const std::uint64_t seed = arguments.seed.value_or(1);
  SeededSource seeded(seed);
  ZeroSource calm;
  RunView view = bench.run(arguments.calm ? static_cast<ChoiceSource&>(calm) : seeded);
  if (!arguments.calm) view.token = seed_token(loaded.scenario, seed, view.digest);
  give_command(view, loaded);

  RunStory about{loaded.set, {}, {}, {}};
  if (!arguments.calm) about.seed = seed;
  const std::string result = run_json(view, about);
  if (arguments.json) {
    console.print(events_json(view) + result);
  } else {
    console.print(told(view, arguments.calm ? "calm" : fmt::format("seed {}", seed), arguments,
                       console.paper()));
  }
  if (directory) console.say(keep(*directory, view, loaded, result, arguments.report));
  return unexpected_violation(view.findings, loaded.scenario.expect) == nullptr ? kOk : kViolated;
}

}  // namespace locklab::cli
