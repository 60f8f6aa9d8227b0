// Ends under test: a lock held by RAII, and whoever kills its holder.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/testing.h"

namespace locklab::testing {

/// `SET k`, and `DEL k` when it goes out of scope.
class RaiiLock {
 public:
  explicit RaiiLock(Client& client, std::string* log = nullptr) : client_(client), log_(log) {
    client_.process().begin_operation(Operation::acquire, {});
    client_.redis().set("k", "mine", {.nx = true, .px = 500_ms});
    client_.process().end_operation();
  }
  RaiiLock(const RaiiLock&) = delete;
  RaiiLock& operator=(const RaiiLock&) = delete;
  ~RaiiLock() {
    client_.process().begin_operation(Operation::release, {});
    const Answer answer = client_.redis().del("k");
    if (log_ != nullptr) *log_ += answer.is_unknown() ? "unknown " : "answered ";
  }

 private:
  Client& client_;
  std::string* log_;
};

inline PlannedFault kill_at(Label label, bool restarts = false, Duration length = {}) {
  PlannedFault fault = at_label(label, FaultKind::kill);
  fault.restarts = restarts;
  fault.length = length;
  return fault;
}

}  // namespace locklab::testing
