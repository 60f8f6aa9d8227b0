// Table: rows as a page shows them, and what they come to.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tests/strategies/measure.h"

namespace locklab::strategies {

std::string heading(std::span<const StrategyInfo* const> strategies);
/// "late-write   28/141 …": median and 95th percentile; ">1000": more than the most.
std::string line_of(const Row& row, const Effort& effort);
/// For each strategy: how many rows it finds, wins and loses against uniform, and what a run costs.
std::string summary(std::span<const StrategyInfo* const> strategies, std::span<const Row> rows,
                    const Effort& effort);

}  // namespace locklab::strategies
