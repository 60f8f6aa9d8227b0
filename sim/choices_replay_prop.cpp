// Whole runs: what was taken is what a replay needs, and a client's draws are its own.
// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/sources.h"
#include "sim/testing.h"

namespace locklab {
namespace {

using testing::Kit;

WorldConfig stormy_world() {
  WorldConfig config = testing::replicated_world(1);
  config.search.of = FaultKinds{~1U};
  config.search.max = 3;
  config.limits.virtual_time = seconds(20);
  config.limits.steps = 5000;
  return config;
}

/// Acquires, works, releases, three times; whatever strikes it.
void busy_client(Client& client) {
  for (int round = 0; round < 3; ++round) {
    client.process().begin_operation(Operation::acquire, {});
    client.redis().set("k", client.new_nonce(), {.nx = true, .px = 300_ms});
    client.process().end_operation();
    client.sleep_for(client.jitter(20_ms) + 50_ms);
    client.process().begin_operation(Operation::release, {});
    client.redis().del("k");
    client.process().end_operation();
  }
}

void add_clients(Kit& kit) {
  kit.client(busy_client);
  kit.client(busy_client, 7_ms);
}

RC_GTEST_PROP(Replay, OfTheTakenDeviationsGivesTheSameHistory, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  Kit first(stormy_world());
  SeededSource seeded(seed);
  first.use(seeded);
  add_clients(first);
  first.run();
  const std::vector<Deviation> taken(first.world().choices().taken().begin(),
                                     first.world().choices().taken().end());

  Kit second(stormy_world());
  ReplaySource replay;
  replay.load(taken);
  second.use(replay);
  add_clients(second);
  second.run();
  RC_ASSERT(second.history().digest() == first.history().digest());
  RC_ASSERT(replay.missed().empty());
  const std::vector<Deviation> again(second.world().choices().taken().begin(),
                                     second.world().choices().taken().end());
  RC_ASSERT(again == taken);
}

RC_GTEST_PROP(Replay, AddressesOfTakenDeviationsAreDistinct, ()) {
  Kit kit(stormy_world());
  SeededSource seeded(*rc::gen::arbitrary<std::uint64_t>());
  kit.use(seeded);
  add_clients(kit);
  kit.run();
  std::set<Address> addresses;
  for (const Deviation& deviation : kit.world().choices().taken()) {
    RC_ASSERT(addresses.insert(deviation.address).second);
  }
}

}  // namespace
}  // namespace locklab
