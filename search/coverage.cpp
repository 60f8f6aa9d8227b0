// Coverage: one pass over the faults of a run, and questions to the sums.
// SPDX-License-Identifier: Apache-2.0
#include "search/coverage.h"

#include <algorithm>
#include <utility>

namespace locklab {
namespace {

template <class Enum>
std::uint32_t bit_of(Enum value) {
  return 1U << static_cast<unsigned>(value);
}

bool may_draw(const Scenario& scenario) {
  return scenario.world.search.max > 0 && !scenario.world.search.of.empty();
}

/// Each label or kind that the bits name, and that is not `none`.
template <class Enum, class Visit>
void for_each(std::uint32_t bits, Visit visit) {
  for (unsigned i = 1; i < static_cast<unsigned>(Enum::count); ++i) {
    if ((bits >> i & 1U) != 0) visit(static_cast<Enum>(i));
  }
}

std::uint32_t labels_struck(const Coverage& coverage) {
  std::uint32_t labels = 0;
  for (const auto& [point, runs] : coverage.struck)
    labels |= bit_of(point.label);
  return labels;
}

std::uint32_t kinds_struck(const Coverage& coverage) {
  std::uint32_t kinds = 0;
  for (const auto& [point, runs] : coverage.struck)
    kinds |= bit_of(point.kind);
  return kinds;
}

}  // namespace

void Coverage::add(const Execution& execution, std::span<const NamedFinding> findings) {
  schedules.add(execution.digest);
  for_each<Label>(execution.labels_reached,
                  [this](Label label) { ++reached[static_cast<std::size_t>(label)]; });
  for_each<FaultKind>(execution.faults_drawn.bits,
                      [this](FaultKind kind) { ++drawn[static_cast<std::size_t>(kind)]; });
  // Few faults strike in a run: those seen so far are looked through.
  std::vector<StruckPoint> seen;
  for (const Record& record : execution.history->records()) {
    if (record.kind != EventKind::fault_begin) continue;
    const FaultKind kind = FaultValue::unpack(static_cast<std::uint64_t>(record.arg)).kind;
    const StruckPoint point{record.label, kind};
    if (std::find(seen.begin(), seen.end(), point) != seen.end()) continue;
    seen.push_back(point);
    StruckRuns& runs = struck[point];
    runs.tested.resize(findings.size());
    ++runs.runs;
    for (std::size_t i = 0; i < findings.size(); ++i)
      runs.tested[i] += findings[i].finding.exercised > 0;
  }
}

void Coverage::add(const Coverage& other) {
  for (const auto& [point, runs] : other.struck) {
    StruckRuns& sum = struck[point];
    sum.runs += runs.runs;
    sum.tested.resize(runs.tested.size());
    for (std::size_t i = 0; i < runs.tested.size(); ++i)
      sum.tested[i] += runs.tested[i];
  }
  for (std::size_t i = 0; i < reached.size(); ++i)
    reached[i] += other.reached[i];
  for (std::size_t i = 0; i < drawn.size(); ++i)
    drawn[i] += other.drawn[i];
  schedules.add(other.schedules);
}

std::uint32_t open_labels(const Scenario& scenario) {
  std::uint32_t open = 0;
  for (unsigned l = 1; l < static_cast<unsigned>(Label::count); ++l) {
    const auto label = static_cast<Label>(l);
    if (may_draw(scenario) && scenario.world.search.allows_label(label)) open |= bit_of(label);
  }
  for (const PlannedFault& fault : scenario.world.faults)
    open |= bit_of(fault.trigger.label);
  return open & ~bit_of(Label::none);
}

std::vector<Label> never_reached(const Coverage& coverage, const Scenario& scenario) {
  std::vector<Label> labels;
  if (!may_draw(scenario)) return labels;
  for_each<Label>(scenario.world.search.at_labels, [&](Label label) {
    if (coverage.reached[static_cast<std::size_t>(label)] == 0) labels.push_back(label);
  });
  return labels;
}

std::vector<FaultKind> never_applied(const Coverage& coverage, const Scenario& scenario) {
  std::vector<FaultKind> kinds;
  if (!may_draw(scenario)) return kinds;
  for_each<FaultKind>(scenario.world.search.of.bits & ~kinds_struck(coverage),
                      [&kinds](FaultKind kind) { kinds.push_back(kind); });
  return kinds;
}

CoverageSummary summary_of(const Coverage& coverage, const Scenario& scenario) {
  CoverageSummary summary;
  const std::uint32_t struck = labels_struck(coverage);
  for_each<Label>(open_labels(scenario), [&](Label label) {
    summary.points_reached += coverage.reached[static_cast<std::size_t>(label)] > 0;
    summary.points_struck += (struck & bit_of(label)) != 0;
  });
  std::uint32_t possible = may_draw(scenario) ? scenario.world.search.of.bits : 0;
  for (const PlannedFault& fault : scenario.world.faults)
    possible |= bit_of(fault.kind);
  for_each<FaultKind>(possible, [&summary](FaultKind) { ++summary.kinds_possible; });
  for_each<FaultKind>(kinds_struck(coverage), [&summary](FaultKind) { ++summary.kinds_applied; });
  return summary;
}

}  // namespace locklab
