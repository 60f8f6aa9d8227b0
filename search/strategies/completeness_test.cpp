// Completeness: what chance finds within a bound, the enumeration of that bound has run.
// SPDX-License-Identifier: Apache-2.0
//
// Chance knows nothing of alternatives, lengths that mean nothing, victims counted twice, or of
// what follows what: it draws from the menus of the world as any search does. Runs are compared by
// what has happened in them, not by the values that were drawn.
#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include <gtest/gtest.h>

#include "search/certificate_testing.h"
#include "search/strategies/deepening.h"
#include "sim/mix.h"
#include "sim/sources.h"

namespace locklab {
namespace {

using testing_search::faults_only;
using testing_search::lost_answers;
using testing_search::story;

using Happening = std::pair<std::uint64_t, std::uint64_t>;

/// All but a fault's own record, which repeats what was drawn.
Happening happening_of(const History& history) {
  Happening sum{1, 2};
  for (const Record& record : history.records()) {
    if (record.kind == EventKind::fault_begin) continue;
    std::uint64_t words[sizeof(Record) / sizeof(std::uint64_t)];
    static_assert(sizeof(words) == sizeof(Record));
    std::memcpy(words, &record, sizeof(words));
    for (const std::uint64_t word : words)
      sum = {mix(sum.first, word), mix(sum.second, ~word)};
  }
  return sum;
}

std::set<Happening> enumerated(const Scenario& scenario, const Bound& bound) {
  std::set<Happening> all;
  Runner runner;
  Deepening deepening(bound);
  for (std::uint32_t level = 0; level <= deepest_level(bound); ++level) {
    deepening.begin(PhaseCell(), {}, level);
    while (ChoiceSource* const source = deepening.next()) {
      const Execution& execution = runner.run(scenario, *source);
      if (deepening.seen(execution)) all.insert(happening_of(*execution.history));
    }
  }
  return all;
}

/// Chance with free dimensions at rest, and with lengths that have no fine steps.
class Chance : public ChoiceSource {
 public:
  Chance(std::uint64_t seed, std::uint32_t fault_rate, std::uint32_t order_rate)
      : seeded_(seed, knobs(fault_rate, order_rate)) {}
  void begin() override { seeded_.begin(); }
  std::uint64_t draw(const Address& address, std::uint64_t bound, Witness witness) override {
    return is_free_dimension(address.kind()) ? 0 : seeded_.draw(address, bound, witness);
  }
  std::uint64_t draw_fault(const Address& address, const FaultMenu& menu) override {
    const std::uint64_t drawn = seeded_.draw_fault(address, menu);
    FaultValue value = FaultValue::unpack(drawn);
    value.fine = 0;
    return value.pack();
  }

 private:
  static SwarmKnobs knobs(std::uint32_t fault_rate, std::uint32_t order_rate) {
    SwarmKnobs knobs;
    knobs.rate.fill(order_rate);
    knobs.rate[static_cast<std::size_t>(ChoiceKind::fault_at_label)] = fault_rate;
    knobs.kinds = kAllFaultKinds;
    return knobs;
  }
  SeededSource seeded_;
};

bool is_within(const Bound& bound, const Execution& execution) {
  const auto faults = std::count_if(
      execution.choices.begin(), execution.choices.end(),
      [](const Deviation& d) { return d.address.kind() == ChoiceKind::fault_at_label; });
  const std::uint32_t all = execution.deviation_count();
  return all <= bound.deviations && faults <= bound.faults && all - faults <= bound.orders;
}

struct Rates {
  std::uint32_t faults;  // In 65536ths.
  std::uint32_t orders;
};

/// Runs chance, and expects what it finds within the bound among what is enumerated. → how many
/// different things it found.
std::size_t found_by_chance(const Scenario& scenario, const Bound& bound, Rates rates,
                            std::uint64_t seeds = 3000) {
  const std::set<Happening> all = enumerated(scenario, bound);
  std::set<Happening> found;
  std::uint64_t missing = 0;
  Runner runner;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    Chance chance(seed, rates.faults, rates.orders);
    const Execution& execution = runner.run(scenario, chance);
    if (!is_within(bound, execution)) continue;
    const Happening happening = happening_of(*execution.history);
    found.insert(happening);
    if (all.count(happening) == 0 && ++missing == 1) ADD_FAILURE() << "seed " << seed;
  }
  EXPECT_EQ(missing, 0U) << scenario.name;
  return found.size();
}

TEST(Completeness, OfEveryKindOfFault) {
  for (unsigned k = 1; k < static_cast<unsigned>(FaultKind::count); ++k) {
    const auto kind = static_cast<FaultKind>(k);
    SCOPED_TRACE(name_of(kind));
    Scenario scenario = story("failover-forgets-lock");
    scenario.workload.rounds = 1;
    scenario.world.search.of = FaultKinds{}.with(kind);
    scenario.world.search.max = 1;
    scenario.world.search.at_labels = 1U << static_cast<unsigned>(Label::acq_return) |
                                      1U << static_cast<unsigned>(Label::srv_applied);
    scenario.hash = scenario_hash(scenario);
    EXPECT_GT(found_by_chance(scenario, faults_only(1), {8192, 0}, 1000), 1U);
  }
}

TEST(Completeness, OfTwoFaultsTheSecondMetOnlyAfterTheFirst) {
  Scenario scenario = lost_answers(2);
  scenario.world.search.of = FaultKinds{}.with(FaultKind::lost_reply).with(FaultKind::pause);
  scenario.hash = scenario_hash(scenario);
  EXPECT_GT(found_by_chance(scenario, faults_only(2), {16384, 0}), 100U);
}

TEST(Completeness, OfEveryOrder) {
  Bound bound = faults_only(0);
  bound.deviations = bound.orders = 1;
  bound.steps = 1000;  // All values.
  EXPECT_GT(found_by_chance(lost_answers(0), bound, {0, 256}), 100U);
}

TEST(Completeness, OfAFaultAndAnOrderInEitherSequence) {
  Scenario scenario = lost_answers(1);
  scenario.workload.effects = 1;
  scenario.hash = scenario_hash(scenario);
  Bound bound = faults_only(1);
  bound.orders = 1;
  bound.deviations = 2;
  bound.steps = 1000;
  EXPECT_GT(found_by_chance(scenario, bound, {8192, 256}), 100U);
}

}  // namespace
}  // namespace locklab
