// World: true time, the event queue, clocks, timers, choices and the history of one execution.
// SPDX-License-Identifier: Apache-2.0
//
// One world per thread, reset for each execution. It knows actors only as receivers of events;
// network, processes, servers and faults stand on it (sim/simulation.h puts them together).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/arena.h"
#include "sim/choice.h"
#include "sim/clock.h"
#include "sim/event_queue.h"
#include "sim/history.h"
#include "sim/ids.h"
#include "sim/label.h"
#include "sim/world_config.h"

namespace locklab {

class World;

/// Receives events. Actors live as long as the simulation and are reset with it.
class Actor {
 public:
  Actor() = default;
  Actor(const Actor&) = delete;
  Actor& operator=(const Actor&) = delete;
  virtual ~Actor() = default;
  virtual void handle(const Event& event) = 0;
  /// Adds those that no timer of its own stands for; the ordinals are the world's.
  virtual void add_deadlines(std::vector<PendingDeadline>& deadlines) const {
    static_cast<void>(deadlines);
  }

  ActorId id() const { return id_; }
  HostId host() const { return host_; }

 private:
  friend class World;
  ActorId id_;
  HostId host_;
};

/// Whose behalf the present dispatch works on. Events and messages carry it along.
struct Work {
  Span span;
  HoldId hold;
  std::uint32_t cause = 0;
};

/// A labelled point being passed, as the fault engine sees it.
struct Point {
  Label label = Label::none;
  ActorId actor{};                   // Who executes the label.
  ActorId client{};                  // The process on whose behalf; world: none.
  std::uint32_t fiber = UINT32_MAX;  // Of that process, when it executes the label itself.
  ActorId server{};                  // The node or resource concerned; world: none.
  std::uint32_t connection = UINT32_MAX;
  TextId command{};  // "SET", or a script's name.
};

class FaultHook {
 public:
  virtual ~FaultHook() = default;
  /// Called between two atomic steps; may stop, kill or disturb anything before it returns.
  virtual void pass(const Point& point) = 0;
};

struct TimerHandle {
  std::uint32_t slot = UINT32_MAX;
  std::uint32_t generation = 0;
  explicit operator bool() const { return slot != UINT32_MAX; }
};

class World {
 public:
  World();

  // --- Setting up -------------------------------------------------------------------------------
  /// `world` becomes actor 0: it receives the events that belong to nobody else.
  void begin(const WorldConfig& config, ChoiceSource& source, std::uint64_t scenario_hash,
             Actor& world);
  /// After the last add_actor().
  void seal() { history_.actors.resize(actors_.size()); }
  HostId add_host(Duration wall_offset, std::int64_t rate_ppb);
  void add_actor(Actor& actor, std::string_view name, ActorKind kind, HostId host);
  void set_fault_hook(FaultHook* hook) { hook_ = hook; }

  // --- Time and clocks --------------------------------------------------------------------------
  Instant now() const { return now_; }
  /// Where now() stands, for the virtual steady_clock.
  const Instant* true_clock() const { return &now_; }
  LocalInstant read(HostId host, ClockId clock) const {
    return hosts_[host.value].clock(clock).read(now_);
  }
  Host& host(HostId id) { return hosts_[id.value]; }
  std::size_t host_count() const { return host_count_; }
  /// To be called after every change of a host's clocks: re-arms its timers.
  void clock_changed(HostId host);

  /// A timer holds a deadline of one clock and follows every change of it. When it fires, `event`
  /// goes to its actor; the timer is then gone.
  struct Timer {
    HostId host{};
    ClockId clock = ClockId::monotonic;
    LocalInstant deadline{};
    DeadlineKind kind = DeadlineKind::none;
    ActorId owner{};  // Whose deadline it is, for faults that lean on it.
    Event event{};
  };
  TimerHandle arm(const Timer& timer);
  void disarm(TimerHandle handle);
  /// Deadlines still to come, by (kind, owner, ordinal).
  std::span<const PendingDeadline> pending_deadlines() const;

  // --- Events and work
  /// Schedules with the present work's span, hold and cause.
  EventHandle schedule(Instant at, Event event);
  EventHandle schedule_as(const Work& work, Instant at, Event event);
  /// What starts on a machine that stands still starts when that runs on. false: it runs.
  bool put_off(const Event& event);
  void cancel(EventHandle handle) { queue_.cancel(handle); }
  void move(EventHandle handle, Instant at) { queue_.move(handle, at); }
  bool anything_else_due() const { return !queue_.empty() && queue_.next_time() == now_; }
  const EventQueue& queue() const { return queue_; }

  Work& work() { return work_; }
  const Work& work() const { return work_; }

  // --- Choices and history ----------------------------------------------------------------------
  std::uint64_t choose(ChoiceKind kind, ActorId actor, Label label, std::uint64_t bound,
                       Witness witness) {
    return choices_.choose(kind, work_.span, actor, label, bound, witness);
  }
  /// choose() among 32 even steps of [0, span).
  Duration choose_delay(ChoiceKind kind, ActorId actor, Duration bound, Witness witness);
  Choices& choices() { return choices_; }

  /// Completes t and cause (and hold, when the record has none), appends. The record becomes the
  /// cause of what the present dispatch does next.
  std::uint32_t record(Record record);
  TextId intern(std::string_view text) { return history_.intern(text); }
  History& history() { return history_; }
  const History& history() const { return history_; }

  /// Passes a label: planned and drawn faults strike here.
  void pass(const Point& point) {
    ++label_visits_[static_cast<std::size_t>(point.label)];
    if (hook_ != nullptr) hook_->pass(point);
  }
  std::uint32_t visits_of(Label label) const {
    return label_visits_[static_cast<std::size_t>(label)];
  }

  // --- Running
  /// One dispatch. false: nothing is scheduled, or a limit is reached.
  bool step();
  void stop(EndReason reason);
  bool stopped() const { return end_ != EndReason::none; }
  EndReason end() const { return end_; }
  std::uint64_t steps() const { return steps_; }
  /// Work that only observes, or that goes on for ever, is not counted: "nothing but watches is
  /// left" ends a run.
  bool only_watches_left() const;

  const WorldConfig& config() const { return *config_; }
  Duration delay_max() const { return delay_max_; }
  Duration round_trip() const { return config_->topology.network.latency * 2; }
  Arena& arena() { return arena_; }
  Actor& actor(ActorId id) { return *actors_[id.value]; }
  std::size_t actor_count() const { return actors_.size(); }
  std::string_view name(ActorId id) const { return history_.actors[id.value].name; }

 private:
  struct TimerSlot {
    Timer timer;
    EventHandle event;
    std::uint32_t generation = 0;
    bool armed = false;
  };
  void fire(std::uint32_t slot);
  Event timer_event(std::uint32_t slot) const;
  void dispatch(const Event& event);
  bool offer_defer();

  const WorldConfig* config_ = nullptr;
  Instant now_;
  Work work_;
  EventQueue queue_;
  Choices choices_;
  History history_;
  Arena arena_;
  FaultHook* hook_ = nullptr;
  Duration delay_max_;
  EndReason end_ = EndReason::none;
  std::uint64_t steps_ = 0;

  std::vector<Host> hosts_;
  std::size_t host_count_ = 0;
  std::vector<Actor*> actors_;
  std::vector<TimerSlot> timers_;
  std::vector<std::uint32_t> free_timers_;
  std::vector<std::uint32_t> armed_timers_;
  std::vector<std::uint32_t> label_visits_;
  mutable std::vector<PendingDeadline> deadlines_;
};

}  // namespace locklab
