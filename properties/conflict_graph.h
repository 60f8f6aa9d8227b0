// Conflict graph: which transactions must come before which, given the accepted operations.
// SPDX-License-Identifier: Apache-2.0
//
// A transaction is a hold with its accepted operations. Two operations conflict if they touch the
// same object and at least one appends; the earlier one's hold then comes first. The operations are
// conflict-serializable iff this graph has no cycle (Bernstein, Hadzilacos, Goodman 1987, ch. 2).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace locklab {

struct Access {
  std::uint32_t transaction = 0;  // Dense, from 0.
  std::uint32_t object = 0;       // Dense, from 0.
  bool append = false;
};

/// An edge of the graph: two conflicting operations, as positions in the list; from < to.
struct Conflict {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
};

/// The shortest cycle that the first operation to close one closes, as its edges in order, the
/// first of which leaves that operation's transaction; empty: serializable. O(n log n) when it is
/// serializable, O(n²) when not.
std::vector<Conflict> first_cycle(std::span<const Access> accesses);

}  // namespace locklab
