// Testing: a small world, one program per client, scripted choices, and questions afterwards.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/client.h"
#include "sim/simulation.h"
#include "sim/world_config.h"

namespace locklab::testing {

/// Which draws a scripted value answers; what is not said matches all.
struct When {
  std::optional<ActorId> actor = std::nullopt;
  std::optional<Span> span = std::nullopt;
  std::optional<Label> label = std::nullopt;
  std::uint32_t nth = 0;  // Among the draws that match the rest, from 1; 0: each.
};

/// Gives scripted values; every other choice is 0. Remembers what it was asked.
class ScriptedSource : public ChoiceSource {
 public:
  struct Draw {
    Address address;
    std::uint64_t bound = 0;
    Witness witness;
    std::uint64_t value = 0;
  };

  ScriptedSource& set(ChoiceKind kind, std::uint64_t value, const When& when = {});
  ScriptedSource& strike(const FaultValue& fault, const When& when);

  void begin() override;
  std::uint64_t draw(const Address& address, std::uint64_t bound, Witness witness) override;
  std::uint64_t draw_fault(const Address& address, const FaultMenu& menu) override;

  const std::vector<Draw>& draws() const { return draws_; }
  std::vector<Draw> draws(ChoiceKind kind) const;

 private:
  struct Rule {
    ChoiceKind kind;
    std::uint64_t value;
    When when;
    std::uint32_t met = 0;
  };
  std::uint64_t value_at(const Address& address);

  std::vector<Rule> rules_;
  std::vector<Draw> draws_;
};

/// One node 5 ms away, one host for each actor, TTL 1 s.
WorldConfig small_world();
/// As small_world(), with `replicas` behind redis-1. Detection takes 1 s, rediscovery none.
WorldConfig replicated_world(std::uint32_t replicas);

/// A world about to run. Programs run on the first fiber of their process, anew at each restart.
class Kit {
 public:
  using Program = std::function<void(Client&)>;

  explicit Kit(const WorldConfig& config = small_world());
  Kit(const Kit&) = delete;
  Kit& operator=(const Kit&) = delete;
  ~Kit();

  WorldConfig& config() { return config_; }
  ScriptedSource& choices() { return scripted_; }
  /// Another source than the scripted one; it must outlive the kit's last run.
  void use(ChoiceSource& source) { source_ = &source; }
  /// Adds "client-N", which starts at `start`. Before begin().
  void client(Program program, Duration start = {});
  void fault(const PlannedFault& fault) { config_.faults.push_back(fault); }
  /// What a command waits for its reply.
  Duration command_timeout = milliseconds(100);

  /// Builds the world; run() does so when nobody has.
  void begin();
  /// Until every program has ended and all that is left are events that never come, or a limit.
  void run();
  /// Every event that is due at or before this instant.
  void run_until(Duration since_start);
  /// Until every client's fibers have ended; servers may have work left.
  void run_clients();

  Simulation& simulation() { return simulation_; }
  World& world() { return simulation_.world(); }
  Stage& stage() { return simulation_.stage(); }
  Network& network() { return *stage().network; }
  Process& process(std::uint32_t client) { return simulation_.client(client); }
  Node& node(std::uint32_t number) { return *stage().nodes[number]; }
  Orchestrator& orchestrator() { return *stage().orchestrator; }
  ActorId actor(std::string_view name);
  Host& host_of(std::string_view actor);
  Duration now() { return world().now() - Instant::origin(); }
  /// The stored value as the authority holds it, expired or not; nullopt: no such key.
  std::optional<std::string> value_of(std::string_view key, std::uint32_t node = 0);

  const History& history() { return world().history(); }
  std::vector<Record> all(EventKind kind, std::string_view actor = {});
  std::size_t count(EventKind kind, std::string_view actor = {}) { return all(kind, actor).size(); }
  /// When each of them happened.
  std::vector<Duration> times(EventKind kind, std::string_view actor = {});
  /// "5ms redis-1 applied", … for these kinds, in order.
  std::vector<std::string> story(std::initializer_list<EventKind> kinds);
  std::uint32_t visits(Label label) { return world().visits_of(label); }

 private:
  struct Seat {
    Kit* kit = nullptr;
    std::uint32_t index = 0;
    Program program;
    Duration start;
  };

  WorldConfig config_;
  ScriptedSource scripted_;
  ChoiceSource* source_ = &scripted_;
  std::vector<std::unique_ptr<Seat>> seats_;
  bool begun_ = false;
  Simulation simulation_;
};

inline Duration since_start(const Record& record) {
  return record.at() - Instant::origin();
}

/// A fault at the nth visit of a label.
PlannedFault at_label(Label label, FaultKind kind, std::uint32_t nth = 1);
/// A fault of a named target at a time.
PlannedFault at_time(Duration since_start, FaultKind kind, std::string_view target);

}  // namespace locklab::testing
