// Harness: records what a client program does around its lock: operations, sections, effects.
// SPDX-License-Identifier: Apache-2.0
//
// Recorded around the model, never by the model (kernel contract, "Three truths, four lanes").
#pragma once

#include <cstdint>
#include <optional>

#include "models/lock.h"
#include "scenarios/scenario.h"
#include "sim/client.h"
#include "sim/stage.h"

namespace locklab {

/// A hold as the program has it.
struct Hold {
  HoldId id;
  Lease lease;
  LocalInstant give_up;        // When an unchecked program stops waiting for an unknown effect.
  std::uint32_t sequence = 0;  // Of its guarded operations.
  std::uint64_t version_read[2] = {0, 0};
};

enum class EffectOutcome : std::uint8_t { accepted, rejected, unknown, lease_over };

/// What one client program uses. Every call may throw what strikes its fiber.
class Harness {
 public:
  Harness(Client& client, Lock& lock, const LockRequest& request, Stage& stage);

  std::optional<Hold> acquire(bool by_probe = false);
  void release(const Hold& hold);
  void enter(const Hold& hold);
  void leave(const Hold& hold, LeaveReason reason);
  /// Checks the lease, then sends one operation to the resource. Never repeats it.
  EffectOutcome effect(Hold& hold, ResourceOp op, std::uint32_t object, Duration timeout);
  bool alive() const;

 private:
  Record about(const Hold& hold, EventKind kind) const;
  void record(const Record& record);

  Client& client_;
  Lock& lock_;
  LockRequest request_;
  Stage& stage_;
  TextId key_;
  std::uint16_t flags_ = 0;
};

}  // namespace locklab
