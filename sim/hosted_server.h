// HostedServer: a server that is no Redis, and what its machine does to it: stops, loss, return.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/net/network.h"
#include "sim/world.h"

namespace locklab {

/// While its machine stands still, what arrives and what comes due waits. While it is lost,
/// requests find nobody. What such a server knows is on disk: it comes back as it was.
class HostedServer : public Actor {
 public:
  HostedServer(World& world, Network& network) : world_(world), network_(network) {}
  void handle(const Event& event) final;

  void pause(Duration length);
  void lose(Duration restart_after);
  /// Brings it back now, unless it comes by itself.
  void heal();
  bool alive() const { return alive_; }

 protected:
  void begin_hosted();
  virtual void serve(const Event& event) = 0;

  World& world_;
  Network& network_;

 private:
  void run_on();
  void restart(const Event& event);

  bool alive_ = true;
  bool paused_ = false;
  bool restarting_ = false;
  std::uint32_t life_ = 0;  // Ends with a loss, and with it a return that was still to come.
  Instant paused_until_;
  std::vector<Event> held_;
};

}  // namespace locklab
