// Sweep: many runs whose probe is not believed: what it says is put to the test.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/scenario.h"
#include "sim/history.h"

namespace locklab::testing_liveness {

/// For so many more Δ a probe goes on that has said "blocked".
constexpr std::uint32_t kInsistence = 5;
/// Futures of each blocked run, and of each live run of one seed in kLiveSample.
constexpr std::uint32_t kFutures = 20;
constexpr std::uint64_t kLiveSample = 50;

struct Sweep {
  std::uint64_t runs = 0;
  std::uint64_t live = 0;
  std::uint64_t unknown = 0;
  std::uint64_t blocked = 0;
  std::array<std::uint64_t, static_cast<std::size_t>(BlockingFact::other) + 1> facts{};
  /// Blocked, and the run's limit came before the insistence was over.
  std::vector<std::string> cut_short;
  /// Blocked, and then somebody got the lock; live, and no server has stored a grant of the
  /// probe's.
  std::vector<std::string> refuted;
  /// Blocked futures of blocked runs and of live ones: of all, and those that agree.
  std::uint64_t futures_of_blocked = 0;
  std::uint64_t still_blocked = 0;
  std::uint64_t futures_of_live = 0;
  std::uint64_t still_live = 0;
  std::vector<std::string> by_luck;  // Runs whose futures differ from them.

  void add(const Sweep& other);
};

Sweep sweep(const Scenario& scenario, std::uint64_t seeds);

}  // namespace locklab::testing_liveness
