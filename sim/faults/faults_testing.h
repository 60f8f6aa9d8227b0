// Faults under test: one drawn fault in a small world, and whom it struck.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sim/testing.h"

namespace locklab::testing {

/// A world in which every kind may be drawn.
inline WorldConfig searching(WorldConfig config, std::uint32_t max = 1) {
  config.search.of = FaultKinds{~1U};
  config.search.max = max;
  return config;
}

/// One client that sets a key, passes hold.check_ok and sleeps, in a world where faults are drawn.
class Drawn {
 public:
  explicit Drawn(const WorldConfig& config = replicated_world(1)) : kit(searching(config)) {
    kit.client([](Client& client) {
      client.redis().set("k", "v", {.px = 500_ms});
      client.reach(Label::hold_check_ok);
      client.sleep_for(2_s);
    });
  }
  Drawn& strike(const FaultValue& value, Label label = Label::srv_applied) {
    kit.choices().strike(value, {.label = label, .nth = 1});
    return *this;
  }
  Drawn& run() {
    kit.run_until(5_s);
    return *this;
  }
  /// The only one that struck; nullopt: none did.
  std::optional<Record> begun() {
    run();
    const std::vector<Record> all = kit.all(EventKind::fault_begin);
    EXPECT_LE(all.size(), 1U);
    EXPECT_EQ(kit.world().choices().taken().size(), all.size());
    return all.empty() ? std::nullopt : std::optional(all.front());
  }
  /// Whom it struck; "": nobody.
  std::string victim() {
    const std::optional<Record> begin = begun();
    return begin ? std::string(kit.world().name(begin->who())) : "";
  }

  Kit kit;
};

/// A fault that lasts a round trip.
inline FaultValue value_of(FaultKind kind, std::uint16_t second = 0, std::uint8_t target = 0) {
  return {kind, target, Bucket::constant(Bucket::round_trip), 0, second};
}

}  // namespace locklab::testing
