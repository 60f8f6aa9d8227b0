// Catalogue: the strategies by their names.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "search/explore.h"
#include "search/strategies/engine.h"

namespace locklab {

struct StrategyInfo {
  std::string_view name;
  std::string_view summary;  // One sentence, for `list strategies`.
  /// A number alone names a schedule, so that a token may: s<number>~<name>.
  bool by_number = true;
  /// Its numbers are independent draws of one kind, so that their count bounds the odds of others.
  bool samples = true;
  std::unique_ptr<Engine> (*make)(const Scenario& scenario, const Laboratory& laboratory) = nullptr;
};

/// The one that searches draw from unless told; its tokens carry no name.
constexpr std::string_view kSwarm = "swarm";

/// Swarm first.
std::span<const StrategyInfo> all_strategies();
/// nullptr: there is none of that name.
const StrategyInfo* find_strategy(std::string_view name);

}  // namespace locklab
