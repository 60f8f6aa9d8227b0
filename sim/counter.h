// Counter: a linearizable source of fencing tokens, apart from the lock's own servers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/net/network.h"

namespace locklab {

/// One number, taken one step further for each request: unique and strictly increasing in the order
/// of the requests' arrival. It has no replica that could lag and loses nothing.
class Counter : public Actor {
 public:
  Counter(World& world, Network& network) : world_(world), network_(network) {}
  void begin() { value_ = 0; }
  void handle(const Event& event) override;
  std::uint32_t value() const { return value_; }

 private:
  World& world_;
  Network& network_;
  std::uint32_t value_ = 0;
};

}  // namespace locklab
