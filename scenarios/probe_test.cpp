// Tests of the probe: whom it asks, what it waits for, and when it may say that nobody ever will.
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/probe.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "scenarios/decoder.h"
#include "scenarios/run.h"
#include "sim/sources.h"

namespace locklab {
namespace {

/// The calm run of a scenario whose body is this.
class Probed {
 public:
  explicit Probed(const std::string& body) {
    const DecodeResult decoded =
        decode_scenario("{\"schema\": 1, \"name\": \"x\", " + body + "}", "x");
    if (!decoded.scenario) throw std::runtime_error(render(decoded.errors));
    scenario_ = *decoded.scenario;
    execution_ = &runner_.run(scenario_, zeros_);
  }
  EndReason end() const { return execution_->end; }
  std::vector<Record> all(EventKind kind) const {
    std::vector<Record> found;
    for (const Record& record : execution_->history->records()) {
      if (record.kind == kind) found.push_back(record);
    }
    return found;
  }
  std::size_t count(EventKind kind) const { return all(kind).size(); }

 private:
  Scenario scenario_;
  Runner runner_;
  ZeroSource zeros_;
  const Execution* execution_ = nullptr;
};

const std::string kTwoKeys =
    "\"clients\": [{\"algorithm\": \"setnx-expire\", \"key\": \"a\"},"
    "{\"algorithm\": \"setnx-expire\", \"key\": \"b\"}]";

std::string killed_between(const std::string& client) {
  return ", \"faults\": [{\"label\": \"acq.between\", \"client\": \"" + client +
         "\", \"kind\": \"kill\", \"restarts\": false}]";
}

TEST(Probe, AsksForEachLockOnce) {
  const Probed two(kTwoKeys);
  EXPECT_EQ(two.end(), EndReason::finished);
  EXPECT_EQ(two.count(EventKind::probe_begin), 2U);
  EXPECT_EQ(two.count(EventKind::probe_acquired), 2U);
  const Probed one("\"clients\": [{\"count\": 3, \"algorithm\": \"set-nx-px\"}]");
  EXPECT_EQ(one.count(EventKind::probe_acquired), 1U);
}

TEST(Probe, IsBlockedByTheOrphanOfAnyLock) {
  for (const std::string client : {"client-1", "client-2"}) {
    const Probed probed(kTwoKeys + killed_between(client));
    EXPECT_EQ(probed.end(), EndReason::repeats) << client;
    ASSERT_EQ(probed.count(EventKind::probe_blocked), 1U) << client;
    EXPECT_EQ(static_cast<BlockingFact>(probed.all(EventKind::probe_blocked)[0].arg),
              BlockingFact::orphan_key);
    EXPECT_EQ(probed.count(EventKind::probe_acquired), client == "client-1" ? 0U : 1U);
  }
}

TEST(Probe, WaitsForAKeyThatExpires) {
  const Probed probed(
      "\"clients\": [{\"algorithm\": \"set-nx-px\", \"ttl\": \"3s\"}], \"faults\": [{\"label\": "
      "\"acq.return\", \"kind\": \"kill\", \"restarts\": false}]");
  EXPECT_EQ(probed.end(), EndReason::finished);
  const std::vector<Record> begun = probed.all(EventKind::probe_begin);
  const std::vector<Record> acquired = probed.all(EventKind::probe_acquired);
  ASSERT_TRUE(begun.size() == 1 && acquired.size() == 1);
  const Duration waited = acquired[0].at() - begun[0].at();
  EXPECT_GT(waited, seconds(2));
  EXPECT_LE(waited, duration_from_bits(begun[0].result));
}

TEST(Probe, HealsAQuorumAndNoMore) {
  std::string faults;
  for (const char* node : {"redis-1", "redis-2", "redis-3", "redis-4"}) {
    faults += (faults.empty() ? "" : ", ") +
              std::string("{\"at\": \"1ms\", \"kind\": \"node-kill\", ") + "\"target\": \"" + node +
              "\", \"restarts\": false}";
  }
  const Probed probed(
      "\"topology\": {\"nodes\": 5}, \"clients\": [{\"algorithm\": \"redlock\"}], "
      "\"workload\": {\"attempts\": 3}, \"faults\": [" +
      faults + "]");
  EXPECT_EQ(probed.end(), EndReason::finished);
  EXPECT_EQ(probed.count(EventKind::restarted), 2U);
  EXPECT_EQ(probed.count(EventKind::probe_acquired), 1U);
}

TEST(Probe, HealsTheOneServerThatALockAsks) {
  const Probed probed(
      "\"topology\": {\"nodes\": 3}, \"clients\": [{\"count\": 2, \"algorithm\": "
      "\"set-nx-px\"}], \"workload\": {\"attempts\": 2}, \"faults\": [{\"at\": \"1ms\", "
      "\"kind\": \"node-kill\", \"target\": \"redis-1\", \"restarts\": false}]");
  EXPECT_EQ(probed.end(), EndReason::finished);
  EXPECT_EQ(probed.count(EventKind::restarted), 1U);
  EXPECT_EQ(probed.count(EventKind::probe_acquired), 1U);
}

TEST(Probe, FindsThePrimaryThatItsClientsNeverReached) {
  const Probed probed(
      "\"topology\": {\"replicas\": 1}, \"clients\": [{\"algorithm\": \"set-nx-px\"}], "
      "\"workload\": {\"attempts\": 2}, \"faults\": [{\"at\": \"1ms\", \"kind\": \"node-kill\", "
      "\"target\": \"redis-1\", \"restarts\": false}]");
  EXPECT_EQ(probed.end(), EndReason::finished);
  EXPECT_EQ(probed.count(EventKind::probe_acquired), 1U);
}

}  // namespace
}  // namespace locklab
