// Tests of what leaves a fiber that is not ours: foreign exceptions, failed contracts.
// SPDX-License-Identifier: Apache-2.0
#include <exception>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sim/contract.h"
#include "sim/go.h"
#include "sim/testing.h"

namespace locklab {
namespace {

using testing::Kit;

TEST(ForeignException, ThatLeavesAFiberReachesTheDriver) {
  Kit kit;
  kit.client([](Client& client) {
    client.sleep_for(5_ms);
    throw std::runtime_error("a bug of the lock");
  });
  kit.client([](Client& client) { client.sleep_for(1_s); });
  EXPECT_THROW(kit.run(), std::runtime_error);
  EXPECT_EQ(kit.process(1).live_fibers(), 0U);  // Everybody has been unwound.
}

TEST(FailedAssertion, InsideAFiberReachesTheDriver) {
  Kit kit;
  kit.client([](Client&) { SIM_ASSERT(1 + 1 == 3); });
  try {
    kit.run();
    FAIL();
  } catch (const ContractFailure& failure) {
    EXPECT_NE(std::string(failure.what()).find("1 + 1 == 3"), std::string::npos);
  }
}

TEST(FailedAssertion, OnTheMainLoopReachesTheDriverAndTheNextRunIsSound) {
  Kit kit;
  kit.client([&](Client& client) {
    client.sleep_for(5_ms);
    kit.world().schedule(kit.world().now(),
                         {.type = EventType::rediscover, .actor = kit.node(0).id()});
    client.sleep_for(5_ms);
  });
  EXPECT_THROW(kit.run(), ContractFailure);
  kit.begin();
  EXPECT_THROW(kit.run(), ContractFailure);
}

TEST(ExceptionState, IsThatOfEachFiber) {
  // Two fibers park inside handlers, in turn; each must find its own exception again.
  Kit kit;
  std::vector<std::string> seen;
  const auto body = [&](Client& client, const std::string& name) {
    try {
      throw std::runtime_error(name);
    } catch (const std::exception&) {
      for (int i = 0; i < 3; ++i) {
        client.sleep_for(1_ms);
        try {
          throw;
        } catch (const std::exception& again) {
          seen.emplace_back(again.what());
        }
      }
    }
  };
  kit.client([&](Client& client) {
    client.go([&] { body(client, "a"); });
    client.go([&] { body(client, "b"); });
  });
  kit.run();
  EXPECT_EQ(seen, (std::vector<std::string>{"a", "b", "a", "b", "a", "b"}));
}

TEST(ExceptionState, CountsUncaughtOnesPerFiber) {
  Kit kit;
  int in_other = -1;
  kit.client([&](Client& client) {
    struct Sleeper {
      Client& client;
      ~Sleeper() noexcept(false) { client.sleep_for(10_ms); }
    };
    client.go([&] {
      client.sleep_for(5_ms);
      in_other = std::uncaught_exceptions();
    });
    try {
      const Sleeper sleeper{client};
      throw 1;
    } catch (int) {
    }
    EXPECT_EQ(kit.now(), 10_ms);
  });
  kit.run();
  EXPECT_EQ(in_other, 0);
}

}  // namespace
}  // namespace locklab
