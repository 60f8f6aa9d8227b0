// Faults, a row per kind: whom each strikes, when it ends, what it changes and what it does not.
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sim/faults/kinds_testing.h"

namespace locklab {
namespace {

using testing::kCalm;
using testing::Seen;
using testing::since_start;
using testing::Trial;

struct Row {
  FaultKind kind;
  std::string_view victim;
  std::vector<Duration> ended;  // The record fault_end; what only happens has none.
  Seen seen;
};

/// The calm run but for what the client saw, and so on.
Seen client_saw(const std::string& client) {
  Seen seen = kCalm;
  seen.client = client;
  return seen;
}
Seen replica_saw(const std::string& replica) {
  Seen seen = kCalm;
  seen.replica = replica;
  return seen;
}
Seen clocks_gained(const std::string& clocks) {
  Seen seen = kCalm;
  seen.clocks = clocks;
  return seen;
}
/// redis-1 stands still from 25 to 65 ms.
Seen server_stood(const std::string& clocks) {
  return {"OK@70 v@80 end@180 ", "woke@50 ", "v@70 w@80 ", "+other@10 +k@70 ", clocks};
}

std::vector<Row> weak_kinds() {
  return {
      {FaultKind::slow, "client-1", {65_ms}, client_saw("OK@34 v@52 end@152 ")},
      {FaultKind::lag, "replica-1", {65_ms}, replica_saw("+other@10 +k@34 ")},
      {FaultKind::lost_reply, "redis-1", {}, client_saw("unknown@30 v@40 end@140 ")},
      {FaultKind::reset, "redis-1", {}, client_saw("unknown@30 v@40 end@140 ")},
      {FaultKind::stall, "client-1", {}, client_saw("OK@65 v@75 end@175 ")},
      {FaultKind::cancel, "client-1", {}, client_saw("sent@35 ")},
      {FaultKind::pause,
       "client-1",
       {},
       {"OK@65 v@75 end@175 ", "woke@65 ", kCalm.other, kCalm.replica, kCalm.clocks}},
      {FaultKind::node_pause, "redis-1", {}, server_stood("0ms/0ms")},
      {FaultKind::cut, "client-1", {65_ms}, client_saw("OK@75 v@85 end@185 ")},
  };
}

std::vector<Row> ends_and_losses() {
  const std::string only_other = "+other@10 ";
  return {
      {FaultKind::panic, "client-1", {}, client_saw("sent@35 ")},
      {FaultKind::kill,
       "client-1",
       {},
       {"unknown@25 unknown@25 unsent@25 ", "", kCalm.other, kCalm.replica, kCalm.clocks}},
      {FaultKind::node_kill,
       "redis-1",
       {},
       {"unknown@30 refused@35 end@135 ", "woke@50 ", "refused@55 refused@60 ", only_other,
        kCalm.clocks}},
      {FaultKind::host_loss,
       "redis-1",
       {},
       {"unknown@120 unknown@220 end@320 ", "woke@50 ", "unknown@150 unknown@250 ", only_other,
        kCalm.clocks}},
      {FaultKind::failover,
       "redis-1",
       {},
       {"OK@30 nil@40 end@140 ", "woke@50 ", "nil@60 w@70 ", only_other, kCalm.clocks}},
      {FaultKind::evict,
       "redis-1",
       {},
       {"OK@30 nil@40 end@140 ", "woke@50 ", "nil@60 w@70 ", "+other@10 +k@30 -k@30 ",
        kCalm.clocks}},
      {FaultKind::flush,
       "redis-1",
       {},
       {"OK@30 nil@40 end@140 ", "woke@50 ", "nil@60 nil@70 ", "+other@10 +k@30 -k@30 -other@30 ",
        kCalm.clocks}},
  };
}

std::vector<Row> clock_kinds() {
  return {
      {FaultKind::slew, "redis-1", {65_ms}, clocks_gained("4ms/4ms")},
      {FaultKind::rate, "redis-1", {65_ms}, clocks_gained("40ms/40ms")},
      {FaultKind::jump, "redis-1", {}, clocks_gained("4ms/0ms")},
      {FaultKind::suspend, "redis-1", {65_ms}, server_stood("0ms/-40ms")},
      {FaultKind::freeze, "redis-1", {65_ms}, server_stood("-40ms/-40ms")},
  };
}

std::vector<Row> all_kinds() {
  std::vector<Row> rows = weak_kinds();
  for (const std::vector<Row>& more : {ends_and_losses(), clock_kinds()})
    rows.insert(rows.end(), more.begin(), more.end());
  return rows;
}

TEST(FaultKinds, EachHasARow) {
  std::vector<FaultKind> listed;
  for (const Row& row : all_kinds())
    listed.push_back(row.kind);
  std::vector<FaultKind> all;
  for (unsigned kind = 1; kind < static_cast<unsigned>(FaultKind::count); ++kind)
    all.push_back(static_cast<FaultKind>(kind));
  EXPECT_EQ(listed, all);
}

TEST(FaultKinds, ChangeWhatTheirRowSaysAndNothingElse) {
  EXPECT_EQ(Trial(FaultKind::none).seen(), kCalm);
  for (const Row& row : all_kinds())
    EXPECT_EQ(Trial(row.kind).seen(), row.seen) << name_of(row.kind);
}

TEST(FaultKinds, RecordTheirBeginningAndIfTheyLastTheirEnd) {
  for (const Row& row : all_kinds()) {
    SCOPED_TRACE(name_of(row.kind));
    Trial trial(row.kind);
    ASSERT_EQ(trial.kit().count(EventKind::fault_begin), 1U);
    const Record begin = trial.kit().all(EventKind::fault_begin).at(0);
    EXPECT_EQ(since_start(begin), 25_ms);
    EXPECT_EQ(trial.kit().world().name(begin.who()), row.victim);
    EXPECT_EQ(begin.label, Label::srv_applied);
    EXPECT_EQ(begin.arg & 0xff, static_cast<std::int64_t>(row.kind));
    EXPECT_EQ(duration_from_bits(begin.result), 40_ms);
    EXPECT_EQ(duration_from_bits(begin.local), 4_ms);
    EXPECT_FALSE(begin.hold_id());  // Nobody's doing.
    EXPECT_EQ(trial.kit().times(EventKind::fault_end), row.ended);
    for (const Record& end : trial.kit().all(EventKind::fault_end)) {
      EXPECT_EQ(end.arg, static_cast<std::int64_t>(row.kind));
      EXPECT_EQ(end.who(), begin.who());
    }
  }
}

}  // namespace
}  // namespace locklab
