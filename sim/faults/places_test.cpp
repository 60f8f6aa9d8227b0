// Faults at acq.sent and srv.replied: each that is recorded changes something, a row per kind.
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sim/faults/faults_testing.h"
#include "sim/faults/kinds_testing.h"

namespace locklab {
namespace {

using testing::at_label;
using testing::at_time;
using testing::kCalm;
using testing::Kit;
using testing::Seen;
using testing::Trial;

struct Row {
  FaultKind kind;
  Seen seen;
};

/// The calm run but for what one of them saw.
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
Seen clocks_saw(const std::string& clocks) {
  Seen seen = kCalm;
  seen.clocks = clocks;
  return seen;
}

/// At 20 ms, when the SET is on its way.
std::vector<Row> behind_the_sending() {
  return {
      {FaultKind::slow, client_saw("OK@34 v@52 end@152 ")},
      {FaultKind::lag, replica_saw("+other@10 +k@34 ")},
      {FaultKind::lost_reply, client_saw("unknown@30 v@40 end@140 ")},
      {FaultKind::reset, client_saw("unknown@25 v@35 end@135 ")},
      {FaultKind::stall, client_saw("OK@60 v@70 end@170 ")},
      {FaultKind::cancel, client_saw("sent@30 ")},
      {FaultKind::pause,
       {"OK@60 v@70 end@170 ", "woke@90 ", kCalm.other, kCalm.replica, kCalm.clocks}},
      {FaultKind::node_pause,
       {"OK@65 v@75 end@175 ", kCalm.sibling, "v@65 w@75 ", "+other@10 +k@65 ", kCalm.clocks}},
      {FaultKind::cut,
       {"OK@75 v@85 end@185 ", kCalm.sibling, "nil@60 w@70 ", "+other@10 +k@75 ", kCalm.clocks}},
      {FaultKind::panic, client_saw("sent@30 ")},
      {FaultKind::kill,
       {"unknown@20 unknown@20 unsent@20 ", "", kCalm.other, kCalm.replica, kCalm.clocks}},
      {FaultKind::node_kill,
       {"unknown@25 refused@30 end@130 ", kCalm.sibling, "refused@55 refused@60 ", "+other@10 ",
        kCalm.clocks}},
      {FaultKind::host_loss,
       {"unknown@120 unknown@220 end@320 ", kCalm.sibling, "unknown@150 unknown@250 ", "+other@10 ",
        kCalm.clocks}},
      {FaultKind::failover,
       {"OK@30 nil@40 end@140 ", kCalm.sibling, "nil@60 w@70 ", "+other@10 ", kCalm.clocks}},
      {FaultKind::evict,
       {kCalm.client, kCalm.sibling, "v@60 nil@70 ", "+other@10 -other@25 +k@30 ", kCalm.clocks}},
      {FaultKind::flush,
       {kCalm.client, kCalm.sibling, "v@60 nil@70 ", "+other@10 -other@25 +k@30 ", kCalm.clocks}},
      {FaultKind::slew, clocks_saw("4ms/4ms")},
      {FaultKind::rate, clocks_saw("40ms/40ms")},
      {FaultKind::jump, clocks_saw("4ms/0ms")},
      {FaultKind::suspend,
       {"OK@65 v@75 end@175 ", kCalm.sibling, "v@65 w@75 ", "+other@10 +k@65 ", "0ms/-40ms"}},
      {FaultKind::freeze,
       {"OK@65 v@75 end@175 ", kCalm.sibling, "v@65 w@75 ", "+other@10 +k@65 ", "-40ms/-40ms"}},
  };
}

/// At 25 ms, when the reply is on its way and the effect has not left.
std::vector<Row> behind_the_reply() {
  return {
      {FaultKind::slow, client_saw("OK@30 v@48 end@148 ")},
      {FaultKind::lag, replica_saw("+other@10 +k@34 ")},
      {FaultKind::lost_reply, client_saw("unknown@30 v@40 end@140 ")},
      {FaultKind::reset, kCalm},
      {FaultKind::stall, client_saw("OK@65 v@75 end@175 ")},
      {FaultKind::cancel, client_saw("sent@35 ")},
      {FaultKind::pause,
       {"OK@65 v@75 end@175 ", "woke@65 ", kCalm.other, kCalm.replica, kCalm.clocks}},
      {FaultKind::node_pause,
       {"OK@30 v@70 end@170 ", kCalm.sibling, "v@70 w@80 ", "+other@10 +k@70 ", kCalm.clocks}},
      {FaultKind::cut, client_saw("OK@75 v@85 end@185 ")},
      {FaultKind::panic, client_saw("sent@35 ")},
      {FaultKind::kill,
       {"unknown@25 unknown@25 unsent@25 ", "", kCalm.other, kCalm.replica, kCalm.clocks}},
      {FaultKind::node_kill,
       {"OK@30 refused@35 end@135 ", kCalm.sibling, "refused@55 refused@60 ", "+other@10 ",
        kCalm.clocks}},
      {FaultKind::host_loss,
       {"OK@30 unknown@130 end@230 ", kCalm.sibling, "unknown@150 unknown@250 ", "+other@10 ",
        kCalm.clocks}},
      {FaultKind::failover,
       {"OK@30 nil@40 end@140 ", kCalm.sibling, "nil@60 w@70 ", "+other@10 ", kCalm.clocks}},
      {FaultKind::evict,
       {"OK@30 nil@40 end@140 ", kCalm.sibling, "nil@60 w@70 ", "+other@10 +k@30 -k@30 ",
        kCalm.clocks}},
      {FaultKind::flush,
       {"OK@30 nil@40 end@140 ", kCalm.sibling, "nil@60 nil@70 ",
        "+other@10 +k@30 -k@30 -other@30 ", kCalm.clocks}},
      {FaultKind::slew, clocks_saw("4ms/4ms")},
      {FaultKind::rate, clocks_saw("40ms/40ms")},
      {FaultKind::jump, clocks_saw("4ms/0ms")},
      {FaultKind::suspend,
       {"OK@30 v@70 end@170 ", kCalm.sibling, "v@70 w@80 ", "+other@10 +k@70 ", "0ms/-40ms"}},
      {FaultKind::freeze,
       {"OK@30 v@70 end@170 ", kCalm.sibling, "v@70 w@80 ", "+other@10 +k@70 ", "-40ms/-40ms"}},
  };
}

void expect_rows(Label label, const std::vector<Row>& rows) {
  ASSERT_EQ(rows.size(), static_cast<std::size_t>(FaultKind::count) - 1);
  const std::uint32_t connections = Trial(FaultKind::none).kit().network().connection_count();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    SCOPED_TRACE(name_of(rows[i].kind));
    EXPECT_EQ(static_cast<std::size_t>(rows[i].kind), i + 1);
    Trial trial(rows[i].kind, label);
    EXPECT_EQ(trial.kit().count(EventKind::fault_begin), 1U);
    EXPECT_EQ(trial.seen(), rows[i].seen);
    // Of a reset behind the last byte only the next command takes notice: it connects anew.
    EXPECT_TRUE(trial.seen() != kCalm || trial.kit().network().connection_count() > connections);
  }
}

TEST(FaultPlaces, BehindTheSending) {
  expect_rows(Label::acq_sent, behind_the_sending());
}

TEST(FaultPlaces, BehindTheReply) {
  expect_rows(Label::srv_replied, behind_the_reply());
}

/// A client that sets a key and reads it 100 ms later; what it heard.
std::string heard_under(const PlannedFault& fault, Kit& kit) {
  kit.fault(fault);
  std::string heard;
  kit.client([&](Client& client) {
    heard += client.redis().set("k", "v").is_unknown() ? "unknown " : "OK ";
    client.sleep_for(100_ms);
    heard += client.redis().get("k").is_unknown() ? "unknown" : "v";
  });
  kit.run();
  return heard;
}

TEST(LostReply, IsDroppedWhereNoCommandIsUnanswered) {
  PlannedFault idle = at_time(50_ms, FaultKind::lost_reply, "client-1");
  idle.peer = "redis-1";
  Kit quiet;
  EXPECT_EQ(heard_under(idle, quiet), "OK v");
  EXPECT_EQ(quiet.count(EventKind::fault_begin), 0U);

  // The stream to a replica has no replies.
  Kit stream(testing::replicated_world(1));
  EXPECT_EQ(heard_under(at_label(Label::repl_before_send, FaultKind::lost_reply), stream), "OK v");
  EXPECT_EQ(stream.count(EventKind::fault_begin), 0U);
}

TEST(LostReply, ThatHasLeftIsLostOnItsWay) {
  PlannedFault late = at_time(8_ms, FaultKind::lost_reply, "client-1");
  late.peer = "redis-1";
  Kit kit;
  EXPECT_EQ(heard_under(late, kit), "unknown v");
  EXPECT_EQ(kit.times(EventKind::fault_begin), std::vector<Duration>{8_ms});
  EXPECT_EQ(kit.value_of("k"), "v");
}

TEST(LostReply, StrikesOnceWhereItIsDrawnTwice) {
  Kit kit(testing::searching(testing::small_world(), 2));
  kit.choices().strike(testing::value_of(FaultKind::lost_reply), {.label = Label::acq_sent});
  kit.choices().strike(testing::value_of(FaultKind::lost_reply), {.label = Label::srv_applied});
  kit.client([](Client& client) {
    client.process().begin_operation(Operation::acquire, {});
    EXPECT_TRUE(client.redis().set("k", "v").is_unknown());
  });
  kit.run();
  EXPECT_EQ(kit.count(EventKind::fault_begin), 1U);
  EXPECT_EQ(kit.world().choices().taken().size(), 1U);
}

TEST(Reset, IsDroppedWhereTheConnectionIsBroken) {
  Kit kit(testing::searching(testing::small_world(), 2));
  kit.choices().strike(testing::value_of(FaultKind::reset), {.label = Label::srv_applied});
  kit.choices().strike(testing::value_of(FaultKind::reset), {.label = Label::srv_replied});
  kit.client([](Client& client) { EXPECT_TRUE(client.redis().set("k", "v").is_unknown()); });
  kit.run();
  EXPECT_EQ(kit.count(EventKind::fault_begin), 1U);
}

}  // namespace
}  // namespace locklab
