// FaultEngine: planned and drawn faults strike at labels or times, last, and end.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/faults/fault.h"

namespace locklab {

/// Is the world's own actor (id 0): it receives the events of faults that end or strike at a time.
class FaultEngine : public Actor, public FaultHook {
 public:
  explicit FaultEngine(Stage& stage);
  /// After all actors have been added: resolves the names of planned faults.
  void begin();
  void handle(const Event& event) override;
  void pass(const Point& point) override;

  /// Nothing strikes any more; what has no end heals now, the rest ends as planned.
  void stop();
  std::uint32_t struck() const { return struck_; }
  /// Labels that were passed while faults could strike; bit per Label.
  std::uint32_t reached() const { return reached_; }
  /// Kinds that were drawn, also where there was nothing to act on.
  FaultKinds drawn() const { return drawn_; }
  /// When the last fault that is in force ends by itself; now, if none is.
  Instant last_end() const;

 private:
  class Menu;
  struct Planned {
    const PlannedFault* fault = nullptr;
    ActorId actor;  // world: anybody
    ActorId client;
    std::uint32_t visits = 0;
    bool done = false;
  };

  const FaultSpec& spec(FaultKind kind) const;
  ActorId actor_named(const std::string& name) const;
  /// Of both, false: nobody of that description is there.
  bool name_victim(const PlannedFault& fault, Strike& strike) const;
  bool name_target(const PlannedFault& fault, Strike& strike) const;
  bool waits_for(const Planned& planned, const Point& point) const;
  void strike_planned(Planned& planned, const Point& point);
  void offer_drawn(const Point& point);
  bool resolve(const FaultValue& value, const Point& point, Strike& strike) const;
  /// The pending one that a length names.
  std::optional<PendingDeadline> deadline_of(Bucket length) const;
  bool resolve_length(const FaultValue& value, Duration& length) const;
  bool possible(const Strike& strike) const;
  void strike(const Strike& strike, std::uint64_t value);
  void end(std::uint32_t index);

  Stage& stage_;
  std::array<FaultSpec, static_cast<std::size_t>(FaultKind::count)> specs_;
  std::vector<Planned> planned_;
  std::vector<ActiveFault> active_;
  std::uint32_t struck_ = 0;
  std::uint32_t reached_ = 0;
  FaultKinds drawn_;
  bool stopped_ = false;
};

}  // namespace locklab
