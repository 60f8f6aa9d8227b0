// Set: values from the command line, with the checks of a file.
// SPDX-License-Identifier: Apache-2.0

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "scenarios/decoder.h"
#include "scenarios/decoder_testing.h"

namespace locklab {
namespace {

using testing_samples::kRich;
using testing_samples::kVocabulary;

Scenario rich() {
  return decode_scenario(kRich, "x.json", &kVocabulary).scenario.value();
}

std::string first_error(const std::vector<std::string>& assignments) {
  Scenario s = rich();
  const std::string before = canonical_json(s);
  const std::vector<Diagnostic> errors = apply_set(s, assignments, &kVocabulary);
  if (errors.empty()) return "none";
  EXPECT_EQ(canonical_json(s), before) << "changed although refused";
  return errors.front().headline();
}

TEST(Set, ReplacesOneValueAndRenewsTheHash) {
  Scenario s = rich();
  const std::uint64_t before = s.hash;

  EXPECT_TRUE(apply_set(s, "clients.0.ttl=2s", &kVocabulary).empty());

  EXPECT_EQ(s.clients[0].ttl, seconds(2));
  EXPECT_EQ(s.clients[1].ttl, ClientConfig{}.ttl);
  EXPECT_NE(s.hash, before);
  EXPECT_EQ(s.hash, scenario_hash(s));
}

TEST(Set, TakesEveryKindOfValueWithoutQuotes) {
  Scenario s = rich();

  const std::vector<std::string> assignments = {"resource.mode=none",
                                                "workload.rounds=5",
                                                "workload.read_only=false",
                                                "clients.1.key=other:key",
                                                "limits.virtual=30s",
                                                "search.faults.of=jump,rate",
                                                "search.faults.at=res.sent",
                                                "sometimes=promoted",
                                                "properties=[\"no-stale-write\"]",
                                                "expect={}",
                                                "hosts.0.rate_ppb=-7",
                                                "expect.no-stale-write=unknown"};
  const std::vector<Diagnostic> errors = apply_set(s, assignments, &kVocabulary);

  EXPECT_TRUE(errors.empty()) << render(errors);
  EXPECT_EQ(s.world.resource, ResourceMode::none);
  EXPECT_EQ(s.workload.rounds, 5U);
  EXPECT_FALSE(s.workload.read_only);
  EXPECT_EQ(s.clients[1].key, "other:key");
  EXPECT_EQ(s.world.limits.virtual_time, seconds(30));
  EXPECT_TRUE(s.world.search.of.has(FaultKind::rate));
  EXPECT_FALSE(s.world.search.of.has(FaultKind::pause));
  EXPECT_TRUE(s.world.search.allows_label(Label::res_sent));
  EXPECT_FALSE(s.world.search.allows_label(Label::acq_sent));
  EXPECT_EQ(s.sometimes, std::vector<std::string>{"promoted"});
  EXPECT_EQ(s.properties, std::vector<std::string>{"no-stale-write"});
  EXPECT_EQ(s.expect, (std::map<std::string, Verdict>{{"no-stale-write", Verdict::unknown}}));
  EXPECT_EQ(s.world.hosts[0].rate_ppb, -7);
}

TEST(Set, ReplacesWholeListsOfObjects) {
  Scenario s = rich();

  const auto errors =
      apply_set(s, R"(faults=[{"at": "1s", "kind": "kill", "target": "client-1", "length": "0s"}])",
                &kVocabulary);

  EXPECT_TRUE(errors.empty()) << render(errors);
  ASSERT_EQ(s.world.faults.size(), 1U);
  EXPECT_EQ(s.world.faults[0].kind, FaultKind::kill);
}

TEST(Set, ChecksTheWholeOnlyAfterTheLastAssignment) {
  EXPECT_EQ(first_error({"topology.nodes=3"}),
            "--set:1:1: error: only a single node can have replicas");
  EXPECT_EQ(first_error({"topology.nodes=3", "topology.replicas=0", "hosts=[]", "faults=[]"}),
            "none");
}

TEST(Set, PointsAtTheWrongPart) {
  EXPECT_EQ(first_error({"clients"}), "--set:1:1: error: expected key=value");
  EXPECT_EQ(first_error({"=1"}), "--set:1:1: error: expected key=value");
  EXPECT_EQ(first_error({"name=other"}),
            "--set:1:1: error: a scenario's name cannot be set: tokens find it by its name");
  EXPECT_EQ(first_error({"schema=1"}), "--set:1:1: error: unknown key \"schema\"");
  EXPECT_EQ(first_error({"clients.0.tll=1s"}), "--set:1:11: error: unknown key \"tll\"");
  EXPECT_EQ(first_error({"clients.2.ttl=1s"}),
            "--set:1:9: error: the list has 2 entries, counted from 0");
  EXPECT_EQ(first_error({"clients.-1.ttl=1s"}),
            "--set:1:9: error: the list has 2 entries, counted from 0");
  EXPECT_EQ(first_error({"clients.0.ttl.x=1s"}),
            "--set:1:15: error: this value has no keys of its own");
  EXPECT_EQ(first_error({"clients.0.ttl=8000"}), "--set:1:15: error: a duration needs a unit");
  EXPECT_EQ(first_error({"clients.0.ttl="}), "--set:1:15: error: \"\" is not a duration");
  EXPECT_EQ(first_error({"workload.rounds=many"}),
            "--set:1:17: error: expected an integer, found a string");
  EXPECT_EQ(first_error({"workload.rounds=0"}), "--set:1:17: error: out of range: 1 to 1000");
  EXPECT_EQ(first_error({"search.faults.of=pause,puase"}),
            "--set:1:24: error: no fault is named \"puase\"");
  EXPECT_EQ(first_error({"clients.0.algorithm=nope"}),
            "--set:1:21: error: no lock is named \"nope\"");
  EXPECT_EQ(
      first_error({"clients.0.algorithm=set-nx-px"}),
      "--set:1:21: error: \"set-nx-px\" issues no fences, but the resource's mode ge_rw+cas+id "
      "looks at them");
  EXPECT_EQ(first_error({"topology={"}), "--set:1:10: error: expected an object, found a string");
}

TEST(Set, OfNothingChangesNothing) {
  Scenario s = rich();
  const std::uint64_t before = s.hash;

  EXPECT_TRUE(apply_set(s, std::span<const std::string>{}).empty());

  EXPECT_EQ(s.hash, before);
}

}  // namespace
}  // namespace locklab
