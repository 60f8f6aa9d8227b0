// Go's vocabulary: mutexes, conditions and wait groups, also when a waiter is cancelled.
// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sim/contract.h"
#include "sim/go.h"
#include "sim/go_testing.h"

namespace locklab {
namespace {

using testing::Kit;
using testing::run;

TEST(Mutex, ServesInTheOrderOfAsking) {
  run([](Client& client, Kit&) {
    Mutex mutex(client);
    std::string order;
    mutex.lock();
    for (const char name : {'a', 'b', 'c'}) {
      client.go([&, name] {
        mutex.lock();
        order += name;
        client.sleep_for(1_ms);
        mutex.unlock();
      });
      client.sleep_for(1_ms);
    }
    mutex.unlock();
    mutex.lock();  // Who asks again stands behind those who already wait.
    order += 'd';
    mutex.unlock();
    EXPECT_EQ(order, "abcd");
    EXPECT_TRUE(mutex.try_lock());
    EXPECT_FALSE(mutex.try_lock());
    mutex.unlock();
  });
}

TEST(Mutex, IsNotStuckWhenTheNextInLineIsCancelled) {
  Kit kit;
  std::string order;
  kit.client([&](Client& client) {
    Mutex mutex(client);
    mutex.lock();
    client.go([&] {
      mutex.lock();
      order += 'a';
      mutex.unlock();
    });
    client.go([&] {
      mutex.lock();
      order += 'b';
      mutex.unlock();
    });
    client.sleep_for(1_ms);
    mutex.unlock();
    client.process().cancel(1);  // It has been woken, and has not run yet.
    client.sleep_for(1_ms);
  });
  kit.run();
  EXPECT_EQ(order, "b");
  EXPECT_EQ(kit.process(0).live_fibers(), 0U);
}

TEST(Mutex, UnlockedTwiceIsAnError) {
  Kit kit;
  kit.client([](Client& client) {
    Mutex mutex(client);
    mutex.lock();
    mutex.unlock();
    mutex.unlock();
  });
  EXPECT_THROW(kit.run(), ContractFailure);
}

TEST(CondVar, WakesOneOrAllAndReturnsWithTheMutexLocked) {
  run([](Client& client, Kit&) {
    Mutex mutex(client);
    CondVar condition(client);
    std::string woken;
    for (const char name : {'a', 'b', 'c'}) {
      client.go([&, name] {
        mutex.lock();
        condition.wait(mutex);
        EXPECT_FALSE(mutex.try_lock());
        woken += name;
        mutex.unlock();
      });
    }
    client.sleep_for(1_ms);
    condition.notify_one();
    client.sleep_for(1_ms);
    EXPECT_EQ(woken, "a");
    condition.notify_all();
    client.sleep_for(1_ms);
    EXPECT_EQ(woken, "abc");
    condition.notify_one();  // Nobody is there, and nothing is kept.
    EXPECT_TRUE(mutex.try_lock());
    mutex.unlock();
  });
}

TEST(CondVar, LosesNoSignalToASleeperThatWasCancelled) {
  Kit kit;
  std::string woken;
  kit.client([&](Client& client) {
    Mutex mutex(client);
    CondVar condition(client);
    for (const char name : {'a', 'b'}) {
      client.go([&, name] {
        mutex.lock();
        try {
          condition.wait(mutex);
          woken += name;
        } catch (const Cancelled&) {
          EXPECT_FALSE(mutex.try_lock());  // Locked, as after any wait.
        }
        mutex.unlock();
      });
    }
    client.sleep_for(1_ms);
    client.process().cancel(1);
    client.sleep_for(1_ms);
    condition.notify_one();
    client.sleep_for(1_ms);
  });
  kit.run();
  EXPECT_EQ(woken, "b");
}

TEST(WaitGroup, WaitsForAll) {
  run([](Client& client, Kit& kit) {
    WaitGroup group(client);
    group.wait();  // Nobody to wait for.
    for (int i = 1; i <= 3; ++i) {
      group.add(1);
      client.go([&, i] {
        client.sleep_for(milliseconds(i * 10L));
        group.done();
      });
    }
    group.wait();
    EXPECT_EQ(kit.now(), 30_ms);
  });
}

TEST(WaitGroup, DoneTooOftenIsAnError) {
  Kit kit;
  kit.client([](Client& client) {
    WaitGroup group(client);
    group.done();
  });
  EXPECT_THROW(kit.run(), ContractFailure);
}

}  // namespace
}  // namespace locklab
