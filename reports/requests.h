// Requests: what became of each: where it was decided, whose reply was read, what was sent again.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/history.h"

namespace locklab {

class Requests {
 public:
  explicit Requests(const History& history);

  /// The `sent` record that led to this decision of a server or the resource; 0: none.
  std::uint32_t sending(const Record& decided) const;
  /// Where the request of a `sent` record was decided first; 0: it never arrived.
  std::uint32_t arrival(std::uint32_t sent) const { return arrival_[sent - 1]; }
  /// The `sent` record of the same request, if that had come to nothing: it is asked once more.
  std::uint32_t first_try(std::uint32_t sent) const { return first_try_[sent - 1]; }
  /// Of a `replied` record, the decision that is its reply; 0: unknown.
  std::uint32_t decision(const Record& replied) const;
  /// Of a `replied` record, the request that was waiting for a reply; 0: unknown.
  std::uint32_t awaiting(std::uint32_t replied) const { return awaiting_[replied - 1]; }

 private:
  void read_replies(const History& history);
  void read_resent(const History& history);

  const History& history_;
  // By seq - 1.
  std::vector<std::uint32_t> arrival_;
  std::vector<std::uint32_t> awaiting_;
  std::vector<std::uint32_t> first_try_;
};

}  // namespace locklab
