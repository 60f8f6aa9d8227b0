// Twice: one run under two heaps, stacks and threads; whatever differs is nondeterminism.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "scenarios/run.h"
#include "sim/sources.h"
#include "tests/digest/heap.h"

namespace locklab::testing {

/// Digests of the seeds 1 … `seeds`.
inline std::vector<std::uint64_t> digests(const Scenario& scenario, const LockFinder& find,
                                          std::uint64_t seeds, unsigned char fill) {
  std::vector<std::uint64_t> all;
  Runner runner(find);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SeededSource source(seed);
    poison_stacks(fill);
    all.push_back(runner.run(scenario, source).digest);
  }
  return all;
}

/// Empty: the runs of all seeds agree on ascending and descending heaps that are filled with
/// different bytes, after what other runs left behind, and on another thread. Else what differs.
inline std::string what_differs(const Scenario& scenario, const LockFinder& find,
                                std::uint64_t seeds) {
  const auto on_heap = [&](HeapOrder order, unsigned char fill) {
    std::vector<std::uint64_t> all;
    {
      const HeapScope scope(order, fill);
      all = digests(scenario, find, seeds, fill);
    }
    return all;
  };
  const std::vector<std::uint64_t> first = on_heap(HeapOrder::ascending, 0x00);
  const auto compare = [&](const std::vector<std::uint64_t>& other, const std::string& how) {
    for (std::size_t i = 0; i < first.size(); ++i) {
      if (first[i] != other[i]) {
        return scenario.name + ", seed " + std::to_string(i + 1) + " differs " + how;
      }
    }
    return std::string();
  };
  std::string difference = compare(on_heap(HeapOrder::descending, 0xff), "on the other heap");
  if (!difference.empty()) return difference;
  difference = compare(on_heap(HeapOrder::descending, 0xff), "the second time on that heap");
  if (!difference.empty()) return difference;
  std::vector<std::uint64_t> elsewhere;
  std::thread([&] { elsewhere = digests(scenario, find, seeds, 0x5a); }).join();
  return compare(elsewhere, "on another thread");
}

}  // namespace locklab::testing
