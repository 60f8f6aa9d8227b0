// Controls: the lock that knows everything, and the one that wants to know nothing.
// SPDX-License-Identifier: Apache-2.0
#include "tests/controls/controls.h"

#include <optional>

#include "properties/property.h"
#include "search/search_testing.h"
#include "sim/stage.h"

namespace locklab::testing {
namespace {

constexpr Script kCompareAndDelete = {
    "unlock",
    "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) "
    "else return 0 end"};

/// Who was granted last, and whether that is over: one for each thread, as one world is.
class Board {
 public:
  void begin() { *this = {}; }

  bool is_free(const Stage& stage) {
    look(stage.world->history());
    return !owner_ && !anything_under_way(stage);
  }
  std::uint32_t grant(const Process& process) {
    owner_ = Owner{process.id(), process.running(), 0};
    return ++fence_;
  }
  bool is_owner(const Process& process) const {
    return owner_ && owner_->process == process.id() && owner_->fiber == process.running();
  }
  std::uint32_t enter_again() {
    ++owner_->depth;
    return fence_;
  }
  bool release(std::uint32_t fence) {
    if (!owner_ || fence != fence_) return false;
    if (owner_->depth-- == 0) owner_.reset();
    return true;
  }

 private:
  struct Owner {
    ActorId process;
    std::uint32_t fiber;
    std::uint32_t depth = 0;  // Of nested acquires.
  };

  /// The owner is gone when its process was killed or its fiber has ended, wherever it stood.
  void look(const History& history) {
    const std::span<const Record> records = history.records();
    for (; read_ < records.size(); ++read_) {
      const Record& record = records[read_];
      if (!owner_ || record.who() != owner_->process) continue;
      const bool killed = record.kind == EventKind::killed;
      const bool ended = record.kind == EventKind::fiber_ended &&
                         record.arg == static_cast<std::int64_t>(owner_->fiber);
      if (killed || ended) owner_.reset();
    }
  }

  static bool anything_under_way(const Stage& stage) {
    bool any = false;
    stage.network->for_each_in_flight(
        [&](const Connection& connection, Direction direction, const Message& message) {
          const bool to_resource =
              direction == Direction::to_server && connection.server == stage.resource->id();
          if (to_resource && message.kind == MessageKind::request) any = true;
        });
    return any;
  }

  std::optional<Owner> owner_;
  std::uint32_t fence_ = 0;
  std::size_t read_ = 0;
};

Board& board() {
  static thread_local Board board;
  return board;
}

class Omniscient : public Lock {
 public:
  void begin() override {
    board().begin();
    nonce_ = {};
  }

  Acquired acquire(Client& client, const LockRequest& request) override {
    Process& process = client.process();
    if (process.alive() && board().is_owner(process))
      return Acquired::lease_of({.key = request.key, .nonce = {}, .fence = board().enter_again()});
    const std::string_view nonce = client.new_nonce();
    if (!process.alive() || !board().is_free(client.stage())) return Acquired::refused();
    // It names no nonce, so no property asks a server for it: what it grants by is known to none.
    Lease lease;
    lease.key = request.key;
    lease.fence = board().grant(process);
    nonce_ = nonce;
    client.redis().set(request.key, nonce, {.nx = true, .px = request.ttl});
    return Acquired::lease_of(lease);
  }

  Outcome release(Client& client, const Lease& lease) override {
    if (!client.process().alive()) return Outcome::unknown;
    const bool held = board().release(lease.fence);
    if (held && board().is_owner(client.process())) return Outcome::released;  // A nested one.
    client.redis().eval(kCompareAndDelete, {lease.key}, {nonce_});
    return held ? Outcome::released : Outcome::not_held;
  }

