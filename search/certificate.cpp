// Certificate: units side by side, added up in the order of their numbers.
// SPDX-License-Identifier: Apache-2.0
#include "search/certificate.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "search/certificate_units.h"
#include "search/strategies/deepening.h"
#include "search/strategies/single_deviation.h"
#include "search/token.h"
#include "search/workers.h"
#include "sim/contract.h"
#include "sim/mix.h"

namespace locklab {
namespace {

constexpr std::uint64_t kOtherLane = 0x63657274;

std::string token_of(const Scenario& scenario, const Execution& execution) {
  std::vector<Deviation> choices = normalised({execution.choices.begin(), execution.choices.end()});
  if (choices.size() > kTokenDeviations) return "";
  return to_string(Token{scenario.name, shown_bits(scenario.hash),
                         ChoiceBody{History::kModelEpoch, std::move(choices)},
                         shown_bits(execution.digest)});
}

/// What one unit came to.
struct UnitResult : Piece {
  UnitResult(std::uint32_t in_level, std::size_t properties)
      : level(in_level), violated(properties), unknown(properties), exercised(properties) {}
  std::uint32_t level;
  LevelCount count;
  std::vector<std::uint64_t> violated;
  std::vector<std::uint64_t> unknown;
  std::vector<std::uint64_t> exercised;
  std::optional<Counterexample> counterexample;
  std::uint64_t weight = 0;
  bool whole = true;  // Not cut short.
};

/// One thread's part.
class Enumerator {
 public:
  Enumerator(const Scenario& scenario, const Certificate& begun, const Units& units,
             const CertifyHooks& hooks, const Laboratory& laboratory)
      : scenario_(scenario),
        bound_(begun.bound),
        units_(units),
        hooks_(hooks),
        runner_(laboratory.find, laboratory.scripts),
        judge_(judged_properties(scenario, laboratory)),
        deepening_(begun.bound) {}

  std::unique_ptr<Piece> work(std::uint64_t number) {
    const Unit unit = units_.at(number);
    auto result = std::make_unique<UnitResult>(unit.level, judge_.properties().size());
    result->weight = unit.weight;
    if (unit.level == 1) {
      SingleDeviation single(bound_, units_.cell(unit.cell), unit.firsts);
      run_all(single, number, *result);
      result->count.impossible = single.impossible();
    } else {
      deepening_.begin(units_.cell(unit.cell), unit.firsts, unit.level);
      run_all(deepening_, number, *result);
      result->count.impossible = deepening_.impossible();
    }
    return result;
  }

 private:
  void run_all(Strategy& strategy, std::uint64_t number, UnitResult& result) {
    while (ChoiceSource* const source = strategy.next()) {
      try {
        const Execution& execution = runner_.run(scenario_, *source);
        if (strategy.seen(execution)) add(execution, number, result);
      } catch (const std::exception& failure) {
        throw RunFailed(number, std::string("while enumerating unit: ") + failure.what());
      }
      const bool refused = result.counterexample && hooks_.stop_at_counterexample;
      const bool cancelled = !refused && hooks_.cancelled && hooks_.cancelled();
      if (cancelled) result.whole = false;
      if (refused || cancelled) return;
    }
  }

  void add(const Execution& execution, std::uint64_t number, UnitResult& result) {
    ++result.count.schedules;
    result.count.sum.add(execution);
    const std::span<const NamedFinding> findings = judge_.judge(*execution.history);
    for (std::size_t i = 0; i < findings.size(); ++i) {
      const Finding& finding = findings[i].finding;
      result.violated[i] += finding.verdict == Verdict::violated;
      result.unknown[i] += finding.verdict == Verdict::unknown;
      result.exercised[i] += finding.exercised > 0;
    }
    if (result.counterexample) return;
    const NamedFinding* const broken = unexpected_violation(findings, scenario_.expect);
    if (broken == nullptr) return;
    result.counterexample = Counterexample{number, std::string(broken->property->name),
                                           broken->finding.why, token_of(scenario_, execution)};
  }

