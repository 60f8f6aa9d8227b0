// Heap: an allocator whose addresses and fresh bytes the test decides.
// SPDX-License-Identifier: Apache-2.0
//
// Linked into a test, it replaces operator new. Code that depends on the order of addresses, or
// reads what it never wrote, then behaves in two ways on purpose instead of by luck.
#pragma once

#include <cstddef>

namespace locklab::testing {

enum class HeapOrder { of_the_system, ascending, descending };

/// From here on until the end of the scope: successive allocations of this thread stand in this
/// order, and each is filled with `fill` when it is taken and when it is given back.
class HeapScope {
 public:
  HeapScope(HeapOrder order, unsigned char fill);
  HeapScope(const HeapScope&) = delete;
  HeapScope& operator=(const HeapScope&) = delete;
  ~HeapScope();
};

/// Overwrites the part of this stack that the next calls will use, and from here on the stack of
/// each fiber that this thread spawns.
void poison_stacks(unsigned char fill);

}  // namespace locklab::testing
