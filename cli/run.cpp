// run: one schedule of one scenario, told.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "cli/lab.h"
#include "cli/record.h"
#include "cli/telling.h"
#include "cli/verbs.h"
#include "reports/json.h"
#include "sim/sources.h"

namespace locklab::cli {
namespace {

/// As check's, of one run; what should be violated need not be in each.
ExitCode code_of(const RunView& view, const Expectation& expect) {
  if (unexpected_violation(view.findings, expect) != nullptr) return kViolated;
  const bool undecided =
      std::any_of(view.findings.begin(), view.findings.end(), [&expect](const NamedFinding& f) {
        return f.finding.verdict == Verdict::unknown &&
               expected_of(expect, f.property->name) == Verdict::holds;
      });
  return undecided ? kInconclusive : kOk;
}

}  // namespace

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
  return code_of(view, loaded.scenario.expect);
}

}  // namespace locklab::cli