  const Scenario& scenario_;
  const Bound bound_;
  const Units& units_;
  const CertifyHooks& hooks_;
  Runner runner_;
  Judge judge_;
  Deepening deepening_;
};

void add(Certificate& certificate, UnitResult& unit) {
  LevelCount& level = certificate.levels[unit.level];
  level.schedules += unit.count.schedules;
  level.impossible += unit.count.impossible;
  level.sum.add(unit.count.sum);
  for (std::size_t i = 0; i < certificate.properties.size(); ++i) {
    PropertyCount& property = certificate.properties[i];
    property.violated[unit.level] += unit.violated[i];
    property.unknown += unit.unknown[i];
    property.exercised += unit.exercised[i];
  }
  if (!certificate.counterexample) certificate.counterexample = std::move(unit.counterexample);
  ++certificate.units_done;
}

/// Estimates the whole from how the weights of what is done compare with its schedules.
class Estimate {
 public:
  Estimate(const Units& units, const Certificate& begun) {
    for (std::uint64_t i = begun.units_done; i < begun.units; ++i)
      total_ += units.at(begun.shard.number - 1 + i * begun.shard.of).weight;
  }
  CertifyProgress after(const UnitResult& unit) {
    done_ += unit.weight;
    schedules_ += unit.count.schedules;
    const UInt128 whole = static_cast<UInt128>(schedules_) * total_ / std::max<UInt128>(done_, 1);
    return {schedules_, static_cast<std::uint64_t>(std::min<UInt128>(whole, UINT64_MAX))};
  }

 private:
  UInt128 total_ = 0;
  UInt128 done_ = 0;
  std::uint64_t schedules_ = 0;
};

std::uint64_t units_of(const Shard& shard, std::uint64_t all) {
  return shard.number > all ? 0 : (all - shard.number) / shard.of + 1;
}

}  // namespace

void ScheduleSum::add(const Execution& execution) {
  std::uint64_t choices = execution.choices.size();
  for (const Deviation& d : execution.choices) {
    choices = mix(choices, d.address.span);
    choices = mix(mix(choices, d.address.place), mix(d.value, d.witness.bits));
  }
  add(ScheduleSum{mix(choices, execution.digest), mix(choices ^ kOtherLane, ~execution.digest)});
}

void ScheduleSum::add(const ScheduleSum& other) {
  low += other.low;
  high += other.high;
}

std::uint64_t Certificate::schedules() const {
  std::uint64_t total = 0;
  for (const LevelCount& level : levels)
    total += level.schedules;
  return total;
}

Certificate blank_certificate(const Scenario& scenario, const Bound& bound, Shard shard,
                              const Laboratory& laboratory) {
  SIM_ASSERT(shard.number >= 1 && shard.number <= shard.of);
  Certificate blank;
  blank.scenario = scenario.name;
  blank.scenario_hash = scenario.hash;
  blank.faults = faults_of(scenario);
  blank.bound = bound;
  blank.shard = shard;
  Runner runner(laboratory.find, laboratory.scripts);
  blank.units = units_of(shard, Units(runner, scenario, bound).size());
  const std::size_t levels = std::size_t{deepest_level(bound)} + 1;
  blank.levels.resize(levels);
  for (const Property& property : judged_properties(scenario, laboratory)) {
    blank.properties.push_back({std::string(property.name),
                                expected_of(scenario.expect, property.name),
                                std::vector<std::uint64_t>(levels), 0, 0});
  }
  return blank;
}

Certificate certify(const Scenario& scenario, Certificate begun, unsigned jobs,
                    const CertifyHooks& hooks, const Laboratory& laboratory) {
  SIM_ASSERT(begun.scenario_hash == scenario.hash);
  Certificate result = begun;
  const bool refused = begun.counterexample && hooks.stop_at_counterexample;
  if (refused || begun.units_done == begun.units) return result;
  Runner runner(laboratory.find, laboratory.scripts);
  const Units units(runner, scenario, begun.bound);
  Estimate estimate(units, begun);
  const auto make_work = [&]() -> PieceMaker {
    auto own = std::make_shared<Enumerator>(scenario, begun, units, hooks, laboratory);
    return [own, &begun](std::uint64_t i) {
      return own->work(begun.shard.number - 1 + (begun.units_done + i) * begun.shard.of);
    };
  };
  const auto take = [&](Piece& piece) {
    auto& unit = static_cast<UnitResult&>(piece);
    if (!unit.whole) return false;  // Half a unit is no unit: it will be done again.
    add(result, unit);
    const CertifyProgress progress = estimate.after(unit);
    if (hooks.progress) hooks.progress(progress);
    if (hooks.checkpoint) hooks.checkpoint(result);
    return !(result.counterexample && hooks.stop_at_counterexample);
  };
  side_by_side(std::max(jobs, 1U), begun.units - begun.units_done, make_work, take);
  return result;
}

}  // namespace locklab
