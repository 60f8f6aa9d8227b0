// Table: distances of all locks as text for docs/fault-distance.md.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tests/distance/distance.h"

namespace locklab::testing_distance {

/// One lock at one kind of resource.
struct LockDistances {
  std::string lock;
  std::string resource;  // "none", "ge_rw", …
  std::vector<Distance> rows;
};

/// Of these locks, those with fences at fenced resources too, on so many threads; minutes for all.
std::vector<LockDistances> measure(const std::vector<LockInfo>& locks, const Effort& effort,
                                   unsigned jobs);

/// A table of numbers for each resource, then a line for each distance.
std::string tables_of(const std::vector<LockDistances>& all);

}  // namespace locklab::testing_distance
