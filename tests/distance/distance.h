// Distance: the fewest deviations from the calm run that violate a property of a lock.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/lock.h"
#include "scenarios/scenario.h"

namespace locklab::testing_distance {

/// How far is looked.
struct Effort {
  bool every_target = true;    // Of a fault; false: the natural victim of its point alone.
  bool one_round = false;      // Of each client, also where two are affordable.
  std::uint64_t seeds = 5000;  // Beyond one deviation, for what no single one violates; 0: none.
};

struct Distance {
  std::string property;
  /// nullopt: neither up to one deviation, all of them tried, nor in the search.
  std::optional<std::uint32_t> deviations;
  /// Found by the search and shrunk: what is smaller, and more than one, was not enumerated.
  bool searched = false;
  std::string how;  // The deviations in words.
};

/// What is judged at a resource of that mode; in the order of the columns.
std::vector<std::string> properties_at(ResourceMode resource);

/// In the story of the claims, under every kind of fault.
std::vector<Distance> distances(const LockInfo& lock, ResourceMode resource, const Effort& effort);

}  // namespace locklab::testing_distance
