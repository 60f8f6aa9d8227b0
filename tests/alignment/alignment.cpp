// Alignment: replays failing runs without one of their deviations and counts what was still met.
// SPDX-License-Identifier: Apache-2.0
#include "tests/alignment/alignment.h"

#include <algorithm>

#include "properties/judge.h"
#include "search/search_testing.h"
#include "sim/mix.h"
#include "sim/sources.h"

namespace locklab::testing {
namespace {

constexpr std::size_t kDeviationsLeast = 5;

bool counts(const Deviation& deviation) {
  return !is_free_dimension(deviation.address.kind());
}

/// In the run that `source` has replayed.
bool is_aligned(const Deviation& deviation, const std::vector<Deviation>& missed,
                std::span<const Deviation> taken) {
  const auto here = [&](const Deviation& other) { return other.address == deviation.address; };
  if (std::any_of(missed.begin(), missed.end(), here)) return false;
  if (deviation.address.kind() != ChoiceKind::fault_at_label) return true;
  return std::any_of(taken.begin(), taken.end(), here);  // Else the fault could not strike.
}

}  // namespace

void Alignment::add(const Alignment& other) {
  const auto sum = [](Share& to, const Share& from) {
    to.kept += from.kept;
    to.all += from.all;
  };
  runs += other.runs;
  sum(total, other.total);
  for (std::size_t kind = 0; kind < by_kind.size(); ++kind)
    sum(by_kind[kind], other.by_kind[kind]);
}

Alignment measure_alignment(const Scenario& scenario, std::uint64_t runs, std::uint64_t seeds) {
  Alignment alignment;
  Runner runner;
  Judge judge(all_properties());
  ReplaySource replay;
  for (std::uint64_t seed = 1; seed <= seeds && alignment.runs < runs; ++seed) {
    SeededSource seeded(seed);
    const Execution& execution = runner.run(scenario, seeded);
    if (execution.deviation_count() < kDeviationsLeast) continue;
    if (worst(judge.judge(*execution.history)) != Verdict::violated) continue;
    std::vector<Deviation> rest(execution.choices.begin(), execution.choices.end());
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < rest.size(); ++i) {
      if (counts(rest[i])) places.push_back(i);
    }
    const std::size_t victim = places[below(places.size(), mix(seed, 0x766963))];
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(victim));

    replay.load(rest);
    const Execution& again = runner.run(scenario, replay);
    const std::vector<Deviation> missed = replay.missed();
    ++alignment.runs;
    for (const Deviation& deviation : rest) {
      if (!counts(deviation)) continue;
      const std::uint64_t kept = is_aligned(deviation, missed, again.choices) ? 1 : 0;
      Share& share = alignment.by_kind[static_cast<std::size_t>(deviation.address.kind())];
      share.kept += kept;
      ++share.all;
      alignment.total.kept += kept;
      ++alignment.total.all;
    }
  }
  return alignment;
}

std::vector<Scenario> alignment_scenarios() {
  std::vector<Scenario> scenarios;
  for (const Scenario& story : testing_search::all_stories())
    scenarios.push_back(testing_search::with_any_faults(story, 3));
  return scenarios;
}

}  // namespace locklab::testing
