// Canonical text: what it holds, what it leaves out, and that it reads back.
// SPDX-License-Identifier: Apache-2.0

#include <string>

#include <gtest/gtest.h>

#include "scenarios/decoder.h"
#include "scenarios/decoder_testing.h"

namespace locklab {
namespace {

using testing_samples::file_with;
using testing_samples::kRich;

Scenario decoded(const std::string& text) {
  DecodeResult result = decode_scenario(text, "x.json");
  EXPECT_TRUE(result.scenario) << render(result.errors);
  return result.scenario.value_or(Scenario{});
}

TEST(CanonicalJson, HoldsOnlyWhatDiffersFromDefaultsWithSortedKeys) {
  const Scenario s = decoded(file_with(
      R"("workload": {"rounds": 2, "work": "0.5s"}, "limits": {"steps": 100000}, "hosts": [])"));

  EXPECT_EQ(canonical_json(s), R"({"clients":[{"algorithm":"set-nx-px"}],"name":"x","schema":1,)"
                               R"("workload":{"work":"500ms"}})");
}

TEST(CanonicalJson, LeavesOutWhatIsForPeople) {
  const std::string told =
      R"("title": "t", "tags": ["a"], "notes": "n", "x-mine": 1,)"
      R"("expect": {"double-ownership": "violated"}, "tell": "double-ownership")";

  EXPECT_EQ(canonical_json(decoded(file_with(told))),
            canonical_json(decoded(file_with("\"hosts\":[]"))));
}

TEST(CanonicalJson, KeepsEveryKeyThatActs) {
  EXPECT_EQ(
      canonical_json(decoded(kRich)),
      R"({"clients":[{"algorithm":"fenced","count":2,"key":"k","margin":"5ms","pool":"reuse",)"
      R"("retries":4,"start":"1us","timeout":"70ms","ttl":"1.5s"},{"algorithm":"fenced"}],)"
      R"("faults":[{"at":"2s","kind":"pause","length":"9s","target":"vm"},)"
      R"({"actor":"redis-1","client":"client-3","command":"SET","kind":"kill","label":"srv.applied",)"
      R"("nth":2,"restarts":false},)"
      R"({"direction":"to-peer","kind":"cut","label":"acq.sent","peer":"redis-1"},)"
      R"({"at":"1s","kind":"slew","offset":"-3s","ppb":100,"target":"client-2"},)"
      R"({"at":"1s","kind":"panic","recovered":false,"target":"idle-1"},)"
      R"({"at":"1s","key":"k","kind":"evict","target":"redis-1"},)"
      R"({"at":"1s","dies":"os","kind":"node-kill","length":"9ms","target":"redis-1"}],)"
      R"("hosts":[{"actors":["client-1","replica-2"],"name":"vm","rate_ppb":-5,"wall_offset":"-250ms"}],)"
      R"("limits":{"steps":5000,"virtual":"1m"},"name":"rich","properties":["double-ownership"],)"
      R"("resource":{"mode":"ge_rw+cas+id","objects":2},"schema":1,)"
      R"("search":{"faults":{"at":["acq.sent"],"max":2,"of":["pause","kill"]}},)"
      R"("sometimes":["key_lost"],)"
      R"("topology":{"failover":{"automatic":false,"demote_after":"2s","detect":"800ms",)"
      R"("detect_spread":"1ms","rediscover_spread":"3ms"},"idle_clients":1,)"
      R"("network":{"delay_max":"6ms","heal_backoff":"0ms","latency":"2ms"},"replicas":2},)"
      R"("workload":{"attempts":7,"chains":3,"effects":2,"nested":true,"nested_effects":true,)"
      R"("nested_ttl":"40ms","poll":"9ms","read_only":true,"resource_timeout":"10ms","rounds":3,"think":"0ms","unlock":"last","work":"1h"}})");
}

TEST(CanonicalJson, ReadsBackToItself) {
  const Scenario s = decoded(kRich);
  const Scenario again = decoded(canonical_json(s));

  EXPECT_EQ(canonical_json(again), canonical_json(s));
  EXPECT_EQ(again.hash, s.hash);
}

TEST(CanonicalJson, KeepsASearchThatMayDrawNothing) {
  const Scenario s = decoded(file_with(R"("search": {"faults": {"of": ["pause"], "max": 0}})"));

  EXPECT_EQ(canonical_json(decoded(canonical_json(s))), canonical_json(s));
}

TEST(ScenarioHash, ChangesWithWhatActsAndOnlyThen) {
  const Scenario plain = decoded(file_with("\"hosts\": []"));
  const Scenario told = decoded(file_with("/* c */ \"title\": \"other\""));
  const Scenario longer = decoded(file_with("\"workload\": {\"rounds\": 3}"));

  EXPECT_EQ(plain.hash, told.hash);
  EXPECT_NE(plain.hash, longer.hash);
  EXPECT_NE(plain.hash, 0U);
}

TEST(ScenarioHash, OfAKnownTextNeverChanges) {
  // Tokens in bug reports carry it: another value here would make all of them stale.
  EXPECT_EQ(decoded(file_with("\"hosts\": []")).hash, 16738204550693451626U);
}

}  // namespace
}  // namespace locklab
