// Found: picks by severity, shrinks under the eyes of the user.
// SPDX-License-Identifier: Apache-2.0
#include "cli/found.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/interrupt.h"
#include "cli/progress.h"
#include "reports/marks.h"

namespace locklab::cli {
namespace {

/// The violations of the run that its scenario does not expect.
std::vector<NamedFinding> unexpected_of(const FoundRun& run, const Expectation& expect) {
  std::vector<NamedFinding> findings;
  std::copy_if(run.findings.begin(), run.findings.end(), std::back_inserter(findings),
               [&expect](const NamedFinding& named) {
                 return named.finding.verdict == Verdict::violated &&
                        expected_of(expect, named.property->name) == Verdict::holds;
               });
  return findings;
}

}  // namespace

std::uint32_t counted(std::span<const Deviation> choices) {
  return static_cast<std::uint32_t>(std::count_if(
      choices.begin(), choices.end(),
      [](const Deviation& deviation) { return !is_free_dimension(deviation.address.kind()); }));
}

std::optional<Telling> worth_telling(const SearchResult& result) {
  if (result.unexpected) {
    const std::vector<NamedFinding> findings =
        unexpected_of(*result.unexpected, result.scenario->expect);
    return Telling{&*result.unexpected, headline_of(findings)->property->name};
  }
  std::vector<NamedFinding> firsts;
  for (std::size_t i = 0; i < result.first_violations.size(); ++i) {
    if (result.first_violations[i]) firsts.push_back(result.first_violations[i]->findings[i]);
  }
  const NamedFinding* const headline = headline_of(firsts, result.scenario->tell);
  if (headline == nullptr) return std::nullopt;
  for (std::size_t i = 0; i < result.first_violations.size(); ++i) {
    const std::optional<FoundRun>& run = result.first_violations[i];
    if (run && run->findings[i].property == headline->property) {
      return Telling{&*run, headline->property->name};
    }
  }
  return std::nullopt;
}

Shrunk shrink_found(const Scenario& scenario, const Telling& telling, std::uint32_t most_runs,
                    const Console& console) {
  Progress progress(console);
  ShrinkOptions options;
  options.budget = most_runs;
  options.progress = [&progress](const ShrinkProgress& p) {
    progress.update("shrinking runs", p.executions, p.budget,
                    fmt::format("{} deviation{} left", p.deviations, p.deviations == 1 ? "" : "s"));
  };
  options.cancelled = is_interrupted;
  const std::vector<Deviation>& choices = telling.run->choices;
  const ShrinkResult result = shrink(scenario, choices, telling.property, options);
  if (!result.reproduced)
    return {choices, counted(choices), counted(choices), result.executions, false};
  return {result.choices, result.deviations_before, result.deviations_after, result.executions,
          result.minimal};
}

}  // namespace locklab::cli
