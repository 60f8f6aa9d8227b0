// Levels: the enumeration of a certificate, that goes on after a violation and keeps the smallest.
// SPDX-License-Identifier: Apache-2.0
#include "tests/distance/levels.h"

#include <algorithm>
#include <utility>

#include "reports/words.h"
#include "search/strategies/deepening.h"
#include "search/strategies/single_deviation.h"

namespace locklab::testing_distance {
namespace {

constexpr PhasePoints kCalmGrid{2, 2, 2};

Bound bound_of(std::uint32_t level, bool every_target) {
  Bound bound;
  bound.deviations = bound.faults = bound.orders = level;
  bound.every_target = every_target;
  return bound;
}

/// The fault's own record: whom it struck. nullptr: it is told by its address alone.
const Record* strike_of(const History& history, const Deviation& fault) {
  const auto records = history.records();
  const auto found = std::find_if(records.begin(), records.end(), [&fault](const Record& record) {
    return record.kind == EventKind::fault_begin &&
           static_cast<std::uint64_t>(record.arg) == fault.value &&
           record.label == fault.address.label();
  });
  return found == records.end() ? nullptr : &*found;
}

std::string words_of(const History& history, const Deviation& deviation) {
  const Address& address = deviation.address;
  const std::string where = actor_name(history, address.actor());
  if (address.kind() != ChoiceKind::fault_at_label) {
    return std::string(name_of(address.kind())) + " " + std::to_string(deviation.value) + " of " +
           where;
  }
  const Record* const strike = strike_of(history, deviation);
  std::string victim = strike == nullptr ? where : actor_name(history, strike->who());
  if (strike != nullptr && strike->fence != 0) {
    victim += "-" + actor_name(history, ActorId{static_cast<std::uint16_t>(strike->fence)});
  }
  return std::string(name_of(FaultValue::unpack(deviation.value).kind)) + " of " + victim + " @ " +
         std::string(name_of(address.label()));
}

}  // namespace

std::string words_of(const History& history, std::span<const Deviation> choices) {
  std::string out;
  for (const Deviation& choice : choices) {
    if (is_free_dimension(choice.address.kind())) continue;
    out += (out.empty() ? "" : ", ") + words_of(history, choice);
  }
  if (!out.empty()) return out;
  return choices.empty() ? "nothing: the calm run" : "other start, poll or work times";
}

Levels::Levels(std::vector<Property> properties)
    : judge_(std::move(properties)), found_(judge_.properties().size()) {}

void Levels::note(std::size_t property, const Execution& execution) {
  const Size size = size_of(execution.choices);
  std::optional<Smallest>& known = found_[property];
  if (known && (known->deviations < level_ || known->size <= size)) return;
  known = Smallest{size, level_, words_of(*execution.history, execution.choices)};
}

void Levels::run_all(const Scenario& scenario, Strategy& strategy) {
  while (ChoiceSource* const source = strategy.next()) {
    const Execution& execution = runner_.run(scenario, *source);
    if (!strategy.seen(execution)) continue;
    ++schedules_;
    const std::span<const NamedFinding> findings = judge_.judge(*execution.history);
    for (std::size_t i = 0; i < findings.size(); ++i) {
      if (findings[i].finding.verdict == Verdict::violated) note(i, execution);
    }
  }
}

void Levels::calm(const Scenario& scenario) {
  level_ = 0;
  Deepening deepening(bound_of(0, true));
  const std::uint32_t clients = scenario.client_count();
  for (std::uint64_t cell = 0; cell < cell_count(kCalmGrid, clients); ++cell) {
    deepening.begin(PhaseCell(kCalmGrid, clients, cell), {}, 0);
    run_all(scenario, deepening);
  }
}

void Levels::single(const Scenario& scenario, bool every_target) {
  level_ = 1;
  const Bound bound = bound_of(1, every_target);
  const std::vector<PathStep> steps = single_deviations(runner_, scenario, bound, {});
  SingleDeviation strategy(bound, {}, steps);
  run_all(scenario, strategy);
}

}  // namespace locklab::testing_distance
