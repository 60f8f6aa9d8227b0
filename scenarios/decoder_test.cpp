// Decoder: what is read from each key.
// SPDX-License-Identifier: Apache-2.0

#include "scenarios/decoder.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "scenarios/decoder_testing.h"

namespace locklab {
namespace {

using testing_samples::file_with;
using testing_samples::kRich;
using testing_samples::kVocabulary;

Scenario decoded(const std::string& text) {
  DecodeResult result = decode_scenario(text, "x.json", &kVocabulary);
  EXPECT_TRUE(result.scenario) << render(result.errors);
  return result.scenario.value_or(Scenario{});
}

TEST(Decoder, ReadsEveryKey) {
  const Scenario s = decoded(kRich);

  EXPECT_EQ(s.name, "rich");
  EXPECT_EQ(s.title, "T — it is");
  EXPECT_EQ(s.tags, std::vector<std::string>{"trap-5"});
  EXPECT_EQ(s.notes, "a\nb");
  EXPECT_EQ(s.source, "x.json");
  EXPECT_EQ(s.world.topology.replicas, 2U);
  EXPECT_EQ(s.world.topology.idle_clients, 1U);
  EXPECT_EQ(s.world.topology.network.latency, milliseconds(2));
  EXPECT_EQ(s.world.topology.network.delay_max, milliseconds(6));
  EXPECT_EQ(s.world.topology.network.heal_backoff, Duration());
  EXPECT_FALSE(s.world.topology.failover.automatic);
  EXPECT_EQ(s.world.topology.failover.detect, milliseconds(800));
  EXPECT_EQ(s.world.topology.failover.detect_spread, milliseconds(1));
  EXPECT_EQ(s.world.topology.failover.demote_after, seconds(2));
  EXPECT_EQ(s.world.topology.failover.rediscover_spread, milliseconds(3));
  ASSERT_EQ(s.world.hosts.size(), 1U);
  EXPECT_EQ(s.world.hosts[0].name, "vm");
  EXPECT_EQ(s.world.hosts[0].actors, (std::vector<std::string>{"client-1", "replica-2"}));
  EXPECT_EQ(s.world.hosts[0].wall_offset, milliseconds(-250));
  EXPECT_EQ(s.world.hosts[0].rate_ppb, -5);
  EXPECT_EQ(s.world.resource, ResourceMode::ge_rw_cas_id);
  EXPECT_EQ(s.world.objects, 2U);
  EXPECT_EQ(s.world.limits.virtual_time, seconds(60));
  EXPECT_EQ(s.world.limits.steps, 5000U);
  EXPECT_EQ(s.properties, std::vector<std::string>{"double-ownership"});
  EXPECT_EQ(s.sometimes, std::vector<std::string>{"key_lost"});
  EXPECT_EQ(s.expect.at("double-ownership"), Verdict::violated);
}

TEST(Decoder, ReadsClientsAndWorkload) {
  const Scenario s = decoded(kRich);

  EXPECT_EQ(s.client_count(), 3U);
  ASSERT_EQ(s.clients.size(), 2U);
  EXPECT_EQ(s.clients[0].algorithm, "fenced");
  EXPECT_EQ(s.clients[0].key, "k");
  EXPECT_EQ(s.clients[0].ttl, milliseconds(1500));
  EXPECT_EQ(s.clients[0].margin, milliseconds(5));
  EXPECT_EQ(s.clients[0].timeout, milliseconds(70));
  EXPECT_EQ(s.clients[0].retries, 4U);
  EXPECT_EQ(s.clients[0].pool, TimeoutPolicy::return_unread);
  EXPECT_EQ(s.clients[0].start, microseconds(1));
  EXPECT_EQ(s.clients[1].ttl, ClientConfig{}.ttl);
  EXPECT_EQ(s.workload.rounds, 3U);
  EXPECT_EQ(s.workload.work, seconds(3600));
  EXPECT_EQ(s.workload.think, Duration());
  EXPECT_EQ(s.workload.poll, milliseconds(9));
  EXPECT_EQ(s.workload.attempts, 7U);
  EXPECT_EQ(s.workload.effects, 2U);
  EXPECT_EQ(s.workload.resource_timeout, milliseconds(10));
  EXPECT_TRUE(s.workload.read_only);
  EXPECT_EQ(s.workload.unlock, Unlock::last);
  EXPECT_TRUE(s.workload.nested);
  EXPECT_EQ(s.workload.nested_ttl, milliseconds(40));
  EXPECT_TRUE(s.workload.nested_effects);
  EXPECT_EQ(s.workload.chains, 3U);
}

TEST(Decoder, ReadsFaultsWithTheirLines) {
  const Scenario s = decoded(kRich);

  ASSERT_EQ(s.world.faults.size(), 7U);
  const PlannedFault& pause = s.world.faults[0];
  EXPECT_EQ(pause.trigger.at, Instant::origin() + seconds(2));
  EXPECT_EQ(pause.kind, FaultKind::pause);
  EXPECT_EQ(pause.target, "vm");
  EXPECT_EQ(pause.length, seconds(9));
  EXPECT_EQ(pause.line, 18U);
  const PlannedFault& kill = s.world.faults[1];
  EXPECT_EQ(kill.trigger.at, std::nullopt);
  EXPECT_EQ(kill.trigger.label, Label::srv_applied);
  EXPECT_EQ(kill.trigger.actor, "redis-1");
  EXPECT_EQ(kill.trigger.client, "client-3");
  EXPECT_EQ(kill.trigger.command, "SET");
  EXPECT_EQ(kill.trigger.nth, 2U);
  EXPECT_FALSE(kill.restarts);
  EXPECT_EQ(kill.line, 19U);
  EXPECT_EQ(s.world.faults[2].direction, CutDirection::to_peer);
  EXPECT_EQ(s.world.faults[2].peer, "redis-1");
  EXPECT_EQ(s.world.faults[2].length, Duration::forever());
  EXPECT_EQ(s.world.faults[3].ppb, 100);
  EXPECT_EQ(s.world.faults[3].offset, seconds(-3));
  EXPECT_FALSE(s.world.faults[4].recovered);
  EXPECT_EQ(s.world.faults[5].key, "k");
  EXPECT_EQ(s.world.faults[6].dies, NodeDeath::os);
  EXPECT_TRUE(s.world.search.of.has(FaultKind::pause));
  EXPECT_TRUE(s.world.search.of.has(FaultKind::kill));
  EXPECT_FALSE(s.world.search.of.has(FaultKind::jump));
  EXPECT_TRUE(s.world.search.allows_label(Label::acq_sent));
  EXPECT_FALSE(s.world.search.allows_label(Label::res_sent));
  EXPECT_EQ(s.world.search.max, 2U);
}

TEST(Decoder, LeavesDefaultsToTheStructs) {
  const Scenario s = decoded(file_with("\"resource\": {}"));

  EXPECT_EQ(s.clients.at(0).ttl, ClientConfig{}.ttl);
  EXPECT_EQ(s.workload.rounds, WorkloadConfig{}.rounds);
  EXPECT_EQ(s.world.topology.network.delay_max, std::nullopt);
  EXPECT_TRUE(s.world.search.of.empty());
}

TEST(Decoder, WithoutAVocabularyAcceptsAnyName) {
  const std::string text =
      "{\"schema\": 1, \"name\": \"x\", \"clients\": [{\"algorithm\": \"my-own\"}],"
      " \"properties\": [\"mine\"], \"resource\": {\"mode\": \"ge_w\"}}";

  EXPECT_TRUE(decode_scenario(text, "x.json").scenario);
  EXPECT_FALSE(decode_scenario(text, "x.json", &kVocabulary).scenario);
}

}  // namespace
}  // namespace locklab
