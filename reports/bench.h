// Bench: single judged runs of one scenario, ready to be told, and the tokens that name them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "reports/run_view.h"
#include "search/explore.h"

namespace locklab {

/// Runs schedules of one scenario and judges them. The scenario must stay where it is.
class Bench {
 public:
  explicit Bench(const Scenario& scenario, const Laboratory& laboratory = {});
  /// Valid until the next run. Without token and command. Where eventual-release does not hold, it
  /// is asked again of other suffixes.
  RunView run(ChoiceSource& source);
  RunView replay(std::span<const Deviation> choices);
  /// The latest run, unjudged.
  const Execution& execution() const { return *execution_; }

 private:
  const Execution* execution_ = nullptr;
  const Scenario& scenario_;
  Laboratory laboratory_;
  Runner runner_;
  Judge judge_;
};

std::string seed_token(const Scenario& scenario, std::uint64_t seed, std::uint64_t digest);
/// Of what a search has found. Another strategy's run is named by its choices; if they are too many
/// for a token, by its number.
std::string found_token(const Scenario& scenario, const FoundRun& run, std::string_view strategy);
/// nullopt: too many for a token; they need a trace file.
std::optional<std::string> choice_token(const Scenario& scenario,
                                        std::span<const Deviation> choices, std::uint64_t digest);

}  // namespace locklab
