// Counter: a linearizable source of fencing tokens, apart from the lock's own servers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/hosted_server.h"

namespace locklab {

/// One number, taken one step further for each request: unique and strictly increasing in the order
/// of the requests' arrival. It has no replica that could lag and loses nothing.
class Counter : public HostedServer {
 public:
  using HostedServer::HostedServer;
  void begin() {
    begin_hosted();
    value_ = 0;
  }
  std::uint32_t value() const { return value_; }

 private:
  void serve(const Event& event) override;

  std::uint32_t value_ = 0;
};

}  // namespace locklab
