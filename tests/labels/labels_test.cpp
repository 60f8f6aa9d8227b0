// Labels: every one is reached, each by the program and at the actor that this table names.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "scenarios/run.h"
#include "sim/go.h"
#include "sim/label.h"
#include "sim/stage.h"
#include "sim/testing.h"

namespace locklab {
namespace {

using testing::ScriptedSource;

/// SET NX PX, a watchdog that renews, and a release by GET, then DEL: what no model reaches yet.
class WatchedLock : public Lock {
 public:
  Acquired acquire(Client& client, const LockRequest& request) override {
    Lease lease{.key = request.key, .nonce = client.new_nonce()};
    const Answer set = client.redis().set(lease.key, lease.nonce, {.nx = true, .px = request.ttl});
    if (!set.is_ok()) return Acquired::refused();
    stop_.emplace(client);
    ended_.emplace(client);
    ended_->add(1);
    client.go([this, &client, key = request.key, ttl = request.ttl] {
      while (stop_->sleep_for(ttl / 3))
        renew(client, key, ttl);
      ended_->done();
    });
    return Acquired::lease_of(lease);
  }

  Outcome release(Client& client, const Lease& lease) override {
    stop_->cancel();
    ended_->wait();
    if (client.redis().get(lease.key).text() != lease.nonce) return Outcome::not_held;
    client.reach(Label::rel_between_get_del);
    return client.redis().del(lease.key).is_integer(1) ? Outcome::released : Outcome::unknown;
  }

 private:
  static void renew(Client& client, std::string_view key, Duration ttl) {
    client.reach(Label::wd_before_tick);
    client.process().begin_operation(Operation::renew, client.stage().world->work().hold);
    client.redis().pexpire(key, ttl);
    client.process().end_operation();
    client.reach(Label::wd_result);
  }

  std::optional<Context> stop_;
  std::optional<WaitGroup> ended_;
};

const LockInfo* find(std::string_view name) {
  static const LockInfo kWatched = {.name = "watched",
                                    .summary = "watchdog; GET, then DEL",
                                    .source = "kernel contract, Labels",
                                    .make = make_lock<WatchedLock>};
  return name == kWatched.name ? &kWatched : find_lock(name);
}

/// One client and one section, a fault point at each label, and nothing that strikes there.
Scenario story(const std::string& algorithm) {
  Scenario scenario;
  scenario.name = algorithm;
  scenario.clients.emplace_back();
  scenario.clients.front().algorithm = algorithm;
  scenario.workload.rounds = 1;
  scenario.workload.work = 500_ms;  // Longer than a third of the TTL: a watchdog ticks.
  scenario.world.search.of = FaultKinds{}.with(FaultKind::pause);
  scenario.world.search.max = 1;
  return scenario;
}

Scenario two_commands() {
  return story("setnx-expire");
}

Scenario watched() {
  return story("watched");
}

Scenario quorum() {
  Scenario scenario = story("redlock");
  scenario.world.topology.nodes = 3;
  return scenario;
}

/// The primary dies before it replicates: its replica is promoted, and it comes back.
Scenario failover() {
  Scenario scenario = story("set-nx-px");
  scenario.world.topology.replicas = 1;
  scenario.workload.work = 3_s;
  PlannedFault death = testing::at_label(Label::repl_before_send, FaultKind::node_kill);
  death.target = "redis-1";
  death.length = 2_s;
  scenario.world.faults.push_back(death);
  return scenario;
}

struct Where {
  Label label;
  Scenario (*program)();
  std::string_view at;      // Who executes it.
  std::string_view behalf;  // Whose operation is the cause.
};

constexpr Where kTable[] = {
    {Label::acq_before_send, two_commands, "client-1", "client-1"},
    {Label::acq_sent, two_commands, "client-1", "client-1"},
    {Label::acq_between, two_commands, "client-1", "client-1"},
    {Label::srv_applied, two_commands, "redis-1", "client-1"},
    {Label::srv_replied, two_commands, "redis-1", "client-1"},
    {Label::repl_before_send, failover, "redis-1", "client-1"},
    {Label::acq_after_quorum, quorum, "client-1", "client-1"},
    {Label::acq_return, two_commands, "client-1", "client-1"},
    {Label::hold_check_ok, quorum, "client-1", "client-1"},
    {Label::res_before_send, two_commands, "client-1", "client-1"},
    {Label::res_sent, two_commands, "client-1", "client-1"},
    {Label::res_applied, two_commands, "resource", "client-1"},
    {Label::wd_before_tick, watched, "client-1", "client-1"},
    {Label::wd_sent, watched, "client-1", "client-1"},
    {Label::wd_result, watched, "client-1", "client-1"},
    {Label::rel_between_get_del, watched, "client-1", "client-1"},
    {Label::rel_before_send, two_commands, "client-1", "client-1"},
    {Label::rel_sent, two_commands, "client-1", "client-1"},
    {Label::rel_return, two_commands, "client-1", "client-1"},
    {Label::failover_before_promote, failover, "orchestrator", "orchestrator"},
    {Label::failover_promoted, failover, "orchestrator", "orchestrator"},
    {Label::node_before_restart, failover, "redis-1", "redis-1"},
};

/// What a source is asked at the fault points of one run, and by whom.
class Visits {
 public:
  explicit Visits(const Scenario& scenario) : runner_(find) { runner_.run(scenario, source_); }

  std::string first(Label label) {
    for (const ScriptedSource::Draw& draw : source_.draws(ChoiceKind::fault_at_label)) {
      if (draw.address.label() != label) continue;
      return name(draw.address.actor()) + " for " + name(draw.address.cause().actor());
    }
    return "never";
  }
  std::uint32_t count(Label label) { return runner_.simulation().world().visits_of(label); }

 private:
  std::string name(ActorId actor) { return std::string(runner_.simulation().world().name(actor)); }

  ScriptedSource source_;
  Runner runner_;
};

TEST(Labels, EachHasItsPlaceInTheTable) {
  std::vector<Label> listed;
  for (const Where& where : kTable)
    listed.push_back(where.label);
  std::vector<Label> all;
  for (unsigned label = 1; label < static_cast<unsigned>(Label::count); ++label)
    all.push_back(static_cast<Label>(label));
  EXPECT_EQ(listed, all);
}

TEST(Labels, EachIsReachedWhereTheTableSays) {
  for (const Where& where : kTable) {
    Visits visits(where.program());
    EXPECT_EQ(visits.first(where.label),
              std::string(where.at) + " for " + std::string(where.behalf))
        << name_of(where.label);
    EXPECT_GT(visits.count(where.label), 0U) << name_of(where.label);
  }
}

TEST(Labels, AreNotReachedByProgramsWithoutTheStep) {
  Visits visits(two_commands());
  for (const Label label : {Label::repl_before_send, Label::acq_after_quorum, Label::hold_check_ok,
                            Label::wd_before_tick, Label::wd_sent, Label::rel_between_get_del,
                            Label::failover_promoted, Label::node_before_restart}) {
    EXPECT_EQ(visits.first(label), "never") << name_of(label);
    EXPECT_EQ(visits.count(label), 0U) << name_of(label);
  }
}

}  // namespace
}  // namespace locklab
