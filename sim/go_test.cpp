// Go's vocabulary: channels, select, tickers, contexts, and the operation that a fiber belongs to.
// SPDX-License-Identifier: Apache-2.0
#include "sim/go.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sim/contract.h"
#include "sim/go_testing.h"

namespace locklab {
namespace {

using testing::at_time;
using testing::Kit;
using testing::run;

// --- Channels

TEST(Channel, WithoutABufferHandsOverOneByOne) {
  run([](Client& client, Kit&) {
    Channel<int> channel(client);
    std::string order;
    client.go([&] {
      for (int i = 1; i <= 3; ++i) {
        channel.send(i);
        order += "s" + std::to_string(i) + " ";
      }
      channel.close();
    });
    while (const std::optional<int> value = channel.receive()) {
      order += "r" + std::to_string(*value) + " ";
      client.sleep_for(1_ms);
    }
    EXPECT_EQ(order, "r1 s1 r2 s2 r3 s3 ");
  });
}

TEST(Channel, WithABufferBlocksTheSenderOnlyWhenItIsFull) {
  run([](Client& client, Kit& kit) {
    Channel<int> channel(client, 2);
    std::vector<Duration> sent;
    client.go([&] {
      for (int i = 0; i < 4; ++i) {
        channel.send(i);
        sent.push_back(kit.now());
      }
    });
    client.sleep_for(10_ms);
    EXPECT_EQ(sent.size(), 2U);
    EXPECT_EQ(channel.receive(), 0);
    client.sleep_for(10_ms);
    EXPECT_EQ(sent.size(), 3U);
    for (int i = 1; i < 4; ++i)
      EXPECT_EQ(channel.receive(), i);
    client.sleep_for(1_ms);
    EXPECT_EQ(sent, (std::vector<Duration>{{}, {}, 10_ms, 20_ms}));
  });
}

TEST(Channel, IsDrainedBeforeItSaysThatItIsClosed) {
  run([](Client& client, Kit&) {
    Channel<int> channel(client, 2);
    channel.send(1);
    channel.close();
    EXPECT_TRUE(channel.closed());
    EXPECT_EQ(channel.receive(), 1);
    EXPECT_EQ(channel.receive(), std::nullopt);
    EXPECT_EQ(channel.receive(), std::nullopt);
  });
}

TEST(Channel, ClosingWakesWhoWaits) {
  run([](Client& client, Kit& kit) {
    Channel<int> channel(client);
    Duration ended;
    client.go([&] {
      EXPECT_EQ(channel.receive(), std::nullopt);
      ended = kit.now();
    });
    client.sleep_for(5_ms);
    channel.close();
    client.sleep_for(5_ms);
    EXPECT_EQ(ended, 5_ms);
  });
}

TEST(Channel, GivesEachItemToOneReceiverAndTheOthersWaitOn) {
  run([](Client& client, Kit&) {
    Channel<int> channel(client, 4);
    std::vector<int> first;
    std::vector<int> second;
    for (std::vector<int>* mine : {&first, &second}) {
      client.go([&channel, mine] {
        while (const std::optional<int> value = channel.receive())
          mine->push_back(*value);
      });
    }
    client.sleep_for(1_ms);
    channel.send(1);
    client.sleep_for(1_ms);
    channel.send(2);
    client.sleep_for(1_ms);
    EXPECT_EQ(first.size() + second.size(), 2U);
    channel.close();
    client.sleep_for(1_ms);
  });
}

TEST(Channel, TakenByOneDoesNotLookClosedToAnother) {
  run([](Client& client, Kit& kit) {
    Channel<int> channel(client, 1);
    Duration got;
    client.go([&] {
      EXPECT_EQ(channel.receive(), 2);
      got = kit.now();
    });
    client.sleep_for(1_ms);
    channel.send(1);
    EXPECT_EQ(channel.take(), 1);  // Before the woken receiver runs.
    client.sleep_for(1_ms);
    EXPECT_EQ(got, Duration());
    channel.send(2);
    client.sleep_for(1_ms);
    EXPECT_EQ(got, 2_ms);
  });
}

TEST(Channel, SendingOnAClosedOneIsAnError) {
  Kit kit;
  kit.client([](Client& client) {
    Channel<int> channel(client, 1);
    channel.close();
    channel.send(1);
  });
  EXPECT_THROW(kit.run(), ContractFailure);
}

// --- Select

TEST(Select, TakesTheFirstReadyCaseInTheirOrder) {
  run([](Client& client, Kit&) {
    Channel<int> a(client, 1);
    Channel<int> b(client, 1);
    b.send(1);
    EXPECT_EQ(select({&a, &b}), 1U);
    a.send(1);
    EXPECT_EQ(select({&a, &b}), 0U);
    EXPECT_EQ(select({&b, &a}), 0U);
  });
}

TEST(Select, WakesForWhateverComesFirst) {
  run([](Client& client, Kit& kit) {
    Channel<int> channel(client, 1);
    Ticker ticker(client, 20_ms);
    Timeout timeout(client, client.now() + 30_ms);
    Context context(client);
    Context child(context);
    client.go([&] {
      client.sleep_for(10_ms);
      channel.send(7);
      client.sleep_for(15_ms);
      context.cancel();
    });
    EXPECT_EQ(select({&channel, &ticker, &timeout, &child}), 0U);
    EXPECT_EQ(kit.now(), 10_ms);
    EXPECT_EQ(channel.take(), 7);
    EXPECT_EQ(select({&channel, &ticker, &timeout, &child}), 1U);
    EXPECT_EQ(kit.now(), 20_ms);
    ticker.take();
    EXPECT_EQ(select({&channel, &ticker, &timeout, &child}), 3U);
    EXPECT_EQ(kit.now(), 25_ms);
    EXPECT_EQ(select({&channel, &timeout}), 1U);
    EXPECT_EQ(kit.now(), 30_ms);
  });
}

TEST(Select, ThatWasInterruptedLeavesNobodyBehind) {
  Kit kit;
  kit.fault(at_time(5_ms, FaultKind::cancel, "client-1"));
  kit.client([](Client& client) {
    Context context(client);
    {
      Channel<int> gone(client);
      EXPECT_THROW(select({&context, &gone}), Cancelled);
    }
    context.cancel();  // Would wake a waiter that is no more.
    EXPECT_EQ(select({&context}), 0U);
  });
  kit.run();
  EXPECT_EQ(kit.process(0).live_fibers(), 0U);
}

// --- Tickers

TEST(Ticker, KeepsItsRhythmWhenATickIsTakenLate) {
  run([](Client& client, Kit& kit) {
    Ticker ticker(client, 10_ms);
    std::vector<Duration> ticks;
    for (int i = 0; i < 4; ++i) {
      ticker.wait();
      ticks.push_back(kit.now());
      if (i == 0) client.sleep_for(25_ms);
    }
    EXPECT_EQ(ticks, (std::vector<Duration>{10_ms, 35_ms, 40_ms, 50_ms}));
  });
}

TEST(Ticker, StoppedTicksNoMore) {
  run([](Client& client, Kit& kit) {
    Ticker ticker(client, 10_ms);
    Timeout timeout(client, client.now() + 100_ms);
    ticker.stop();
    EXPECT_EQ(select({&ticker, &timeout}), 1U);
    EXPECT_EQ(kit.now(), 100_ms);
  });
}

// --- Contexts

TEST(Context, IsDoneWhenAnAncestorIsCancelledAndNotWhenAChildIs) {
  run([](Client& client, Kit&) {
    Context root(client);
    Context parent(root);
    Context child(parent);
    Context sibling(root);
    child.cancel();
    EXPECT_TRUE(child.done());
    EXPECT_FALSE(parent.done());
    root.cancel();
    EXPECT_TRUE(parent.done());
    EXPECT_TRUE(sibling.done());
    EXPECT_TRUE(Context(parent).done());  // Born done.
  });
}

TEST(Context, HasTheEarliestDeadlineOfItsLine) {
  run([](Client& client, Kit& kit) {
    Context root(client);
    Context parent(root, client.now() + 20_ms);
    Context later(parent, client.now() + 50_ms);
    Context sooner(parent, client.now() + 10_ms);
    EXPECT_EQ(later.deadline(), parent.deadline());
    EXPECT_EQ(select({&later, &sooner}), 1U);
    EXPECT_EQ(kit.now(), 10_ms);
    EXPECT_EQ(select({&later}), 0U);
    EXPECT_EQ(kit.now(), 20_ms);
    EXPECT_FALSE(root.done());
  });
}

TEST(Context, EndsASleepThatOutlivesIt) {
  run([](Client& client, Kit& kit) {
    Context context(client);
    client.go([&] {
      client.sleep_for(10_ms);
      context.cancel();
    });
    EXPECT_TRUE(context.sleep_for(5_ms));
    EXPECT_EQ(kit.now(), 5_ms);
    EXPECT_FALSE(context.sleep_for(1_s));
    EXPECT_EQ(kit.now(), 10_ms);
    EXPECT_FALSE(context.sleep_for(1_s));
    EXPECT_EQ(kit.now(), 10_ms);
  });
}

TEST(Watchdog, TiedToItsContextEndsWithItAndOneThatIsNotLeaks) {
  for (const bool tied : {true, false}) {
    Kit kit;
    std::vector<Duration> ticks;
    kit.client([&](Client& client) {
      // Shared, as in Go the watchdog's variables live as long as it does.
      struct State {
        explicit State(const Client& c) : client(c), context(client) {}
        Client client;
        Context context;
      };
      auto state = std::make_shared<State>(client);
      client.go([&ticks, &kit, tied, state] {
        Ticker ticker(state->client, 10_ms);
        for (;;) {
          Waitable* const end = tied ? static_cast<Waitable*>(&state->context) : &ticker;
          if (select({end, &ticker}) == 0 && tied) return;
          ticker.take();
          ticks.push_back(kit.now());
        }
      });
      client.sleep_for(25_ms);
      state->context.cancel();  // The program ends; does its watchdog?
    });
    kit.run_until(55_ms);
    EXPECT_EQ(ticks.size(), tied ? 2U : 5U);
    EXPECT_EQ(kit.process(0).live_fibers(), tied ? 0U : 1U);
  }
}

// --- Fibers

TEST(Fiber, BelongsToTheOperationThatStartedItUntilItBeginsItsOwn) {
  Kit kit;
  std::vector<Span> spans;
  kit.client([&](Client& client) {
    client.process().begin_operation(Operation::acquire, {});
    client.new_nonce();
    client.go([&] {
      spans.push_back(kit.world().work().span);
      client.process().begin_operation(Operation::renew, {});
      spans.push_back(kit.world().work().span);
    });
    client.sleep_for(1_ms);
    spans.push_back(kit.world().work().span);
  });
  kit.run();
  const ActorId client = kit.process(0).id();
  EXPECT_EQ(spans, (std::vector<Span>{Span::of_operation(client, 1, 1, 1),
                                      Span::of_operation(client, 1, 2, 0),
                                      Span::of_operation(client, 0, 1, 1)}));
}

}  // namespace
}  // namespace locklab