 private:
  std::string_view nonce_;  // Of the latest grant.
};

/// Also says by which nonce it holds and until when, which may be wrong once the key is lost.
class OmniscientByName : public Omniscient {
 public:
  Acquired acquire(Client& client, const LockRequest& request) override {
    if (!client.process().alive() || !board().is_free(client.stage())) return Acquired::refused();
    const LocalInstant until = client.now() + request.ttl - request.margin;
    const std::string_view nonce = client.new_nonce();
    const Answer set = client.redis().set(request.key, nonce, {.nx = true, .px = request.ttl});
    if (!client.process().alive() || client.now() >= until) return Acquired::unknown();
    if (set.is_unknown()) return Acquired::unknown();
    if (!set.is_ok() || !board().is_free(client.stage())) return Acquired::refused();
    Lease lease;
    lease.key = request.key;
    lease.nonce = nonce;
    lease.until = until;
    lease.fence = board().grant(client.process());
    return Acquired::lease_of(lease);
  }
  Outcome release(Client& client, const Lease& lease) override {
    if (!client.process().alive()) return Outcome::unknown;
    board().release(lease.fence);
    return released_by(client.redis().eval(kCompareAndDelete, {lease.key}, {lease.nonce}));
  }
};

class AlwaysGranting : public Lock {
 public:
  Acquired acquire(Client& client, const LockRequest& request) override {
    Lease lease;
    lease.key = request.key;
    lease.nonce = client.new_nonce();
    lease.fence = 1;
    return Acquired::lease_of(lease);
  }
  Outcome release(Client&, const Lease&) override { return Outcome::released; }
};

}  // namespace

const LockInfo& omniscient() {
  static const LockInfo kInfo = {.name = "omniscient",
                                 .summary = "knows who is inside",
                                 .source = "kernel contract, Controls",
                                 .fenced = true,
                                 .make = make_lock<Omniscient>};
  return kInfo;
}

const LockInfo& omniscient_by_name() {
  static const LockInfo kInfo = {.name = "omniscient-by-name",
                                 .summary = "knows who is inside, and says by which nonce",
                                 .source = "kernel contract, Controls",
                                 .checked = true,
                                 .fenced = true,
                                 .make = make_lock<OmniscientByName>};
  return kInfo;
}

const LockInfo& always_granting() {
  static const LockInfo kInfo = {.name = "always-granting",
                                 .summary = "grants whoever asks",
                                 .source = "kernel contract, Controls",
                                 .fenced = true,
                                 .make = make_lock<AlwaysGranting>};
  return kInfo;
}

namespace {

/// An append delivered twice within one hold loses an update under every lock: the resource would
/// have to tell operations apart.
std::vector<std::string> promised(const Scenario& scenario) {
  std::vector<std::string> names;
  for (const Property& property : all_properties()) {
    if (scenario.world.topology.network.queue && property.name == "no-lost-update") continue;
    // A resource that is pinned to the first fence refuses whoever comes next, whatever the lock.
    const bool pinned = scenario.world.resource == ResourceMode::eq;
    if (pinned && property.name == "eventual-release") continue;
    names.emplace_back(property.name);
  }
  return names;
}

}  // namespace

LockFinder in_place_of_all(const LockInfo& control) {
  return [&control](std::string_view) { return &control; };
}

std::vector<Scenario> scenarios_with_client_faults(std::uint32_t faults_max) {
  Scenario calm = testing_search::story("calm");
  Scenario crowd = calm;
  crowd.name += "-crowd";
  crowd.world.topology.replicas = 2;
  crowd.world.objects = 2;
  crowd.workload.effects = 2;
  std::vector<Scenario> scenarios = {calm, crowd};
  for (Scenario& scenario : scenarios) {
    scenario.world.search.of = FaultKinds{}
                                   .with(FaultKind::slow)
                                   .with(FaultKind::cut)
                                   .with(FaultKind::reset)
                                   .with(FaultKind::lost_reply)
                                   .with(FaultKind::stall)
                                   .with(FaultKind::cancel)
                                   .with(FaultKind::pause)
                                   .with(FaultKind::panic)
                                   .with(FaultKind::kill);
    scenario.world.search.max = faults_max;
    scenario.hash = scenario_hash(scenario);
  }
  return scenarios;
}

std::vector<Scenario> scenarios_with_all_faults(std::uint32_t faults_max) {
  std::vector<Scenario> scenarios = testing_search::all_stories();
  Scenario crowd = scenarios.front();
  crowd.name += "-crowd";
  crowd.world.topology.replicas = 2;
  crowd.world.objects = 2;
  crowd.workload.effects = 2;
  scenarios.push_back(crowd);
  crowd.name += "-queue";
  crowd.world.topology.network.queue = true;
  scenarios.push_back(std::move(crowd));
  for (Scenario& scenario : scenarios) {
    scenario = testing_search::with_any_faults(std::move(scenario), faults_max);
    scenario.properties = promised(scenario);
    // No lock helps a program that writes when it has let it go, or never lets it go.
    scenario.workload.unlock = Unlock::deferred;
    scenario.hash = scenario_hash(scenario);
  }
  return scenarios;
}

}  // namespace locklab::testing
