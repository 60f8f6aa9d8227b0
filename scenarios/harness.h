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

/// What a lock that renews is given of a hold. Plain data of the world's arena: a leaked watchdog
/// may use it when its program has ended.
class Keeper final : public Holder {
 public:
  void watching() override;
  void renewing() override;
  void renewed(Outcome outcome, LocalInstant until) override;
  void lost() override;

 private:
  friend class Harness;
  friend class WorkContext;
  void record(EventKind kind, Operation operation, Outcome outcome, LocalInstant until) const;

  Process* process_ = nullptr;
  World* world_ = nullptr;
  Context* work_ = nullptr;  // The program's, while it claims the hold.
  HoldId hold_;
  TextId key_;
  std::uint16_t flags_ = 0;
  bool lost_ = false;
};

/// The work of one round: `ctx, cancel := context.WithCancel(…); defer cancel()`.
class WorkContext {
 public:
  explicit WorkContext(Client& client) : context_(client) {}
  WorkContext(const WorkContext&) = delete;
  WorkContext& operator=(const WorkContext&) = delete;
  ~WorkContext();
  Context& context() { return context_; }

 private:
  friend class Harness;
  Context context_;
  Keeper* keeper_ = nullptr;
};

/// A hold as the program has it.
struct Hold {
  HoldId id;
  Lease lease;
  LocalInstant give_up;        // When an unchecked program stops waiting for an unknown effect.
  std::uint32_t sequence = 0;  // Of its guarded operations.
  std::uint64_t version_read[2] = {0, 0};
  Keeper* keeper = nullptr;  // Of a lock that renews.
};

enum class EffectOutcome : std::uint8_t { accepted, rejected, unknown, lease_over, told_lost };

/// What one client program uses. Every call may throw what strikes its fiber.
class Harness {
 public:
  Harness(Client& client, Lock& lock, const LockRequest& request, Stage& stage);

  /// `work`: of a lock that renews; what the hold's watchdog is tied to.
  std::optional<Hold> acquire(WorkContext* work, bool by_probe = false);
  void release(const Hold& hold);
  /// A nested acquire and its release, by the call chain that has the hold. A `ttl` of zero is that
  /// of the request.
  std::optional<Lease> acquire_nested(const Hold& hold, Duration ttl = {});
  void release_nested(const Hold& hold, const Lease& lease);
  void enter(const Hold& hold);
  void leave(const Hold& hold, LeaveReason reason);
  /// Checks the lease, then sends one operation to the resource. Never repeats it.
  EffectOutcome effect(Hold& hold, ResourceOp op, std::uint32_t object, Duration timeout);
  bool alive() const;
  static bool told_lost(const Hold& hold) { return hold.keeper != nullptr && hold.keeper->lost_; }

 private:
  Keeper& keeper_of(const Hold& hold, WorkContext& work) const;
  Record about(const Hold& hold, EventKind kind) const;
  void record_operation(const Hold& hold, EventKind kind, Operation operation, Outcome outcome);
  void record(const Record& record) const;

  Client& client_;
  Lock& lock_;
  LockRequest request_;
  Stage& stage_;
  TextId key_;
  std::uint16_t flags_ = 0;
};

}  // namespace locklab
