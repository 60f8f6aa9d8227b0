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

/// The fact of the only probe_blocked; none: there is none, or more than one.
BlockingFact fact_of(const Probed& probed) {
  const std::vector<Record> blocked = probed.all(EventKind::probe_blocked);
  return blocked.size() == 1 ? static_cast<BlockingFact>(blocked[0].arg) : BlockingFact::none;
}

TEST(Probe, IsBlockedByAWatchdogWhoseWorkerIsGone) {
  const Probed probed(
      "\"clients\": [{\"count\": 2, \"algorithm\": \"watchdog-leaking\"}], \"workload\": "
      "{\"unlock\": \"last\"}, \"faults\": "
      "[{\"label\": \"hold.check_ok\", \"client\": \"client-1\", \"kind\": \"panic\", "
      "\"recovered\": true}]");
  EXPECT_EQ(fact_of(probed), BlockingFact::live_watchdog);
}

TEST(Probe, IsBlockedByACountThatItsReleaseHasLeft) {
  const Probed probed(
      "\"clients\": [{\"count\": 2, \"algorithm\": \"reentrant-retried\"}], \"faults\": "
      "[{\"label\": \"srv.applied\", \"client\": \"client-1\", \"nth\": 2, \"kind\": "
      "\"lost-reply\"}]");
  EXPECT_EQ(fact_of(probed), BlockingFact::count_above_zero);
}

TEST(Probe, IsBlockedByAReplicaThatCannotAcknowledge) {
  const Probed probed(
      "\"topology\": {\"replicas\": 1}, \"clients\": [{\"count\": 2, \"algorithm\": "
      "\"set-nx-px-wait\"}], \"workload\": {\"attempts\": 5}, \"faults\": [{\"at\": \"1ms\", "
      "\"kind\": \"node-kill\", \"target\": \"replica-1\", \"restarts\": false}]");
  EXPECT_EQ(fact_of(probed), BlockingFact::no_quorum);
}

TEST(Probe, IsBlockedByAFenceThatNoLaterGrantWillEqual) {
  const std::string clients =
      "\"clients\": [{\"count\": 2, \"algorithm\": \"set-nx-px-fenced\"}], ";
  EXPECT_EQ(fact_of(Probed(clients + "\"resource\": {\"mode\": \"eq\"}")),
            BlockingFact::fence_lock_out);
  EXPECT_EQ(Probed(clients + "\"resource\": {\"mode\": \"ge_rw\"}").end(), EndReason::finished);
}

/// The counter is behind the resource by the grants that the failover has lost; each grant that is
/// refused brings it one nearer.
TEST(Probe, WaitsForACounterThatCatchesUp) {
  const Probed probed(
      "\"topology\": {\"replicas\": 1}, \"resource\": {\"mode\": \"ge_rw\"}, \"clients\": "
      "[{\"count\": 1, \"algorithm\": \"incr-fence-in-script\"}], \"workload\": {\"rounds\": 4}, "
      "\"faults\": [{\"label\": \"rel.return\", \"nth\": 4, \"kind\": \"flush\", "
      "\"target\": \"redis-1\"}]");
  EXPECT_EQ(probed.end(), EndReason::finished);
  EXPECT_EQ(probed.count(EventKind::probe_acquired), 1U);
  const std::vector<Record> returns = probed.all(EventKind::op_return);
  const auto refused = std::count_if(returns.begin(), returns.end(), [](const Record& record) {
    return record.has(event_flags::kProbe) && record.fence != 0 && record.fence < 4;
  });
  EXPECT_EQ(refused, 3);
}

/// Its key has no expiry, and frees itself all the same: the state is not the same at another time
/// of day.
TEST(Probe, IsNotBlockedByATimestampThatWillPass) {
  const Probed probed(
      "\"clients\": [{\"count\": 2, \"algorithm\": \"getset-timestamp\"}], \"workload\": "
      "{\"attempts\": 3}, \"faults\": [{\"label\": \"acq.return\", \"client\": \"client-1\", "
      "\"kind\": \"kill\", \"restarts\": false}]");
  EXPECT_EQ(probed.end(), EndReason::finished);
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
