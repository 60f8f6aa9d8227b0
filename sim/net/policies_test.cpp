// Policies of a client library: what it sends again by itself, and what it leaves unread.
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sim/resource/resource.h"
#include "sim/testing.h"

namespace locklab {
namespace {

using testing::at_label;
using testing::at_time;
using testing::Kit;

constexpr std::uint32_t kRetries = 2;

Client retrying(Client& client) {
  return {client.process(), client.stage(), 100_ms, kRetries};
}

TEST(Retry, IsSentOverAnotherConnectionWhenTheReplyIsLost) {
  Kit kit;
  kit.fault(at_label(Label::acq_sent, FaultKind::lost_reply));
  kit.client([](Client& client) {
    client.process().begin_operation(Operation::acquire, {});
    Client again = retrying(client);
    EXPECT_TRUE(again.redis().setnx("k", "mine").is_integer(0));  // Its own key refuses it.
    EXPECT_EQ(again.redis().get("k").text(), "mine");
  });
  kit.run();
  EXPECT_EQ(kit.count(EventKind::key_set), 1U);
  EXPECT_EQ(kit.network().connection_count(), 2U);
}

TEST(Retry, CountsTwiceWhatWasExecuted) {
  for (const bool retries : {false, true}) {
    Kit kit;
    kit.fault(at_label(Label::acq_sent, FaultKind::lost_reply));
    kit.client([&](Client& client) {
      client.process().begin_operation(Operation::acquire, {});
      Client again = retrying(client);
      const Answer count = (retries ? again : client).redis().incr("n");
      EXPECT_EQ(count.is_unknown(), !retries);
      EXPECT_EQ(count.is_integer(2), retries);
    });
    kit.run();
    EXPECT_EQ(kit.value_of("n"), retries ? "2" : "1");
  }
}

TEST(Retry, WaitsLongerEachTimeAndThenGivesUp) {
  Kit kit;
  PlannedFault pause = at_time(0_ms, FaultKind::node_pause, "redis-1");
  pause.length = 1_s;
  kit.fault(pause);
  kit.client(
      [](Client& client) { EXPECT_TRUE(retrying(client).redis().set("k", "v").is_unknown()); });
  kit.run_clients();
  // 100 ms each, and 8 ms before each retry: what is added to that at random is 0 here.
  EXPECT_EQ(kit.times(EventKind::timed_out), (std::vector<Duration>{100_ms, 208_ms, 316_ms}));
}

TEST(Retry, WaitsAtRandomUpToTwiceAsLongEachTime) {
  Kit kit;
  PlannedFault pause = at_time(0_ms, FaultKind::node_pause, "redis-1");
  pause.length = 1_s;
  kit.fault(pause);
  kit.client(
      [](Client& client) { EXPECT_TRUE(retrying(client).redis().set("k", "v").is_unknown()); });
  kit.begin();
  for (const std::uint32_t nth : {1U, 2U})
    kit.choices().set(ChoiceKind::retry_jitter, 31, {.actor = kit.actor("client-1"), .nth = nth});
  kit.run_until(1_s);
  // Less than 16 ms more before the first retry, and less than 32 ms before the second.
  const std::vector<Duration> times = kit.times(EventKind::timed_out);
  ASSERT_EQ(times.size(), 3U);
  EXPECT_GT(times[1], 216_ms);
  EXPECT_LT(times[1], 224_ms);
  EXPECT_GT(times[2] - times[1], 124_ms);
  EXPECT_LT(times[2] - times[1], 140_ms);
  EXPECT_LE(times[2], longest_command(100_ms, kRetries));
}

TEST(Retry, ReachesAServerThatHasComeBack) {
  Kit kit;
  PlannedFault kill = at_time(0_ms, FaultKind::node_kill, "redis-1");
  kill.length = 20_ms;
  kit.fault(kill);
  kit.client(
      [](Client& client) {
        EXPECT_TRUE(client.redis().set("k", "v").is_unreachable());
        EXPECT_TRUE(retrying(client).redis().set("k", "v").is_ok());
      },
      1_ms);
  kit.run();
}

TEST(Retry, AsksOnlyThoseWhoHaveNotAnswered) {
  WorldConfig config = testing::small_world();
  config.topology.nodes = 3;
  Kit kit(config);
  PlannedFault pause = at_time(0_ms, FaultKind::node_pause, "redis-2");
  pause.length = 110_ms;
  kit.fault(pause);
  kit.client([](Client& client) {
    for (const Answer& answer : retrying(client).all_nodes().set_all("k", "v", {.px = 1_s}))
      EXPECT_TRUE(answer.is_ok());
  });
  kit.run_clients();
  EXPECT_EQ(kit.count(EventKind::sent), 4U);
}

TEST(Retry, IsNotForWaitWhichSpeaksOfItsConnection) {
  Kit kit(testing::replicated_world(1));
  kit.fault(at_label(Label::acq_sent, FaultKind::lost_reply));
  kit.client([](Client& client) {
    client.process().begin_operation(Operation::acquire, {});
    EXPECT_TRUE(retrying(client).redis().wait(1, 50_ms).is_unknown());
  });
  kit.run();
  EXPECT_EQ(kit.count(EventKind::sent), 1U);
}

TEST(Retry, IsNotOfTheDead) {
  Kit kit;
  kit.fault(at_label(Label::acq_sent, FaultKind::lost_reply));
  PlannedFault kill = at_time(15_ms, FaultKind::kill, "client-1");
  kill.restarts = false;
  kit.fault(kill);
  kit.client([](Client& client) {
    client.process().begin_operation(Operation::acquire, {});
    retrying(client).redis().incr("n");
    ADD_FAILURE() << "killed while it waited to send again";
  });
  kit.run();
  EXPECT_EQ(kit.value_of("n"), "1");
}

TEST(Retry, IsOfDestructorsToo) {
  Kit kit;
  kit.fault(at_label(Label::rel_sent, FaultKind::lost_reply));
  kit.client([](Client& client) {
    struct Unlock {
      explicit Unlock(Client& of) : client(of) {}
      Unlock(const Unlock&) = delete;
      Unlock& operator=(const Unlock&) = delete;
      ~Unlock() {
        client.process().begin_operation(Operation::release, {});
        EXPECT_TRUE(retrying(client).redis().incr("n").is_integer(2));
      }
      Client& client;
    };
    const Unlock deferred(client);
    client.panic(true);
  });
  kit.run();
  EXPECT_EQ(kit.value_of("n"), "2");
}

TEST(Retry, IsNotOfACallThatWasCancelled) {
  Kit kit;
  kit.fault(at_label(Label::acq_sent, FaultKind::cancel));
  PlannedFault again = at_label(Label::rel_sent, FaultKind::cancel);
  kit.fault(again);
  kit.client([](Client& client) {
    struct Unlock {
      explicit Unlock(Client& of) : client(of) {}
      Unlock(const Unlock&) = delete;
      Unlock& operator=(const Unlock&) = delete;
      ~Unlock() {
        client.process().begin_operation(Operation::release, {});
        retrying(client).redis().del("k");
      }
      Client& client;
    };
    const Unlock deferred(client);
    client.process().begin_operation(Operation::acquire, {});
    retrying(client).redis().set("k", "v");
  });
  kit.run();
  EXPECT_EQ(kit.count(EventKind::sent), 2U);  // SET and DEL, once each.
}

TEST(Retry, ReadsTheReplyToItsFirstTryWhereThePoolKeepsIt) {
  Kit kit;
  PlannedFault slow = at_time(0_ms, FaultKind::slow, "client-1");
  slow.peer = "redis-1";
  slow.offset = 120_ms;
  slow.length = 10_ms;
  kit.fault(slow);
  kit.client([](Client& client) {
    client.process().timeout_policy = TimeoutPolicy::return_unread;
    EXPECT_TRUE(retrying(client).redis().incr("n").is_integer(1));  // Though it is 2 by then.
  });
  kit.run();
  EXPECT_EQ(kit.value_of("n"), "2");
  EXPECT_EQ(kit.network().connection_count(), 1U);
}

// --- What is left unread

TEST(Unread, ReplyOfACancelledCallIsReadByTheNextUnlessItsConnectionIsClosed) {
  for (const TimeoutPolicy policy :
       {TimeoutPolicy::close_connection, TimeoutPolicy::return_unread}) {
    Kit kit;
    std::string seen;
    kit.client([&](Client& client) {
      client.process().timeout_policy = policy;
      const std::uint32_t other = client.process().go([&client] {
        client.redis().command({"ECHO", "first"});
        ADD_FAILURE() << "cancelled while it waited";
      });
      client.sleep_for(1_ms);
      client.process().cancel(other);
      client.sleep_for(1_ms);
      seen = client.redis().command({"ECHO", "second"}).text();
    });
    kit.run();
    EXPECT_EQ(seen, policy == TimeoutPolicy::return_unread ? "first" : "second");
  }
}

TEST(Unread, IsNothingFromTheResource) {
  Kit kit;
  PlannedFault slow = at_time(0_ms, FaultKind::slow, "client-1");
  slow.peer = "resource";
  slow.offset = 120_ms;
  slow.length = 10_ms;
  kit.fault(slow);
  kit.client([](Client& client) {
    client.process().timeout_policy = TimeoutPolicy::return_unread;
    ResourceRequest read;
    read.op = ResourceOp::read;
    Request request;
    request.server = client.stage().resource->id();
    request.body = &read;
    CallResult result;
    client.process().call({&request, 1}, 100_ms, {}, {&result, 1});
    EXPECT_EQ(result.state, CallState::timed_out);
    client.process().call({&request, 1}, 100_ms, {}, {&result, 1});
    EXPECT_TRUE(result.is_replied());
  });
  kit.run();
  EXPECT_EQ(kit.network().connection_count(), 2U);
}

/// GET after GET, 100 ms each at most, while redis-1's machine is lost from 20 to 170 ms.
std::string asked_of_a_lost_machine(TimeoutPolicy policy, Duration start) {
  Kit kit;
  PlannedFault loss = at_time(20_ms, FaultKind::host_loss, "redis-1");
  loss.length = 150_ms;
  kit.fault(loss);
  std::string heard;
  kit.client(
      [&](Client& client) {
        client.process().timeout_policy = policy;
        if (start == Duration()) client.redis().get("k");
        client.sleep_until(LocalInstant::origin() + 30_ms);
        while (kit.now() < 245_ms) {
          heard += client.redis().get("k").is_unknown() ? "unknown@" : "nil@";
          heard += std::to_string(times_in(1_ms, kit.now())) + " ";
        }
      },
      start);
  kit.run();
  return heard;
}

TEST(HalfOpenConnection, OfAPoolIsResetByTheMachineThatIsBack) {
  EXPECT_EQ(asked_of_a_lost_machine(TimeoutPolicy::return_unread, {}),
            "unknown@130 unknown@230 unknown@240 nil@250 ");
}

TEST(HalfOpenConnection, IsClosedByWhoTimesOut) {
  EXPECT_EQ(asked_of_a_lost_machine(TimeoutPolicy::close_connection, {}),
            "unknown@130 unknown@230 nil@240 nil@250 ");
}

TEST(HalfOpenConnection, IsNoneWhereNobodyAnsweredTheAttemptToConnect) {
  EXPECT_EQ(asked_of_a_lost_machine(TimeoutPolicy::return_unread, 30_ms),
            "unknown@130 unknown@230 nil@240 nil@250 ");
}

}  // namespace
}  // namespace locklab
