// Counting new: the global operator new of a binary that links this, with counts and call stacks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace locklab::bench {

/// Counts while it lives; one at a time.
class AllocationCount {
 public:
  AllocationCount();
  ~AllocationCount();
  AllocationCount(const AllocationCount&) = delete;
  AllocationCount& operator=(const AllocationCount&) = delete;

  std::uint64_t calls() const;
  std::uint64_t bytes() const;
  /// Call stacks by their number of allocations, most first; addresses where no name is known.
  std::string sites() const;
};

}  // namespace locklab::bench
