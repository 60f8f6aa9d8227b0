// Signature: what kind of failure a run shows, so that two failures can be told apart.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "properties/judge.h"
#include "sim/fault_kind.h"

namespace locklab {

/// Property and first cause. The first cause is the first event by which one of the holds of the
/// witness lost, on a server, what it believed to have; if none did, the last event of the witness.
struct Signature {
  std::string_view property;
  EventKind first_wrong = EventKind::none;
  /// Of a probe_blocked: its BlockingFact; of a resource_op: its ResourceOp.
  std::int64_t detail = 0;
  /// Kinds that struck before the failure was complete: for lists, not for the shrinker, which must
  /// be free to take away a fault that plays no part.
  FaultKinds faults;

  bool same_failure(const Signature& other) const {
    return property == other.property && first_wrong == other.first_wrong && detail == other.detail;
  }
  friend bool operator==(const Signature& a, const Signature& b) {
    return a.same_failure(b) && a.faults.bits == b.faults.bits;
  }
};

/// Of a finding that is violated. `lanes` must have read the history.
Signature signature_of(const History& history, const Lanes& lanes, const NamedFinding& finding);

/// "double-ownership, first key_lost, under pause"
std::string to_string(const Signature& signature);

}  // namespace locklab
