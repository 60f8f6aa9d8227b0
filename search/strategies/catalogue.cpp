// Catalogue: one row for each strategy.
// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/catalogue.h"

#include <algorithm>
#include <array>

#include "search/strategies/enumeration.h"
#include "search/strategies/mutation.h"
#include "search/strategies/portfolio.h"
#include "search/strategies/priorities.h"
#include "search/strategies/swarm.h"
#include "search/strategies/uniform.h"

namespace locklab {
namespace {

using Made = std::unique_ptr<Engine>;

template <class Kind>
Made make(const Scenario& scenario, const Laboratory& laboratory) {
  return std::make_unique<Kind>(scenario, laboratory);
}

template <class Kind>
Made make_of_nothing(const Scenario&, const Laboratory&) {
  return std::make_unique<Kind>();
}

template <std::uint32_t depth>
Made make_priorities(const Scenario& scenario, const Laboratory& laboratory) {
  return std::make_unique<Priorities>(scenario, laboratory, depth);
}

constexpr std::array<StrategyInfo, 9> kStrategies = {{
    {kSwarm, "random, with rates drawn anew for each run: what check does unless told", true, true,
     make_of_nothing<Swarm>},
    {"uniform", "random, each value of a choice alike: the reference", true, true, make<Uniform>},
    {"pct-2", "who is slow is drawn for the whole run; one change point", true, true,
     make_priorities<2>},
    {"pct-3", "the same with two change points", true, true, make_priorities<3>},
    {"pct-4", "the same with three change points", true, true, make_priorities<4>},
    {"single", "the calm runs, then each single deviation from one; ends", true, false,
     make<Singles>},
    {"deepening", "sets of one deviation, then of two, of three, in the order of certify; ends",
     true, false, make<IterativeDeepening>},
    {"mutation", "changes the schedules of runs that went a new way", false, false,
     make_of_nothing<Mutation>},
    {"portfolio", "of twenty numbers 12 of swarm, 4 of pct, 3 of single, 1 of uniform", true, false,
     make<Portfolio>},
}};

}  // namespace

std::span<const StrategyInfo> all_strategies() {
  return kStrategies;
}

const StrategyInfo* find_strategy(std::string_view name) {
  const auto* const found =
      std::find_if(kStrategies.begin(), kStrategies.end(),
                   [name](const StrategyInfo& strategy) { return strategy.name == name; });
  return found == kStrategies.end() ? nullptr : &*found;
}

}  // namespace locklab
